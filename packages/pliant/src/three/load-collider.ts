/** Trained characters from where a page has them: an address, bytes, or a glTF scene that three.js has loaded. */
import { decode } from '../artifact/artifact.js'
import { load } from '../artifact/load.js'
import { carriesNone, type FileSource, readSource } from '../artifact/source.js'
import { COLLIDER_EXTENSION } from '../files/gltf-collider.js'
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
  source: FileSource,
  { signal, ...options }: ColliderOptions = {},
): Promise<Collider> {
  const artifact = await decode(await readSource(source, signal), 'character')
  return new Collider(artifact, await load(artifact, options))
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
  return loadCollider((await gltf.parser.getDependency('bufferView', bufferView)) as ArrayBuffer, options)
}
