import { expect, it } from 'vitest'
import { fieldSphere } from '../../src/field/analytic.js'
import { VoxelField } from '../../src/field/voxel.js'
import { conformField } from './conformance.js'

const grid = { lower: [-1, -1, -1], upper: [1, 1, 1] } as const
const sphere = fieldSphere([0.1, 0, 0], 0.6)

conformField({
  name: 'a voxel grid, inside and around its box',
  make: () => VoxelField.sample(sphere, grid, { resolution: 24 }),
  box: { lower: [-1.3, -1.3, -1.3], upper: [1.3, 1.3, 1.3] },
  inside: [[0.1, 0, 0]],
  outside: [
    [0.9, 0, 0],
    [2, 0, 0],
  ],
  gradientTolerance: 1e-3,
  // A step across a face between cells sees two slopes.
  kinks: 0.01,
  bounded: true,
})

it('interpolates linear functions exactly, also in boxes that are not cubes', () => {
  const box = { lower: [-1, 0, 2], upper: [2, 1, 2.5] } as const
  const plane = {
    query: (p: ArrayLike<number>, n: number, out: Float32Array | Float64Array) => {
      for (let i = 0; i < n; i++) out[i] = 2 * p[3 * i] - p[3 * i + 1] + 3 * p[3 * i + 2]
    },
  } as never
  const field = VoxelField.sample(plane, box, { resolution: 9 })
  const points = Float64Array.of(0.123, 0.456, 2.321, -1, 0, 2, 2, 1, 2.5)
  const out = new Float64Array(3)
  const gradients = new Float64Array(9)
  field.query(points, 3, out, gradients)
  for (let i = 0; i < 3; i++) {
    expect(out[i]).toBeCloseTo(2 * points[3 * i] - points[3 * i + 1] + 3 * points[3 * i + 2], 5)
    expect(gradients[3 * i]).toBeCloseTo(2, 4)
    expect(gradients[3 * i + 1]).toBeCloseTo(-1, 4)
    expect(gradients[3 * i + 2]).toBeCloseTo(3, 4)
  }
})

it('approaches the field it samples with the square of the spacing', () => {
  const points = Float64Array.of(0.5, 0.31, 0.12, -0.2, 0.44, 0.3, 0.3, -0.5, 0.21)
  const exact = new Float64Array(3)
  sphere.query(points, 3, exact)
  const errorAt = (resolution: number): number => {
    const out = new Float64Array(3)
    VoxelField.sample(sphere, grid, { resolution }).query(points, 3, out)
    return Math.max(...out.map((value, i) => Math.abs(value - exact[i])))
  }
  expect(errorAt(65)).toBeLessThan(errorAt(17) / 4)
})

it('refuses a grid whose values do not fit its size', () => {
  expect(() => new VoxelField(grid, [2, 2, 3], new Float32Array(8))).toThrow('8 values for 2 x 2 x 3 nodes')
})
