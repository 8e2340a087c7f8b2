/** An image whose outline is closed polygons, none of which meets another: inside is where an odd number of them is around. */
import type { BinaryImage } from './binary-image.js'
import { SegmentTree } from './segment-tree.js'

export type Point = readonly [x: number, y: number]

/** @param outlines  corners in order, the last joined to the first; of a smooth shape as many as make it look smooth */
export function outlineImage(name: string, outlines: readonly (readonly Point[])[]): BinaryImage {
  const segments = Float64Array.from(
    outlines.flatMap((corners) => corners.flatMap(([x, y], i) => [x, y, ...corners[(i + 1) % corners.length]])),
  )
  const tree = new SegmentTree(segments)
  const isFree = (x: number, y: number): boolean => !isInside(segments, x, y)
  return { name, pixel: 0, isFree, distance: (x, y) => (isFree(x, y) ? 1 : -1) * tree.distance(x, y) }
}

/** Whether a ray to the right leaves an odd number of times. */
function isInside(segments: Float64Array, x: number, y: number): boolean {
  let odd = false
  for (let o = 0; o < segments.length; o += 4) {
    const [ay, by] = [segments[o + 1], segments[o + 3]]
    if (ay > y === by > y) continue
    const crossing = segments[o] + ((y - ay) / (by - ay)) * (segments[o + 2] - segments[o])
    if (crossing > x) odd = !odd
  }
  return odd
}
