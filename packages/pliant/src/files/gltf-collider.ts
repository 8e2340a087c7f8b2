/**
 * A trained artifact that travels inside a GLB: the extension `PLIANT_collider` at the file's root names a buffer view
 * that holds the artifact's bytes as they are. It is not required, so viewers that do not know it pass it over.
 *
 * The container is edited by hand. All that was in it keeps its bytes and its numbers, whatever extensions it uses: a
 * library would leave out those that it does not know and rewrite every accessor.
 */
import { FileError } from './file-error.js'
import { paddedLength, readGlbChunks, writeGlbChunks } from './glb-chunks.js'
import { embeddedLength, looksLikeGlb, parseJson } from './gltf-container.js'
import { GltfObject } from './gltf-json.js'

/** Name of the glTF extension that carries a trained character in its GLB. */
export const COLLIDER_EXTENSION = 'PLIANT_collider'

/** The part of a glTF's JSON that is edited; everything else is passed on. */
interface EditedJson {
  buffers?: { byteLength: number }[]
  bufferViews?: { name?: string; buffer: number; byteOffset?: number; byteLength: number }[]
  extensions?: Record<string, unknown>
  extensionsUsed?: string[]
}

/**
 * Puts a trained character into the GLB of the character itself, where other viewers ignore it.
 * @param glb       a character as one `.glb` file; left as it is
 * @param artifact  the bytes of a trained file; they replace those that the GLB may carry already
 * @throws FileError if it is no GLB, is cut short, or its first buffer is in another file
 */
export function embedCollider(glb: Uint8Array, artifact: Uint8Array): Uint8Array<ArrayBuffer> {
  if (!looksLikeGlb(glb)) throw new FileError('gltf', 'a collider travels in a .glb only; save it as .glb.')
  const { text, binary = new Uint8Array(0), others } = readGlbChunks(glb)
  const value = parseJson(text)
  const file = GltfObject.of(value, '')
  const json = value as EditedJson
  const end = endWithoutCollider(file, binary.length)
  const start = paddedLength(end)

  const bufferView = colliderView(file)?.number ?? file.objects('bufferViews').length
  json.bufferViews ??= []
  json.bufferViews[bufferView] = {
    name: COLLIDER_EXTENSION,
    buffer: 0,
    byteOffset: start,
    byteLength: artifact.length,
  }
  json.buffers ??= []
  json.buffers[0] = { ...json.buffers[0], byteLength: start + artifact.length }
  json.extensions = { ...json.extensions, [COLLIDER_EXTENSION]: { bufferView } }
  json.extensionsUsed = [...new Set([...file.strings('extensionsUsed'), COLLIDER_EXTENSION])]

  const newBinary = new Uint8Array(start + artifact.length)
  newBinary.set(binary.subarray(0, end))
  newBinary.set(artifact, start)
  return writeGlbChunks(new TextEncoder().encode(JSON.stringify(json)), newBinary, others)
}

/**
 * Takes the trained character out of a GLB that carries one.
 * @returns the bytes of the artifact that a GLB carries, a view of its own; undefined if it carries none or is no GLB
 * @throws FileError if the GLB is cut short or the extension points at a buffer view that is not there
 */
export function extractCollider(glb: Uint8Array): Uint8Array | undefined {
  if (!looksLikeGlb(glb)) return undefined
  const { text, binary } = readGlbChunks(glb)
  const found = colliderView(GltfObject.of(parseJson(text), ''))
  if (found === undefined) return undefined
  const { view } = found
  const start = view.count('byteOffset', 0)
  const end = start + view.count('byteLength')
  if (view.count('buffer') !== 0 || binary === undefined || end > binary.length) {
    throw view.error('of the collider has no bytes in the file; export it again.')
  }
  return binary.subarray(start, end)
}

/** Names of a GLB's nodes, read without looking at meshes, so that compressed ones pass. */
export function glbNodeNames(glb: Uint8Array): string[] {
  const nodes = GltfObject.of(parseJson(readGlbChunks(glb).text), '').objects('nodes')
  return nodes.map((node, i) => node.string('name') ?? `node${i}`)
}

/** Names of the extensions that a GLB uses. */
export function glbExtensions(glb: Uint8Array): string[] {
  return GltfObject.of(parseJson(readGlbChunks(glb).text), '').strings('extensionsUsed')
}

/** The buffer view that the extension names, if the file has it. */
function colliderView(file: GltfObject): { number: number; view: GltfObject } | undefined {
  const extension = file.object('extensions').looseObject(COLLIDER_EXTENSION)
  if (extension === undefined) return undefined
  const views = file.objects('bufferViews')
  const number = extension.index('bufferView', views.length, 'buffer views')
  return { number, view: views[number] }
}

/** Bytes of the first buffer to keep: all, or all before an earlier collider that lies at its end, as ours do. */
function endWithoutCollider(file: GltfObject, binaryLength: number): number {
  const length = embeddedLength(file, binaryLength)
  const view = colliderView(file)?.view
  if (view === undefined || view.count('buffer') !== 0) return length
  const start = view.count('byteOffset', 0)
  return start + view.count('byteLength') === length ? start : length
}
