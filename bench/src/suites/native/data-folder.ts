/** The bodies as native programs read them: a folder with one file of plain numbers for each array. */
import { readFile, writeFile } from 'node:fs/promises'
import { endianness } from 'node:os'
import { join } from 'node:path'
import type { RacedBody } from './bodies.js'

/** @throws Error on a machine that keeps numbers in another order than the programs' files */
export async function writeBody(folder: string, body: RacedBody): Promise<void> {
  if (endianness() !== 'LE') throw new Error('bench native: this machine is not little-endian; run it on another.')
  const { name, surface, vertices, points, learned, skin } = body
  const files: Record<string, ArrayBufferView> = {
    'rest.f32': Float32Array.from(surface.positions),
    'triangles.u32': surface.triangles,
    'frames.f32': vertices,
    ...(points && { 'near.f32': points.near, 'uniform.f32': points.uniform }),
    ...(learned && { 'truncation.f32': Float32Array.of(learned.truncation) }),
    ...(skin && {
      'starts.u32': skin.starts,
      'bones.u16': skin.bones,
      'weights.f32': skin.weights,
      'bound.f32': skin.bound,
      'matrices.f32': skin.matrices,
    }),
  }
  for (const [file, numbers] of Object.entries(files))
    await writeFile(join(folder, `${name}.${file}`), bytesOf(numbers))
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** What a program answered about the points of one frame. */
export interface NativeAnswers {
  distances: Float32Array
  normals: Float32Array
  triangleIds: Uint32Array
}

/** @throws Error if the file is not of so many frames of so many points */
export async function readAnswers(path: string, frames: number, count: number): Promise<NativeAnswers[]> {
  const words = await readWords(path)
  if (words.length !== frames * 5 * count) {
    throw new Error(
      `bench native: ${words.length} numbers for ${frames} frames of ${count} points; 5 a point expected.`,
    )
  }
  return Array.from({ length: frames }, (_, frame) => {
    const at = 5 * count * frame
    return {
      distances: new Float32Array(words.buffer, 4 * at, count),
      normals: new Float32Array(words.buffer, 4 * (at + count), 3 * count),
      triangleIds: words.subarray(at + 4 * count, at + 5 * count),
    }
  })
}

/**
 * @returns pairs of triangles that meet in each frame, the lower number first, in rising order
 * @throws Error if the file ends within a frame
 */
export async function readPairs(path: string, frames: number): Promise<Uint32Array[]> {
  const words = await readWords(path)
  const pairs: Uint32Array[] = []
  let at = 0
  for (let frame = 0; frame < frames; frame++) {
    const end = at + 1 + 2 * words[at]
    // Also where nothing is left: then the end is no number.
    if (!(end <= words.length)) throw new Error(`bench native: pairs end in frame ${frame} of ${frames}.`)
    pairs.push(words.subarray(at + 1, end))
    at = end
  }
  return pairs
}

async function readWords(path: string): Promise<Uint32Array<ArrayBuffer>> {
  const bytes = await readFile(path)
  // Copied, as a file's bytes may begin anywhere in a larger buffer.
  return new Uint32Array(Uint8Array.from(bytes).buffer, 0, bytes.length >> 2)
}
