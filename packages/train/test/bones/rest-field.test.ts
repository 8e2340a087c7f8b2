import { expect, it } from 'vitest'
import { restFieldOf } from '../../src/learn/frames/rest-field.js'
import { box } from '../surface/skinned-parts.js'

it('is as deep as the deepest of overlapping pieces, and exact outside', () => {
  // A cube of side 2 about the origin, and a rod that ends in its middle.
  const cube = box([-1, -1, -1], [1, 1, 1])
  const rod = box([0, -0.1, -0.1], [3, 0.1, 0.1])
  const field = restFieldOf({
    positions: Float64Array.from([...cube.positions, ...rod.positions]),
    triangles: Uint32Array.from([...cube.triangles, ...rod.triangles.map((v) => v + 8)]),
  })
  const points = [
    [-0.01, 0, 0], // beside the rod's hidden end
    [0.5, 0, 0], // in both
    [2, 0.3, 0], // outside both
    [2, 0, 0], // in the rod alone
  ]
  const out = new Float64Array(points.length)
  field.query(Float64Array.from(points.flat()), points.length, out)
  const expected = [-0.99, -0.5, 0.2, -0.1]
  expected.forEach((distance, i) => {
    expect(out[i]).toBeCloseTo(distance, 9)
  })
})
