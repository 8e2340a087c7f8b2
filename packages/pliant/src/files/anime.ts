/**
 * `.anime`, the vertex sequences of DeformingThings4D: one mesh whose vertices move. Little-endian: int32 frames,
 * vertices, triangles; float32 first frame; int32 corners; float32 differences from the first for each later frame.
 */
import { ByteReader } from './byte-reader.js'
import { FileError } from './file-error.js'

export interface VertexSequence {
  triangles: Uint32Array
  /** Vertices of each frame, xyz triples. */
  frames: Float32Array[]
}

/** @throws FileError if counts and bytes disagree, a corner names no vertex, or a place is not a number */
export function readAnime(bytes: Uint8Array): VertexSequence {
  const reader = new ByteReader('anime', bytes)
  const frameCount = reader.int32()
  const vertices = reader.int32()
  const corners = 3 * reader.int32()
  if (frameCount < 1 || vertices < 1 || corners < 3) {
    throw new FileError(
      'anime',
      `${frameCount} frames, ${vertices} vertices, ${corners / 3} triangles; give some of each.`,
    )
  }
  reader.need(frameCount * vertices * 3 + corners, 4, 'values')
  const first = readPlaces(reader, vertices)
  const triangles = Uint32Array.from({ length: corners }, () => reader.int32())
  const beyond = triangles.find((corner) => corner >= vertices)
  if (beyond !== undefined) {
    throw new FileError(
      'anime',
      `a triangle names vertex ${beyond | 0} of ${vertices}; check the file was written completely.`,
    )
  }
  const later = Array.from({ length: frameCount - 1 }, () => {
    return readPlaces(reader, vertices).map((difference, i) => first[i] + difference)
  })
  return { triangles, frames: [first, ...later] }
}

function readPlaces(reader: ByteReader, vertices: number): Float32Array {
  const places = Float32Array.from({ length: 3 * vertices }, () => reader.float32())
  if (!places.every(Number.isFinite)) {
    throw new FileError('anime', 'a place is not a number; check the file was written completely.')
  }
  return places
}
