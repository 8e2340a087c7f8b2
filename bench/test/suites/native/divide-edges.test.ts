import { edgeTable, isClosed } from 'pliant/unstable'
import { expect, it } from 'vitest'
import { divideEdges } from '../../../src/suites/native/divide-edges.js'

it('a tetrahedron becomes 16 triangles that share the middles of its six edges and face as they did', () => {
  const positions = Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1])
  const triangles = Uint32Array.from([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])
  const divided = divideEdges({ positions, triangles })
  expect(divided.triangles.length / 3).toBe(16)
  const edges = Array.from({ length: 6 }, (_, i) => [...divided.midpoints.subarray(2 * i, 2 * i + 2)].sort().join(''))
  expect(edges.sort()).toEqual(['01', '02', '03', '12', '13', '23'])
  const vertices = Uint32Array.from({ length: 10 }, (_, v) => v)
  expect(isClosed(edgeTable(divided.triangles, 10, vertices))).toBe(true)
  // The first triangle lies in the plane z = 0 and faces down; so do its four.
  const corner = (v: number): number[] =>
    v < 4
      ? [...positions.subarray(3 * v, 3 * v + 3)]
      : [0, 1, 2].map((axis) => {
          const [a, b] = divided.midpoints.subarray(2 * (v - 4), 2 * (v - 4) + 2)
          return (positions[3 * a + axis] + positions[3 * b + axis]) / 2
        })
  for (let i = 0; i < 12; i += 3) {
    const [[ax, ay], [bx, by], [cx, cy]] = [...divided.triangles.subarray(i, i + 3)].map(corner)
    expect((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)).toBeCloseTo(-1 / 4)
  }
})
