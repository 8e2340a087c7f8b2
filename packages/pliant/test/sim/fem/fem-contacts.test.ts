/** Elastic bodies on obstacles that are fields: of any shape, and such that move. By both ways to step. */
import { describe, expect, it } from 'vitest'
import { fieldBox, fieldHalfSpace, fieldTorus, type SignedField, type Vec3 } from '../../../src/index.js'
import { femMomentum } from '../../../src/sim/fem/fem-energy.js'
import { NewtonStepper } from '../../../src/sim/fem/newton-stepper.js'
import { FemBody, type FemOptions, rigidMotion } from '../../../src/sim/index.js'
import { meanPosition } from '../../respond/scenes.js'
import { bar } from './bars.js'

const FRAME = 1 / 60
const RUBBER = { young: 1e5, stiffnessDamping: 0.02 }

/** A square slab whose lower side is at `height`, in the middle of the world. */
function slab(side: number, height: number, options: FemOptions): FemBody {
  const mesh = bar([side, 0.06, side], [4, 1, 4])
  for (let i = 0; i < mesh.positions.length; i++) mesh.positions[i] += [-side / 2, height, -side / 2][i % 3]
  return new FemBody(mesh, { material: RUBBER, ...options })
}

const velocityOf = (body: FemBody): number[] => femMomentum(body).linear.map((value) => value / body.totalMass)

const WAYS = {
  'linearly implicit': (body: FemBody) => (dt: number) => body.step(dt),
  'fully implicit': (body: FemBody) => {
    const stepper = new NewtonStepper(body)
    return (dt: number) => stepper.step(dt)
  },
}

describe.each(Object.entries(WAYS))('%s Euler', (_, stepperOf) => {
  it('lies on a torus, and falls through its hole', () => {
    const torus = { field: fieldTorus([0, 0, 0], 0.12, 0.04) }
    const [wide, narrow] = [0.3, 0.1].map((side) => {
      const body = slab(side, 0.06, { obstacles: [torus] })
      const step = stepperOf(body)
      let deepest = 0
      for (let n = 0; n < 60; n++) {
        step(FRAME)
        deepest = Math.max(deepest, body.contacts.deepest(body.positions))
      }
      return { height: meanPosition(body)[1], speed: Math.hypot(...velocityOf(body)), deepest }
    })
    expect(wide.height).toBeGreaterThan(0.06)
    expect(wide.height).toBeLessThan(0.07)
    expect(wide.speed).toBeLessThan(1e-3)
    expect(wide.deepest).toBeLessThan(0.002)
    expect(narrow.height).toBeLessThan(-4)
  })

  it('rests alike on a field whose gradients are of another length, and meets nothing where they have none', () => {
    const ground = fieldBox([0, -0.5, 0], [1, 0.5, 1])
    const scaled = (by: number): SignedField => ({
      ...ground,
      query(points, count, distances, gradients) {
        ground.query(points, count, distances, gradients)
        for (let i = 0; gradients && i < 3 * count; i++) gradients[i] *= by
      },
    })
    const heights = [1, 7, 0, Number.NaN].map((by) => {
      const body = slab(0.2, 0, { obstacles: [{ field: scaled(by) }] })
      const step = stepperOf(body)
      for (let n = 0; n < 30; n++) step(FRAME)
      return meanPosition(body)[1]
    })
    expect(heights[0]).toBeCloseTo(0.03, 3)
    expect(heights[1]).toBeCloseTo(heights[0], 6)
    for (const fallen of heights.slice(2)) expect(fallen).toBeLessThan(-1)
  })

  it.each([
    [0.6, 1],
    [0, 0],
  ])('is taken along by a plate that goes sideways: friction %d, share %d', (friction, share) => {
    const speed = 0.5
    const body = slab(0.2, 0, { friction })
    const step = stepperOf(body)
    const motion = rigidMotion([speed, 0, 0])
    for (let n = 1; n <= 60; n++) {
      body.setObstacles([{ field: fieldBox([n * FRAME * speed, -0.5, 0], [1, 0.5, 1]), motion }])
      step(FRAME)
    }
    expect(velocityOf(body)[0]).toBeCloseTo(share * speed, 3)
    // It slips until friction has brought it up to speed: v^2 / (2 mu g).
    const slipped = friction > 0 ? speed ** 2 / (2 * friction * 9.81) : 0
    expect(Math.abs(meanPosition(body)[0] - share * speed + slipped)).toBeLessThan(0.012)
  })

  it('goes round on a plate that turns', () => {
    const body = slab(0.2, 0, { friction: 1 })
    const step = stepperOf(body)
    body.setObstacles([{ field: fieldHalfSpace([0, 1, 0], 0), motion: rigidMotion([0, 0, 0], [0, 1, 0]) }])
    for (let n = 0; n < 60; n++) step(FRAME)
    const turned = Math.atan2(-body.positions[2], body.positions[0]) - Math.atan2(0.1, -0.1)
    expect((turned + 2 * Math.PI) % (2 * Math.PI)).toBeCloseTo(1, 1)
    for (const axis of [0, 2]) expect(Math.abs(meanPosition(body)[axis])).toBeLessThan(1e-3)
  })

  it.each([1, -0.5])('stays on a plate that moves up at %d m/s, neither above it nor in it', (speed) => {
    const body = slab(0.2, 0, {})
    const step = stepperOf(body)
    for (let n = 1; n <= 60; n++) {
      body.setObstacles([{ field: fieldHalfSpace([0, 1, 0], n * FRAME * speed), motion: rigidMotion([0, speed, 0]) }])
      step(FRAME)
    }
    expect(velocityOf(body)[1]).toBeCloseTo(speed, 2)
    // A step's way of the plate is 17 mm.
    expect(Math.abs(meanPosition(body)[1] - speed - 0.03)).toBeLessThan(1e-3)
    expect(body.contacts.deepest(body.positions)).toBeGreaterThan(0)
    expect(body.contacts.deepest(body.positions)).toBeLessThan(1e-3)
  })

  it.each([0, 0.5, -0.5])('slides off a slope as Coulomb says, though that rises at %d m/s', (rise) => {
    const [slope, friction] = [Math.atan(0.8), 0.4]
    const normal: Vec3 = [0, 1, 0]
    const gravity: Vec3 = [9.81 * Math.sin(slope), -9.81 * Math.cos(slope), 0]
    const body = slab(0.2, 0, { friction, gravity, slipSpeed: 1e-3, substep: 1 / 240 })
    for (let i = 0; i < body.velocities.length; i += 3) body.velocities.set([1, rise, 0], i)
    const step = stepperOf(body)
    const run = (from: number, to: number): number => {
      for (let n = from + 1; n <= to; n++) {
        body.setObstacles([{ field: fieldHalfSpace(normal, (n * rise) / 240), motion: rigidMotion([0, rise, 0]) }])
        step(1 / 240)
      }
      return velocityOf(body)[0]
    }
    const before = run(0, 48)
    const gained = (run(48, 96) - before) / (9.81 * (Math.sin(slope) - friction * Math.cos(slope)) * 0.2)
    expect(gained).toBeGreaterThan(0.9)
    expect(gained).toBeLessThan(1.1)
  })

  it('takes a motion that is not finite for none', () => {
    const body = slab(0.2, 0, {})
    const step = stepperOf(body)
    const motion = {
      velocity: (_p: unknown, _n: unknown, _count: number, out: { fill(v: number): unknown }) =>
        void out.fill(Number.NaN),
    }
    body.setObstacles([{ field: fieldHalfSpace([0, 1, 0], 0), motion }])
    for (let n = 0; n < 30; n++) step(FRAME)
    expect(body.positions.every(Number.isFinite)).toBe(true)
    expect(meanPosition(body)[1]).toBeCloseTo(0.03, 3)
  })
})

it('rides up in frames of several substeps as in frames of one', () => {
  const heights = [1, 4].map((substeps) => {
    const body = slab(0.2, 0, { substep: FRAME })
    for (let n = 1; n <= 60 / substeps; n++) {
      const field = fieldHalfSpace([0, 1, 0], n * substeps * FRAME)
      body.setObstacles([{ field, motion: rigidMotion([0, 1, 0]) }])
      body.step(substeps * FRAME)
    }
    return meanPosition(body)[1]
  })
  expect(heights[0]).toBeCloseTo(1.03, 3)
  expect(heights[1]).toBeCloseTo(heights[0], 3)
})
