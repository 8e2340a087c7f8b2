import { expect, test } from 'vitest'
import { randomStream } from '../../src/math/random.js'
import { meshVolume } from '../../src/mesh/triangle-mesh.js'
import { firstAtSamePlace, weldMesh } from '../../src/mesh/weld.js'
import { ball, unwelded } from '../exact/shapes.js'

test('a soup becomes the mesh it came from: as many vertices, the same volume', () => {
  const mesh = ball(10, 16, (x) => 1 + 0.1 * x)
  const { mesh: welded, vertexMap } = weldMesh(unwelded(mesh))
  expect(welded.positions.length).toBe(mesh.positions.length)
  expect(meshVolume(welded)).toBeCloseTo(meshVolume(mesh), 14)
  expect(vertexMap.length).toBe(mesh.triangles.length)
})

test('minus zero is zero, and the last bit keeps vertices apart', () => {
  expect(Array.from(firstAtSamePlace(Float64Array.of(0, 1, 0, -0, 1, -0, 2 ** -1074, 1, 0)))).toEqual([0, 0, 2])
})

test('single precision positions stay single precision', () => {
  const { mesh } = weldMesh({
    positions: Float32Array.of(1, 2, 3, 1, 2, 3, 4, 5, 6),
    triangles: Uint32Array.of(0, 1, 2),
  })
  expect(mesh.positions).toEqual(Float32Array.of(1, 2, 3, 4, 5, 6))
  expect(mesh.triangles).toEqual(Uint32Array.of(0, 0, 1))
})

test('equal places among 20,000 vertices on a coarse grid, against a map of strings (seed 4)', () => {
  const random = randomStream(4)
  const positions = Float64Array.from({ length: 60_000 }, () => random.below(20) / 8 - 1)
  const first = new Map<string, number>()
  const expected = Array.from({ length: 20_000 }, (_, v) => {
    const key = positions.subarray(3 * v, 3 * v + 3).join()
    if (!first.has(key)) first.set(key, v)
    return first.get(key)
  })
  expect(Array.from(firstAtSamePlace(positions))).toEqual(expected)
})
