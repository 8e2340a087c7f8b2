import { expect, test } from 'vitest'
import { randomStream } from '../../src/math/random.js'
import { sampleSurface, spreadTriangles } from '../../src/mesh/surface-sampling.js'
import { createTriangleMesh, meshVolume } from '../../src/mesh/triangle-mesh.js'
import { box, moved } from '../exact/shapes.js'

test('faces of a 1 x 2 x 3 box get samples in proportion to area, evenly inside (seed 5)', () => {
  const mesh = box([0, 0, 0], [1, 2, 3])
  const count = 44_000
  const out = {
    points: new Float64Array(3 * count),
    normals: new Float64Array(3 * count),
    triangleIds: new Uint32Array(count),
  }
  sampleSurface(mesh, count, randomStream(5), out)
  const perFace = new Float64Array(6)
  let sum = 0
  for (let i = 0; i < count; i++) {
    perFace[Math.trunc(out.triangleIds[i] / 2)]++
    const [x, y, z] = out.points.subarray(3 * i, 3 * i + 3)
    // Each sample lies on the face that its normal names.
    const [nx, ny, nz] = out.normals.subarray(3 * i, 3 * i + 3)
    expect(nx * (x - 0.5) + ny * (y - 1) + nz * (z - 1.5)).toBeCloseTo(
      Math.abs(nx) * 0.5 + Math.abs(ny) + Math.abs(nz) * 1.5,
    )
    sum += y
  }
  const areas = [2, 2, 3, 3, 6, 6]
  perFace.forEach((n, face) => {
    expect(Math.abs(n / 2000 - areas[face])).toBeLessThan(0.15)
  })
  expect(sum / count).toBeCloseTo(1, 1)
})

test('a seed gives the same samples again, and triangles without area get none (seed 6)', () => {
  const mesh = createTriangleMesh([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 0, 1, 0, 1, 2, 2, 2, 2])
  const draw = () => {
    const out = { points: new Float64Array(300), triangleIds: new Uint32Array(100) }
    sampleSurface(mesh, 100, randomStream(6), out)
    return out
  }
  expect(draw()).toEqual(draw())
  expect(draw().triangleIds.every((t) => t === 1)).toBe(true)
})

test('a surface without area is refused', () => {
  const flat = createTriangleMesh([0, 0, 0, 1, 0, 0, 2, 0, 0], [0, 1, 2])
  expect(() => sampleSurface(flat, 1, randomStream(0), { points: new Float64Array(3) })).toThrow(/area 0/)
})

test('volume is that of the box, wherever it is', () => {
  expect(meshVolume(box([0, 0, 0], [1, 2, 3]))).toBeCloseTo(6, 12)
  expect(meshVolume(moved(box([0, 0, 0], [1, 2, 3]), [1e6, 1e6, 1e6]))).toBeCloseTo(6, 9)
})

test('triangles at even steps of area stand for the middle of their step, not for its beginning', () => {
  // Areas 1, 2 and 5 in a row.
  const positions = Float64Array.of(0, 0, 0, 0, 2, 0, 1, 0, 0, 3, 0, 0, 8, 0, 0)
  const mesh = createTriangleMesh(positions, Uint32Array.of(0, 2, 1, 2, 3, 1, 3, 4, 1))
  const shares = (count: number): number[] => {
    const corners = spreadTriangles(mesh, count)
    return [0, 2, 3].map((first) => corners.filter((v, i) => i % 3 === 0 && v === first).length)
  }
  expect(shares(1)).toEqual([0, 0, 1])
  expect(shares(4)).toEqual([0, 1, 3])
  expect(shares(800)).toEqual([100, 200, 500])
})
