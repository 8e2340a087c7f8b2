/** The container of a GLB: header, JSON chunk, binary chunk, others. Chunks begin and end at multiples of four bytes. */
import { ByteReader } from './byte-reader.js'
import { FileError } from './file-error.js'

export const GLB_MAGIC = 0x46546c67
const JSON_CHUNK = 0x4e4f534a
const BIN_CHUNK = 0x004e4942

/** The parts of a GLB as views of its bytes. */
export interface GlbChunks {
  /** The JSON, padded with spaces. */
  text: Uint8Array
  /** What the first buffer holds, padded to a multiple of four. */
  binary: Uint8Array | undefined
  /** Chunks of other kinds, each with its header. */
  others: Uint8Array[]
}

/** @throws FileError if a chunk is cut short, none is JSON, or the version is not 2 */
export function readGlbChunks(bytes: Uint8Array): GlbChunks {
  const reader = new ByteReader('gltf', bytes, 4)
  const version = reader.uint32()
  if (version !== 2) throw new FileError('gltf', `version ${version} is not read; save it as glTF 2.0.`)
  const length = reader.uint32()
  if (length > bytes.length) {
    throw new FileError(
      'gltf',
      `${length} bytes declared but the file has ${bytes.length}; check it was written completely.`,
    )
  }
  let text: Uint8Array | undefined
  let binary: Uint8Array | undefined
  const others: Uint8Array[] = []
  while (length - reader.position >= 8) {
    const size = reader.uint32()
    const type = reader.uint32()
    reader.need(size, 1, 'bytes of a chunk')
    const chunk = bytes.subarray(reader.position, reader.position + size)
    if (type === JSON_CHUNK) text ??= chunk
    else if (type === BIN_CHUNK) binary ??= chunk
    else others.push(bytes.subarray(reader.position - 8, reader.position + size))
    reader.skip(size)
  }
  if (text === undefined) throw new FileError('gltf', 'the file has no JSON chunk; check it was written completely.')
  return { text, binary, others }
}

/**
 * @param text    the JSON, filled up with spaces
 * @param binary  what the first buffer holds, filled up with zeros
 * @param others  further chunks with their headers
 */
export function writeGlbChunks(
  text: Uint8Array,
  binary: Uint8Array,
  others: readonly Uint8Array[] = [],
): Uint8Array<ArrayBuffer> {
  const chunks = [chunk(JSON_CHUNK, text, 0x20), chunk(BIN_CHUNK, binary, 0), ...others]
  const glb = new Uint8Array(12 + chunks.reduce((sum, { length }) => sum + length, 0))
  writeWords(glb, [GLB_MAGIC, 2, glb.length])
  let at = 12
  for (const part of chunks) {
    glb.set(part, at)
    at += part.length
  }
  return glb
}

/** The next multiple of four. */
export function paddedLength(length: number): number {
  return Math.ceil(length / 4) * 4
}

function chunk(type: number, content: Uint8Array, filler: number): Uint8Array {
  const bytes = new Uint8Array(8 + paddedLength(content.length)).fill(filler)
  writeWords(bytes, [paddedLength(content.length), type])
  bytes.set(content, 8)
  return bytes
}

function writeWords(bytes: Uint8Array, words: readonly number[]): void {
  const view = new DataView(bytes.buffer)
  words.forEach((word, i) => {
    view.setUint32(4 * i, word, true)
  })
}
