/** Puts a GLB together: header, JSON chunk, binary chunk. Chunks begin and end at multiples of four bytes. */
import { BIN_CHUNK, GLB_MAGIC, JSON_CHUNK } from './gltf-container.js'

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
