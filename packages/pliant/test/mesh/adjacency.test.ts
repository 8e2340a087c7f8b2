import { expect, test } from 'vitest'
import { connectedPieces, edgeTable, isClosed, trianglesAtVertices } from '../../src/mesh/adjacency.js'
import { firstAtSamePlace } from '../../src/mesh/weld.js'
import { ball, box, bumpyTorus, joined, unwelded } from '../exact/shapes.js'

test('edges satisfy the formula of Euler: sphere 2, torus 0', () => {
  const sphere = ball(9, 14, () => 1)
  const torus = bumpyTorus(20, 12)
  for (const [mesh, characteristic] of [
    [sphere, 2],
    [torus, 0],
  ] as const) {
    const vertices = mesh.positions.length / 3
    const edges = edgeTable(mesh.triangles, vertices)
    expect(vertices - edges.edgeCount + mesh.triangles.length / 3).toBe(characteristic)
    expect(isClosed(edges)).toBe(true)
    expect(edges.forward.every((n) => n === 1) && edges.backward.every((n) => n === 1)).toBe(true)
  }
})

test('each corner names the edge to the next corner', () => {
  const { triangles, positions } = box([0, 0, 0], [1, 1, 1])
  const edges = edgeTable(triangles, positions.length / 3)
  triangles.forEach((from, corner) => {
    const to = triangles[corner % 3 === 2 ? corner - 2 : corner + 1]
    const edge = edges.edgeOfCorner[corner]
    expect(Array.from(edges.vertices.subarray(2 * edge, 2 * edge + 2))).toEqual([
      Math.min(from, to),
      Math.max(from, to),
    ])
  })
})

test('a missing triangle opens the surface, equal positions close it when joined', () => {
  const cube = box([0, 0, 0], [1, 1, 1])
  expect(isClosed(edgeTable(cube.triangles.slice(3), 8))).toBe(false)
  const soup = unwelded(cube)
  expect(isClosed(edgeTable(soup.triangles, 36))).toBe(false)
  expect(isClosed(edgeTable(soup.triangles, 36, firstAtSamePlace(soup.positions)))).toBe(true)
})

test('two boxes along one edge make four triangles there, and are closed', () => {
  const pair = joined(box([0, 0, 0], [1, 1, 1]), box([1, 1, 0], [2, 2, 1]))
  const edges = edgeTable(pair.triangles, 16, firstAtSamePlace(pair.positions))
  expect(Math.max(...edges.forward)).toBe(2)
  expect(isClosed(edges)).toBe(true)
})

test('pieces are told apart and numbered in order', () => {
  const three = joined(box([0, 0, 0], [1, 1, 1]), box([2, 0, 0], [3, 1, 1]), box([4, 0, 0], [5, 1, 1]))
  const { pieceCount, pieceOfTriangle } = connectedPieces(three.triangles, 24)
  expect(pieceCount).toBe(3)
  expect(Array.from(pieceOfTriangle)).toEqual([0, 1, 2].flatMap((piece) => Array(12).fill(piece)))
})

test('a vertex number beyond the last is refused', () => {
  expect(() => edgeTable(Uint32Array.of(0, 1, 5), 3)).toThrow(/triangle 0 names a vertex beyond 2/)
})

test('triangles at a vertex are those with a corner there, or at its place', () => {
  const soup = unwelded(box([0, 0, 0], [1, 1, 1]))
  const weld = firstAtSamePlace(soup.positions)
  const { starts, triangles } = trianglesAtVertices(soup.triangles, weld)
  for (let v = 0; v < weld.length; v++) {
    const expected = Array.from({ length: 12 }, (_, t) => t).filter((t) =>
      [0, 1, 2].some((k) => weld[soup.triangles[3 * t + k]] === v),
    )
    expect(Array.from(triangles.subarray(starts[v], starts[v + 1]))).toEqual(expected)
  }
  expect(starts[weld.length]).toBe(36)
})
