/** Opens a glTF file: the JSON and its buffers, from the chunks of a GLB, from data URIs or from the file beside it. */
import { ByteReader } from './byte-reader.js'
import { DecodeBudget } from './decode-budget.js'
import { FileError, quoted } from './file-error.js'
import { GLB_MAGIC, readGlbChunks } from './glb-chunks.js'
import { GltfObject } from './gltf-json.js'

export interface GltfFile {
  json: GltfObject
  /** One for each of the file's buffers, at least as long as declared. */
  buffers: Uint8Array[]
  bufferViews: GltfObject[]
  accessors: GltfObject[]
  /** What is left to allocate: arrays may be named again and again, or have no bytes behind them. */
  budget: DecodeBudget
}

/** Required extensions that change only looks, or (quantisation) allow what is read anyway. */
const HARMLESS_EXTENSIONS =
  /^(KHR_materials_|KHR_texture_|EXT_texture_|MSFT_texture_|KHR_lights_|KHR_xmp|KHR_mesh_quantization$)/

/** What to do about the ones that come up most. */
const EXTENSION_REMEDIES = new Map(
  Object.entries({
    KHR_draco_mesh_compression: "decompress it, for instance with 'npx @gltf-transform/cli copy in.glb out.glb'.",
    EXT_meshopt_compression: "decompress it, for instance with 'npx @gltf-transform/cli copy in.glb out.glb'.",
    KHR_meshopt_compression: "decompress it, for instance with 'npx @gltf-transform/cli copy in.glb out.glb'.",
  }),
)

/** @throws FileError if a chunk or buffer is cut short, the version is not 2, or a needed extension is not read */
export function openGltf(bytes: Uint8Array, companion: Uint8Array | undefined): GltfFile {
  const { text, binary } = looksLikeGlb(bytes) ? readGlbChunks(bytes) : { text: bytes, binary: undefined }
  const budget = new DecodeBudget('gltf', bytes.length + (companion?.length ?? 0))
  budget.draw(JSON_VALUE_BYTES * countJsonValues(text), 'its JSON')
  const json = GltfObject.of(parseJson(text), '')
  const version = json.object('asset').string('version') ?? ''
  if (!/^2\.\d+$/.test(version))
    throw new FileError('gltf', `version ${quoted(version)} is not read; save it as glTF 2.0.`)
  for (const extension of json.strings('extensionsRequired')) {
    if (HARMLESS_EXTENSIONS.test(extension)) continue
    const remedy = EXTENSION_REMEDIES.get(extension) ?? 'save it without.'
    throw new FileError('gltf', `it needs the extension ${quoted(extension)}, which is not read; ${remedy}`)
  }
  requireOneFile(externalUris(json))
  const buffers = json
    .objects('buffers')
    .map((buffer, i) => openBuffer(buffer, i === 0 ? binary : undefined, companion))
  return { json, buffers, bufferViews: json.objects('bufferViews'), accessors: json.objects('accessors'), budget }
}

/** What a value of the JSON takes in memory once parsed and looked at, roughly. */
const JSON_VALUE_BYTES = 64

/** Commas and opening brackets: each begins a value, and data URIs, which may be large, have none. */
function countJsonValues(text: Uint8Array): number {
  let values = 0
  for (const byte of text) if (byte === 0x2c || byte === 0x7b || byte === 0x5b) values++
  return values
}

export function looksLikeGlb(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && new ByteReader('gltf', bytes).uint32() === GLB_MAGIC
}

/**
 * Length of a GLB's first buffer, which lies in its binary chunk, 0 without one: where more may be put behind it.
 * @throws FileError if its bytes are elsewhere
 */
export function embeddedLength(file: GltfObject, binaryLength: number): number {
  const buffer = file.objects('buffers')[0]
  if (buffer === undefined) return 0
  const length = buffer.count('byteLength')
  if (buffer.has('uri') || length > binaryLength) {
    throw buffer.error('has no bytes in the GLB; save it as one .glb with everything inside.')
  }
  return length
}

/**
 * The name of the one file beside a `.gltf` that its buffers are in, relative to its folder; undefined if it needs none
 * or cannot be read.
 * @throws FileError if the name leads out of the folder, or there are several
 */
export function externalBufferOf(bytes: Uint8Array): string | undefined {
  if (looksLikeGlb(bytes)) return undefined
  let uris: string[]
  try {
    uris = externalUris(GltfObject.of(parseJson(bytes), ''))
  } catch {
    return undefined // reading the file will say what is wrong
  }
  requireOneFile(uris)
  return uris.length === 0 ? undefined : nameInFolder(uris[0])
}

/** The different files that its buffers are in. */
function externalUris(json: GltfObject): string[] {
  const uris = json.objects('buffers').map((buffer) => buffer.string('uri'))
  return [...new Set(uris.filter((uri) => uri !== undefined && !uri.startsWith('data:')))] as string[]
}

function requireOneFile(uris: readonly string[]): void {
  if (uris.length < 2) return
  throw new FileError('gltf', `its buffers are in ${uris.length} files, one is read; save it as .glb.`)
}

/** A scheme or a drive, the root, another system's separators; control characters are no part of a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be refused
const OUTSIDE = /^[a-z][a-z\d+.-]*:|^\/|\\|[\u0000-\u001f\u007f]/i

/** A URI as the path of a file in the same folder or below. @throws FileError if it leads elsewhere */
function nameInFolder(uri: string): string {
  let name: string
  try {
    name = decodeURIComponent(uri)
  } catch {
    throw new FileError('gltf', `the buffer's URI ${quoted(uri)} is not correctly encoded; check the file.`)
  }
  if (OUTSIDE.test(name) || name.split('/').includes('..')) {
    throw new FileError(
      'gltf',
      `the buffer ${quoted(uri)} lies outside the file's folder; put it there, or save as .glb.`,
    )
  }
  return name
}

export function parseJson(text: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(text))
  } catch (error) {
    throw new FileError(
      'gltf',
      `the JSON is broken (${(error as Error).message}); check the file was written completely.`,
    )
  }
}

function openBuffer(buffer: GltfObject, binary: Uint8Array | undefined, companion: Uint8Array | undefined): Uint8Array {
  const uri = buffer.string('uri')
  let bytes = binary
  if (uri?.startsWith('data:')) bytes = decodeDataUri(buffer, uri)
  else if (uri !== undefined) bytes = companion
  if (bytes === undefined) {
    throw buffer.error(
      uri === undefined
        ? 'has no bytes in the file; check it was written completely.'
        : `is in the file ${quoted(uri)}; pass that too, or save as .glb.`,
    )
  }
  const length = buffer.count('byteLength')
  if (length > bytes.length) {
    throw buffer.error(`declares ${length} bytes but has ${bytes.length}; check the file was written completely.`)
  }
  return bytes
}

function decodeDataUri(buffer: GltfObject, uri: string): Uint8Array {
  const comma = uri.indexOf(',')
  if (comma < 0 || !uri.slice(0, comma).endsWith(';base64')) throw buffer.error('is not in base64; save as .glb.')
  let decoded: string
  try {
    decoded = atob(uri.slice(comma + 1))
  } catch {
    throw buffer.error('is not correct base64; check the file was written completely.')
  }
  const bytes = new Uint8Array(decoded.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = decoded.charCodeAt(i)
  return bytes
}
