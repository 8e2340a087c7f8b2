import { describe, expect, it } from 'vitest'
import { fieldCapsule } from '../../src/field/analytic.js'
import { BoneGridsField } from '../../src/field/bone-grids.js'
import { randomStream } from '../../src/math/random.js'
import { conformField } from './conformance.js'
import { ARM_BONES, ARM_RADIUS, armMatrices, armRest, armRestField } from './two-bones.js'

const bent = armMatrices(1)

for (const softness of [0, 0.05]) {
  conformField({
    name: softness === 0 ? 'the hard minimum of grids on a bent arm' : 'the soft minimum of grids on a bent arm',
    make: () => {
      const field = BoneGridsField.sample(ARM_BONES, armRestField, armRest, { softness, resolution: 20 })
      field.update({ matrices: bent })
      return field
    },
    box: { lower: [-0.5, -0.6, -0.6], upper: [2, 1.5, 0.6] },
    inside: [
      [0.5, 0, 0],
      [1.3, 0.45, 0],
    ],
    outside: [
      [2, 0, 0],
      [0.5, 0.6, 0],
      [4, 4, 4],
    ],
    gradientTolerance: 1e-3,
    // Cell faces, the sides of boxes, and where another bone becomes the nearest.
    kinks: 0.02,
  })
}

describe('grids on bones', () => {
  const random = randomStream(3, 1)
  const points = Float64Array.from({ length: 900 }, (_, i) => random.between(-0.3, i % 3 === 0 ? 2.3 : 0.3))

  it('show the body at rest as it was sampled (seed 3)', () => {
    const exact = new Float64Array(300)
    armRestField.query(points, 300, exact)
    for (const softness of [0, 0.02]) {
      const field = BoneGridsField.sample(ARM_BONES, armRestField, armRest, { softness, resolution: 40 })
      const found = new Float64Array(300)
      field.query(points, 300, found)
      for (let i = 0; i < 300; i++) if (exact[i] > -0.1) expect(Math.abs(found[i] - exact[i])).toBeLessThan(0.01)
    }
  })

  it('go with a body that is moved, turned and scaled as one: distances scale, gradients turn (seed 3)', () => {
    const field = BoneGridsField.sample(ARM_BONES, armRestField, armRest)
    const atRest = new Float64Array(300)
    const slopesAtRest = new Float64Array(900)
    field.query(points, 300, atRest, slopesAtRest)
    field.update({ matrices: armMatrices(0, 2, 0.7, [1, -2, 3]) })
    const [c, s] = [Math.cos(0.7), Math.sin(0.7)]
    const moved = points.slice()
    for (let i = 0; i < 300; i++) {
      const [x, y, z] = points.subarray(3 * i, 3 * i + 3)
      moved.set([2 * (c * x - s * y) + 1, 2 * (s * x + c * y) - 2, 2 * z + 3], 3 * i)
    }
    const distances = new Float64Array(300)
    const slopes = new Float64Array(900)
    field.query(moved, 300, distances, slopes)
    for (let i = 0; i < 300; i++) {
      expect(distances[i]).toBeCloseTo(2 * atRest[i], 9)
      const [x, y, z] = slopesAtRest.subarray(3 * i, 3 * i + 3)
      expect(slopes[3 * i]).toBeCloseTo(c * x - s * y, 9)
      expect(slopes[3 * i + 1]).toBeCloseTo(s * x + c * y, 9)
      expect(slopes[3 * i + 2]).toBeCloseTo(z, 9)
    }
  })

  it('show each part where its bone has carried it', () => {
    const field = BoneGridsField.sample(ARM_BONES, armRestField, armRest, { resolution: 48 })
    field.update({ matrices: bent })
    const forearm = fieldCapsule([1, 0, 0], [1 + Math.cos(1), Math.sin(1), 0], ARM_RADIUS)
    const probes = Float64Array.from([0, 0.1, 0.2, 0.3].flatMap((d) => [1 + 0.7 * Math.cos(1), 0.7 * Math.sin(1), d]))
    const [found, exact] = [new Float64Array(4), new Float64Array(4)]
    field.query(probes, 4, found)
    forearm.query(probes, 4, exact)
    // On the segment itself the distance has a kink that the grid rounds off.
    for (let i = 1; i < 4; i++) expect(Math.abs(found[i] - exact[i])).toBeLessThan(0.01)
  })

  it('skips no grid that would have won: all bones asked and only the nearest agree near the surface (seed 3)', () => {
    const one = BoneGridsField.sample(ARM_BONES, armRestField, armRest, { nearest: 1 })
    const all = BoneGridsField.sample(ARM_BONES, armRestField, armRest, { nearest: 9 })
    const [a, b] = [new Float64Array(300), new Float64Array(300)]
    one.update({ matrices: bent })
    all.update({ matrices: bent })
    one.query(points, 300, a)
    all.query(points, 300, b)
    for (let i = 0; i < 300; i++) expect(b[i]).toBeLessThanOrEqual(a[i])
  })

  it('answers NaN where a coordinate is NaN, not that all is clear', () => {
    const field = BoneGridsField.sample(ARM_BONES, armRestField, armRest, { resolution: 4 })
    const out = new Float64Array(1)
    field.query(Float64Array.of(0, Number.NaN, 0), 1, out)
    expect(out[0]).toBeNaN()
  })

  it('refuses grids that do not fit, bones without a joint, and no bones', () => {
    expect(() => new BoneGridsField(ARM_BONES, 3, new Float32Array(27))).toThrow('27 values for 2 grids')
    expect(() => new BoneGridsField([], 3, new Float32Array(0))).toThrow('there are no bones')
    const field = BoneGridsField.sample(ARM_BONES, armRestField, armRest, { resolution: 4 })
    expect(() => field.update({ matrices: new Float64Array(16) })).toThrow('joint 1 of 1')
  })
})
