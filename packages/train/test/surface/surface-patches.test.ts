import type { TriangleMesh } from 'pliant'
import { expect, test } from 'vitest'
import { bar, together } from '../../../pliant/test/model/acap/shapes.js'
import { patchesOfTriangles, surfacePatches } from '../../src/surface/surface-patches.js'
import { SurfaceWays } from '../../src/surface/surface-ways.js'

const mesh = bar(20, 2)

function away({ positions, triangles }: TriangleMesh, x: number): TriangleMesh {
  return { positions: positions.map((value, i) => (i % 3 === 0 ? value + x : value)), triangles }
}

const sizesOf = (of: Uint16Array, count: number): number[] => {
  const sizes = new Array<number>(count).fill(0)
  for (const patch of of) sizes[patch]++
  return sizes
}

test('ways are those along edges: of a bar from end to end, its length; of another piece, none', () => {
  const ways = new SurfaceWays(together(mesh, away(mesh, 5)))
  const count = mesh.positions.length / 3
  const out = new Float64Array(2 * count)
  const corner = [...Array(count).keys()].findIndex((v) =>
    [-1, -0.1, -0.1].every((at, axis) => Math.abs(mesh.positions[3 * v + axis] - at) < 1e-9),
  )
  ways.distancesFrom(corner, out)
  for (let v = 0; v < count; v++) {
    const straight = Math.hypot(...[0, 1, 2].map((k) => mesh.positions[3 * v + k] - mesh.positions[3 * corner + k]))
    expect(out[v]).toBeGreaterThanOrEqual(straight - 1e-9)
    // Along x an edge leads from cell to cell.
    const isBeside = [1, 2].every((k) => Math.abs(mesh.positions[3 * v + k] - mesh.positions[3 * corner + k]) < 1e-9)
    if (isBeside) expect(out[v]).toBeCloseTo(straight, 9)
  }
  expect(out.subarray(count).every((way) => way === Number.POSITIVE_INFINITY)).toBe(true)
  expect(mesh.positions[3 * ways.farthestFrom(corner)]).toBeCloseTo(1, 9)
})

test('cover the surface in pieces of about the same size, each of them connected', () => {
  const { count, ofVertex, ofTriangle } = surfacePatches(mesh, 6)
  expect(count).toBe(6)
  expect(ofVertex).toHaveLength(mesh.positions.length / 3)
  expect(ofTriangle).toHaveLength(mesh.triangles.length / 3)
  const sizes = sizesOf(ofVertex, 6)
  expect(Math.min(...sizes)).toBeGreaterThan(0.3 * Math.max(...sizes))
  expect(Math.min(...sizesOf(ofTriangle, 6))).toBeGreaterThan(0)
  for (let triangle = 0; triangle < ofTriangle.length; triangle++) {
    const corners = [...mesh.triangles.subarray(3 * triangle, 3 * triangle + 3)].map((vertex) => ofVertex[vertex])
    const most = corners.find((patch, i) => corners.indexOf(patch) !== i) ?? corners[0]
    expect(ofTriangle[triangle]).toBe(most)
  }
  for (let patch = 0; patch < 6; patch++) {
    const own = [...mesh.triangles.keys()].filter((i) => i % 3 === 0 && ofTriangle[i / 3] === patch)
    const corners = Uint32Array.from(own.flatMap((i) => [...mesh.triangles.subarray(i, i + 3)]))
    const ways = new Float64Array(ofVertex.length)
    new SurfaceWays({ positions: mesh.positions, triangles: corners }).distancesFrom(corners[0], ways)
    expect([...corners].every((vertex) => ways[vertex] < Number.POSITIVE_INFINITY)).toBe(true)
  }
})

test('are no more than there are vertices, and one is all of them', () => {
  const cube = bar(1, 1)
  const all = surfacePatches(cube, 100)
  expect(all.count).toBe(8)
  expect([...all.ofVertex].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  const one = surfacePatches(cube, 1)
  expect(one.count).toBe(1)
  expect(new Set([...one.ofVertex, ...one.ofTriangle])).toEqual(new Set([0]))
})

test('pieces come first; those that no centre is left for go with what they are next to', () => {
  const cube = bar(1, 1)
  const pieces = [0, 10, 20, 20.5].map((x) => away(cube, x)).reduce(together)
  const ofPiece = (of: Uint16Array): number[][] =>
    [0, 1, 2, 3].map((piece) => [...new Set(of.subarray(8 * piece, 8 * piece + 8))])
  const enough = surfacePatches(pieces, 4)
  expect(new Set(ofPiece(enough.ofVertex).flat()).size).toBe(4)
  expect(ofPiece(enough.ofVertex).every((own) => own.length === 1)).toBe(true)
  const { count, ofVertex } = surfacePatches(pieces, 3)
  const [first, second, third, last] = ofPiece(ofVertex)
  expect(count).toBe(3)
  expect(new Set([...first, ...second, ...third]).size).toBe(3)
  expect(last).toEqual(third)
})

test('of triangles alone have their vertices with them', () => {
  const { ofTriangle, count } = surfacePatches(mesh, 6)
  const { ofVertex, ...same } = patchesOfTriangles(mesh, ofTriangle, count)
  expect(same).toEqual({ ofTriangle, count })
  ofVertex.forEach((patch, vertex) => {
    expect(patch).toBe(ofTriangle[Math.floor(mesh.triangles.indexOf(vertex) / 3)])
  })
})
