import { describe, expect, it } from 'vitest'
import { dividePatches } from '../../../src/detect/patches.js'
import { ScalarNearest } from '../../../src/detect/scalar-nearest.js'
import { CHUNK, UNTOLD } from '../../../src/detect/wasm/nearest-layout.js'
import { SimdNearest } from '../../../src/detect/wasm/simd-nearest.js'
import { closestOnTriangle } from '../../../src/exact/point-triangle.js'
import { randomStream } from '../../../src/math/random.js'
import { checkAddresses } from '../../../src/math/wasm/address-check.js'
import { createTriangleMesh } from '../../../src/mesh/triangle-mesh.js'
import { bumpyTorus } from '../../exact/shapes.js'

describe('the kernels of the nearest triangle', () => {
  it('stay within their own memory, however the surface is divided, and find what their twin finds', () => {
    const mesh = bumpyTorus(12, 9)
    for (const [patchSize, patchesPerGroup] of [
      [24, 16],
      [1, 1],
      [2, 40],
      [200, 3],
    ]) {
      const random = randomStream(31)
      const patches = dividePatches(mesh, patchSize, patchesPerGroup)
      const simd = new SimdNearest(mesh, patches, checkAddresses)
      const scalar = new ScalarNearest(mesh, patches)
      expect(simd.follow(mesh.positions) && scalar.follow(mesh.positions)).toBe(true)
      const asked = Array.from({ length: CHUNK }, (_, i) => {
        const [x, y, z] = [random.between(-2, 2), random.between(-2, 2), random.between(-1, 1)]
        return { x, y, z, reach: [Number.NaN, 0, 0.3, Infinity][i % 4], triangle: i % 3 === 0 ? i : UNTOLD }
      })
      for (const [slot, { x, y, z, reach, triangle }] of asked.entries()) simd.put(slot, x, y, z, reach, triangle)
      simd.find(CHUNK)
      for (const [slot, { x, y, z }] of asked.entries()) {
        scalar.find(x, y, z, Number.NaN, UNTOLD)
        expect([simd.triangle(slot), simd.squared(slot)]).toEqual([scalar.triangle, scalar.squared])
      }
    }
  })

  it('work out squared distances to the last bit, in every region of a triangle', () => {
    const random = randomStream(32)
    const closest = new Float64Array(4)
    const features = new Set<number>()
    for (let round = 0; round < 200; round++) {
      const corners = Float64Array.from({ length: 9 }, () => random.between(-1, 1))
      // Some thin, some with a corner at which the angle is blunt.
      if (round % 3 === 1)
        for (let axis = 0; axis < 3; axis++) corners[6 + axis] = corners[axis] + 1e-3 * corners[6 + axis]
      const mesh = { positions: corners, triangles: Uint32Array.of(0, 1, 2) }
      const simd = new SimdNearest(mesh, dividePatches(mesh, 1, 1))
      simd.follow(mesh.positions)
      const points = Array.from({ length: 20 }, () => [0, 1, 2].map(() => random.between(-2, 2)))
      for (let corner = 0; corner < 3; corner++) points.push([...mesh.positions.subarray(3 * corner, 3 * corner + 3)])
      for (const [slot, [x, y, z]] of points.entries()) simd.put(slot, x, y, z, Number.NaN, UNTOLD)
      simd.find(points.length)
      for (const [slot, [x, y, z]] of points.entries()) {
        const squared = closestOnTriangle(mesh.positions, 0, x, y, z, closest)
        features.add(closest[3])
        expect(simd.squared(slot)).toBe(squared)
      }
    }
    expect([...features].sort()).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  it('tell nothing of a needle, nor of a point a thousand sizes away', () => {
    const needle = createTriangleMesh([0, 0, 0, 1, 0, 0, 0.5, 1e-7, 0], [0, 1, 2])
    const simd = new SimdNearest(needle, dividePatches(needle, 1, 1), checkAddresses)
    simd.follow(needle.positions)
    for (const [slot, x] of [0.2, 1e4, 1e36].entries()) simd.put(slot, x, 0.1, 0, Number.NaN, UNTOLD)
    simd.find(3)
    expect([0, 1, 2].map((slot) => simd.triangle(slot))).toEqual([UNTOLD, UNTOLD, UNTOLD])
  })
})
