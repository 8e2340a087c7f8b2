/** Trained characters from where a page has them: an address, bytes, or a glTF scene that three.js has loaded. */
import { decodeCharacter, loadCharacter } from '../artifact/character.js'
import { COLLIDER_EXTENSION, extractCollider } from '../files/gltf-collider.js'
import { looksLikeGlb } from '../files/gltf-container.js'
import type { NetworkOptions } from '../net/create-network.js'
import { Collider } from './collider.js'

/** Backend ('auto' takes SIMD where the host has it), threads, and what stops a download. */
export interface ColliderOptions extends NetworkOptions {
  /** Stops a download. */
  signal?: AbortSignal
}

/**
 * Loads a trained character from an address or from bytes.
 * @param source  an artifact (`.safetensors`), or a `.glb` that carries one (`pliant export --gltf`): its address or its
 *                bytes
 * @throws Error in one line if the download fails, the bytes are damaged, or they hold no trained character
 */
export async function loadCollider(
  source: string | URL | Request | ArrayBuffer | Uint8Array,
  options: ColliderOptions = {},
): Promise<Collider> {
  const bytes = source instanceof ArrayBuffer ? new Uint8Array(source) : source
  return decode(bytes instanceof Uint8Array ? bytes : await download(bytes, options.signal), options)
}

/** What three.js's GLTFLoader gives, as far as it is needed. */
export interface LoadedGltf {
  /** What tells of extensions, and hands out their bytes. */
  readonly parser: {
    readonly json: { readonly extensions?: Readonly<Record<string, { readonly bufferView?: number } | undefined>> }
    getDependency(type: string, index: number): Promise<unknown>
  }
}

/**
 * The collider of a character that GLTFLoader has loaded, without a second download.
 * @throws Error in one line if the file carries none
 */
export async function colliderFromGltf(gltf: LoadedGltf, options: ColliderOptions = {}): Promise<Collider> {
  const bufferView = gltf.parser.json.extensions?.[COLLIDER_EXTENSION]?.bufferView
  if (bufferView === undefined) throw carriesNone()
  return decode(new Uint8Array((await gltf.parser.getDependency('bufferView', bufferView)) as ArrayBuffer), options)
}

async function decode(bytes: Uint8Array, options: NetworkOptions): Promise<Collider> {
  const carried = extractCollider(bytes)
  if (carried === undefined && looksLikeGlb(bytes)) throw carriesNone()
  const artifact = decodeCharacter(carried ?? bytes)
  return new Collider(artifact, await loadCharacter(artifact, options))
}

async function download(source: string | URL | Request, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const address = source instanceof Request ? source.url : source
  const response = await fetch(source, { signal })
  if (!response.ok) {
    throw new Error(`collider: ${address} answers ${response.status} ${response.statusText}; check the address.`)
  }
  return new Uint8Array(await response.arrayBuffer())
}

function carriesNone(): Error {
  return new Error(
    "collider: this glTF carries none; put one in with 'pliant export FILE --gltf OUT.glb --into CHARACTER.glb'.",
  )
}
