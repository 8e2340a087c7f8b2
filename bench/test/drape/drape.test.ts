import type { SignedField } from 'pliant'
import { Cloth, clothGrid } from 'pliant/sim'
import { describe, expect, it } from 'vitest'
import { betterOf, type DrapeFigures } from '../../src/drape/drape.js'
import { DrapeEnergy } from '../../src/drape/energy.js'
import { DrapeJudge } from '../../src/drape/judge.js'

/** Everything below y = 0 is body. */
const ground = {
  query(points: Float64Array, count: number, out: Float64Array): void {
    for (let i = 0; i < count; i++) out[i] = points[3 * i + 1]
  },
} as SignedField
/** A triangle whose corners are this deep, in % of the height of 2 m. */
const triangleAt = (...depths: number[]): Float64Array =>
  Float64Array.from(depths.flatMap((depth, i) => [i, (-2 * depth) / 100, 0]))

describe('depth of a cloth', () => {
  it('counts vertices deeper than one percent, how long in a row, and those inside at all', () => {
    const judge = new DrapeJudge(3, Uint32Array.of(0, 1, 2), 2)
    judge.look(triangleAt(0.9, 1.1, -1), ground)
    judge.look(triangleAt(0.5, 1.4, -1), ground)
    judge.look(triangleAt(-1, 0.2, -1), ground)
    judge.look(triangleAt(-1, 1.2, -1), ground)
    const found = judge.result()
    expect(found).toMatchObject({ deepVertexFrames: 3, longestRun: 2 })
    expect(found.deepest).toBeCloseTo(1.4)
    expect(found.deepShare).toBeCloseTo((100 * 3) / 12)
    expect(found.insideShare).toBeCloseTo((100 * 6) / 12)
  })

  it('looks at the middle of faces, too', () => {
    const judge = new DrapeJudge(3, Uint32Array.of(0, 1, 2), 2)
    judge.look(triangleAt(3, 0.3, 0.3), ground)
    expect(judge.result().deepestFace).toBeCloseTo(1.2)
  })
})

it('energy of a cloth is bounded by what a body of its speed and gravity can give it', () => {
  const cloth = new Cloth(clothGrid(2, 2, { size: [1, 1] }), { gravity: [0, -10, 0], density: 0.5 })
  const energy = new DrapeEnergy(cloth, Uint32Array.of(0, 1))
  cloth.velocities.fill(0)
  cloth.velocities[3] = 3
  energy.look(cloth, 2)
  const { bound, max, maxSpeed, bodySpeed } = energy.result()
  const mass = cloth.masses.reduce((sum, each) => sum + each, 0)
  // The sheet hangs by one side, 1 m long: M ((V + sqrt(4 g L))^2 / 2 + g L).
  expect(bound).toBeCloseTo(mass * ((2 + Math.sqrt(40)) ** 2 / 2 + 10), 6)
  expect([maxSpeed, bodySpeed]).toEqual([3, 2])
  expect(max).toBeCloseTo((cloth.masses[1] * 9) / 2, 6)
})

it('a field is told at the better of its margins, whichever that is', () => {
  const figures = (margin: number, deepest: number, insideShare = 0) =>
    ({ margin, penetration: { deepest, insideShare } }) as DrapeFigures
  expect(betterOf([figures(0, 0.6), figures(1.8, 1.2)])).toMatchObject({
    margin: 0,
    tried: [
      { margin: 0, deepest: 0.6 },
      { margin: 1.8, deepest: 1.2 },
    ],
  })
  expect(betterOf([figures(0, 0.6), figures(0.1, 0.2)]).margin).toBe(0.1)
  expect(betterOf([figures(0, 0, 1), figures(0.1, 0, 0.5)]).margin).toBe(0.1)
})
