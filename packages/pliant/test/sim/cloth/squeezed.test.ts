import { describe, expect, it } from 'vitest'
import { fieldHalfSpace } from '../../../src/field/analytic.js'
import { fieldUnion } from '../../../src/field/combined.js'
import { Cloth } from '../../../src/sim/cloth/cloth.js'
import { clothGrid } from '../../../src/sim/cloth/cloth-grid.js'
import { clothEnergy } from '../../../src/sim/cloth/energy.js'
import type { Obstacle } from '../../../src/sim/obstacle.js'
import { FRAME, mean } from './sheets.js'

const THICKNESS = 0.004
/** Beyond the strain of release, not yet three times that. */
const STRETCH = 1.5
const ground = { field: fieldHalfSpace([0, 1, 0], 0) }

/** The ground below y = 0, and another body above `gap` [m]. */
function crack(gap: number): Obstacle {
  return { field: fieldUnion(ground.field, fieldHalfSpace([0, -1, 0], -gap)) }
}

/** A sheet a little inside the ground and stretched by half along x, which it does not feel. */
function stretched(factor = STRETCH): Cloth {
  const cloth = new Cloth(clothGrid(6, 6, { size: [0.2, 0.2], centre: [0, -0.002, 0] }), {
    gravity: [0, 0, 0],
    airDensity: 0,
    stretchStiffness: 1e-6,
    shearStiffness: 1e-6,
    thickness: THICKNESS,
  })
  for (let i = 0; i < cloth.positions.length; i += 3) cloth.positions[i] *= factor
  return cloth
}

const releasedIn = (cloth: Cloth): number => cloth.contacts.released.reduce((sum, one) => sum + one, 0)

describe('overstretched cloth', () => {
  it('is not let go by one surface: it is pushed out as ever', () => {
    const cloth = stretched()
    for (let frame = 0; frame < 3; frame++) cloth.step(FRAME, ground)
    expect(releasedIn(cloth)).toBe(0)
    expect(mean(cloth, 1)).toBeGreaterThan(0.9 * THICKNESS)
  })

  it('is let go between two surfaces without room, and stays where it is', () => {
    const cloth = stretched()
    for (let frame = 0; frame < 3; frame++) cloth.step(FRAME, crack(2 * THICKNESS))
    expect(releasedIn(cloth)).toBe(cloth.vertexCount)
    expect(cloth.contacts.touching).toBe(0)
    expect(mean(cloth, 1)).toBeCloseTo(-0.002, 6)
  })

  it('comes back when there is room again, or when it is no longer stretched', () => {
    const cloth = stretched()
    cloth.step(FRAME, crack(2 * THICKNESS))
    for (let frame = 0; frame < 3; frame++) cloth.step(FRAME, crack(0.1))
    expect(releasedIn(cloth)).toBe(0)
    expect(mean(cloth, 1)).toBeGreaterThan(0.9 * THICKNESS)
    const slack = stretched()
    slack.step(FRAME, crack(2 * THICKNESS))
    for (let i = 0; i < slack.positions.length; i += 3) slack.positions[i] /= STRETCH
    slack.step(FRAME, crack(2 * THICKNESS))
    expect(releasedIn(slack)).toBe(0)
    expect(mean(slack, 1)).toBeGreaterThan(0.9 * THICKNESS)
  })

  it.each([
    [0, 0],
    [1, 36],
  ])('is let go by one surface that moves at %d m/s when it is torn: %d vertices', (speed, count) => {
    const cloth = stretched(2)
    const moving: Obstacle = {
      ...ground,
      motion: { velocity: (_points, _normals, n, out) => out.fill(speed, 0, 3 * n) },
    }
    cloth.step(FRAME, moving)
    expect(releasedIn(cloth)).toBe(count)
  })

  it('is never let go with a strain of Infinity', () => {
    const cloth = stretched()
    ;(cloth.settings as { releaseStrain: number }).releaseStrain = Infinity
    for (let frame = 0; frame < 3; frame++) cloth.step(FRAME, crack(2 * THICKNESS))
    expect(releasedIn(cloth)).toBe(0)
  })
})

describe('depth that was there before', () => {
  it.each([0.2, 1])('leaves at the speed of recovery, %d m/s, and no speed is left of it', (recoverySpeed) => {
    const start = -0.5
    const cloth = new Cloth(clothGrid(6, 6, { size: [0.2, 0.2], centre: [0, start, 0] }), {
      gravity: [0, 0, 0],
      airDensity: 0,
      recoverySpeed,
      thickness: THICKNESS,
    })
    const frames = 3
    for (let frame = 0; frame < frames; frame++) cloth.step(FRAME, ground)
    // A vertex goes for itself, and again with each of the faces around it: 5.3 and 5.9 times in the mean of this sheet.
    const times = (mean(cloth, 1) - start) / (recoverySpeed * frames * FRAME)
    expect(times).toBeGreaterThan(5)
    expect(times).toBeLessThan(6.2)
    const mass = cloth.masses.reduce((a, b) => a + b)
    expect(clothEnergy(cloth).kinetic).toBeLessThan(0.15 * (mass / 2) * (times * recoverySpeed) ** 2)
  })
})
