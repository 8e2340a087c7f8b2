/** A trained file's bytes from wherever they are: an address, a path, memory, or inside a GLB. */

export type FileSource = string | URL | Request | ArrayBuffer | Uint8Array

/**
 * @returns the artifact's own bytes, those that a GLB carries included
 * @throws Error in one line if the address does not answer, or a GLB carries none
 */
export async function readSource(source: FileSource, signal?: AbortSignal): Promise<Uint8Array> {
  const bytes =
    source instanceof Uint8Array
      ? source
      : source instanceof ArrayBuffer
        ? new Uint8Array(source)
        : await download(source, signal)
  if (!isGlb(bytes)) return bytes
  // What reads glTF is loaded for glTF alone.
  const { extractCollider } = await import('../files/gltf-collider.js')
  const carried = extractCollider(bytes)
  if (carried) return carried
  throw carriesNone()
}

/** Of a glTF file without a trained one inside. */
export function carriesNone(): Error {
  return new Error(
    "load: this glTF carries none; put one in with 'pliant export FILE --gltf OUT.glb --into CHARACTER.glb'.",
  )
}

/** The letters glTF, which a GLB begins with. */
const GLB = [0x67, 0x6c, 0x54, 0x46]

function isGlb(bytes: Uint8Array): boolean {
  return GLB.every((letter, i) => bytes[i] === letter)
}

async function download(source: string | URL | Request, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const fromDisk = diskReader(source)
  if (fromDisk) return fromDisk(signal)
  const address = source instanceof Request ? source.url : source
  const response = await fetch(source, { signal })
  if (!response.ok) {
    throw new Error(`load: ${address} answers ${response.status} ${response.statusText}; check the address.`)
  }
  return new Uint8Array(await response.arrayBuffer())
}

/** Node's fetch knows no files: there a path, or an address of one, is read from disk. */
function diskReader(source: string | URL | Request): ((signal?: AbortSignal) => Promise<Uint8Array>) | undefined {
  const disk = typeof process === 'object' ? process.getBuiltinModule?.('node:fs/promises') : undefined
  if (!disk || source instanceof Request) return undefined
  const isPath = typeof source === 'string' && !/^[a-z][a-z\d+.-]+:/i.test(source)
  const file = isPath ? source : new URL(source)
  if (file instanceof URL && file.protocol !== 'file:') return undefined
  return async (signal) => new Uint8Array(await disk.readFile(file, { signal }))
}
