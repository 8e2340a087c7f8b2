/** Points on edges shared by sheets that face opposite ways, or of collapsed triangles, had a normal of length zero. */
import { describe, expect, it } from 'vitest'
import { ExactMeshField } from '../../src/exact/mesh-distance.js'

/** Normal at one point. */
function normalAt(positions: number[], triangles: number[], point: number[]): Float64Array {
  const field = new ExactMeshField({
    positions: Float64Array.from(positions),
    triangles: Uint32Array.from(triangles),
  })
  const normals = new Float64Array(3)
  field.closest(Float64Array.from(point), 1, { distances: new Float64Array(1), normals })
  return normals
}

describe('a normal on the surface has length one', () => {
  const triangle = [0, 0, 0, 1, 0, 0, 0, 1, 0]

  it.each([
    ['inside a face', [0.25, 0.25, 0]],
    ['on an edge', [0.5, 0, 0]],
    ['at a corner', [0, 1, 0]],
  ])('of a triangle and its reverse, %s', (_, point) => {
    const normal = normalAt(triangle, [0, 1, 2, 0, 2, 1], point)
    expect([Math.abs(normal[0]), Math.abs(normal[1]), Math.abs(normal[2])]).toEqual([0, 0, 1])
  })

  it('on a collapsed triangle whose corners belong to others', () => {
    const normal = normalAt([...triangle, 5, 0, 0, 6, 0, 0, 5, 1, 0], [0, 1, 2, 3, 4, 5, 1, 1, 3], [3, 0, 0])
    expect([...normal]).toEqual([0, 0, 1])
  })
})
