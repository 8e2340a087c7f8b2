import { expect, it } from 'vitest'
import { readAnime } from '../../src/files/anime.js'
import { FileError } from '../../src/files/file-error.js'

/** Two frames of a triangle; the second is the first moved along x. */
function sample(change: { corner?: number; place?: number } = {}): Uint8Array {
  const counts = Int32Array.of(2, 3, 1)
  const first = Float32Array.of(0, 0, 0, 1, 0, 0, 0, change.place ?? 1, 0)
  const corners = Int32Array.of(0, 1, change.corner ?? 2)
  const differences = Float32Array.of(5, 0, 0, 5, 0, 0, 5, 0, 0)
  return Uint8Array.from([counts, first, corners, differences].flatMap(({ buffer }) => [...new Uint8Array(buffer)]))
}

it('reads frames as places, not as differences', () => {
  const { triangles, frames } = readAnime(sample())
  expect([...triangles]).toEqual([0, 1, 2])
  expect(frames.map((frame) => [...frame])).toEqual([
    [0, 0, 0, 1, 0, 0, 0, 1, 0],
    [5, 0, 0, 6, 0, 0, 5, 1, 0],
  ])
})

it('refuses what is cut short, empty, or names what is not there', () => {
  expect(() => readAnime(sample().subarray(0, 90))).toThrow(/21 values declared but 78 bytes follow/)
  expect(() => readAnime(new Uint8Array(12))).toThrow(/0 frames/)
  expect(() => readAnime(sample({ corner: 3 }))).toThrow(/vertex 3 of 3/)
  expect(() => readAnime(sample({ corner: -1 }))).toThrow(/vertex -1 of 3/)
  expect(() => readAnime(sample({ place: Number.NaN }))).toThrow(FileError)
})
