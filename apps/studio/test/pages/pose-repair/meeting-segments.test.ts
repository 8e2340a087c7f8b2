import { expect, it } from 'vitest'
import { meetingSegments } from '../../../src/pages/pose-repair/meeting-segments.js'

/** A triangle in the plane z = 0, and others beside it. */
const FLAT = [0, 0, 0, 4, 0, 0, 0, 4, 0]
const TRIANGLES = Uint32Array.of(0, 1, 2, 3, 4, 5)

const ends = (other: readonly number[]): number[][] => {
  const segments = meetingSegments([...FLAT, ...other], TRIANGLES, [0, 1])
  const points: number[][] = []
  for (let i = 0; i < segments.length; i += 3) points.push([...segments.subarray(i, i + 3)])
  return points.sort((p, q) => p[0] - q[0])
}

it('a triangle that stands in another: the line on which it stands, cut where either ends', () => {
  // Upright at y = 1, from x = -1 to 1 on the plane; the flat one begins at x = 0.
  expect(ends([-2, 1, -1, 2, 1, -1, 0, 1, 1])).toEqual([
    [0, 1, 0],
    [1, 1, 0],
  ])
  // Wholly within: the line is the upright one's.
  expect(ends([0.5, 1, -1, 1.5, 1, -1, 1, 1, 1])).toEqual([
    [0.75, 1, 0],
    [1.25, 1, 0],
  ])
})

it('a corner that stands on another triangle is a point', () => {
  expect(ends([1, 1, 0, 1, 1, 2, 2, 1, 2])).toEqual([
    [1, 1, 0],
    [1, 1, 0],
  ])
})

it('none where planes cross beside the triangles, or are one', () => {
  expect(ends([-3, 1, -1, -2, 1, -1, -2, 1, 1])).toEqual([])
  expect(ends([1, 1, 0, 2, 1, 0, 1, 2, 0])).toEqual([])
})
