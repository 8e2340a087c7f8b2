import type { TriangleMesh } from 'pliant'
import { edgeTable, isClosed, meshVolume, requireValidMesh } from 'pliant/unstable'
import { expect, test } from 'vitest'
import { bar, sheet } from '../../../pliant/test/model/acap/shapes.js'
import { decimateShapes, takeVertices } from '../../src/modes/decimate-shapes.js'

test('a bar with fewer vertices is closed, and as large', () => {
  const mesh = bar(16, 4)
  const { vertices, triangles } = decimateShapes(mesh, 80)
  const left = { positions: Float64Array.from(takeVertices(mesh.positions, vertices)), triangles }
  expect(vertices.length).toBe(80)
  requireValidMesh(left, 'test')
  expect(isClosed(edgeTable(triangles, vertices.length))).toBe(true)
  expect(meshVolume(left) / meshVolume(mesh)).toBeCloseTo(1, 3)
})

test('a sheet keeps its border', () => {
  const mesh = sheet(10)
  const { vertices, triangles } = decimateShapes(mesh, 40)
  const positions = takeVertices(mesh.positions, vertices)
  expect(vertices.length).toBe(40)
  let area = 0
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [...triangles.subarray(t, t + 3)].map((v) => positions.subarray(3 * v, 3 * v + 2))
    const twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    expect(twice).toBeGreaterThan(0)
    area += twice / 2
  }
  expect(area).toBeCloseTo(1, 5)
})

test('however few are asked for, every edge keeps its two triangles', () => {
  const { vertices, triangles } = decimateShapes(holed(), 4)
  const { forward, backward } = edgeTable(triangles, vertices.length)
  expect(vertices.length).toBeGreaterThan(6)
  expect([...forward, ...backward].every((count) => count === 1)).toBe(true)
})

/** A ring with a square cross section: around its hole three vertices share no triangle. */
function holed(): TriangleMesh {
  const [around, across] = [8, 4]
  const positions = Float64Array.from({ length: 3 * around * across }, (_, i) => {
    const v = Math.trunc(i / 3)
    const [a, b] = [(2 * Math.PI * Math.trunc(v / across)) / around, (2 * Math.PI * (v % across)) / across]
    const radius = 1 + 0.3 * Math.cos(b)
    return [radius * Math.cos(a), radius * Math.sin(a), 0.3 * Math.sin(b)][i % 3]
  })
  const at = (a: number, b: number): number => (a % around) * across + (b % across)
  const triangles = Array.from({ length: around * across }, (_, cell) => {
    const [a, b] = [Math.trunc(cell / across), cell % across]
    return [at(a, b), at(a + 1, b), at(a + 1, b + 1), at(a, b), at(a + 1, b + 1), at(a, b + 1)]
  })
  return { positions, triangles: Uint32Array.from(triangles.flat()) }
}
