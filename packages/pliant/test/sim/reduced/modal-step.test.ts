/** Motion without contacts: falling, vibrating and spinning as closed forms say. */
import { describe, expect, it } from 'vitest'
import { ReducedWorld } from '../../../src/sim/index.js'
import { box, energyOf, softBar } from './scenes.js'

const WEIGHTLESS = { gravity: [0, 0, 0] } as const

/** Runs one mode of 1 Hz for a while from q = 1. @returns the largest difference from the closed form */
function worstOfOneMode(h: number, damping: number): number {
  const body = box([1], { damping })
  const world = new ReducedWorld([body], WEIGHTLESS)
  body.code[0] = 1
  const w = 2 * Math.PI
  const wd = w * Math.sqrt(1 - damping ** 2)
  let worst = 0
  for (let n = 1; n * h <= 2; n++) {
    world.step(h)
    const t = n * h
    const decay = Math.exp(-damping * w * t)
    worst = Math.max(
      worst,
      Math.abs(body.code[0] - decay * (Math.cos(wd * t) + ((damping * w) / wd) * Math.sin(wd * t))),
    )
  }
  return worst
}

describe('a body in flight', () => {
  it('falls by g t^2 / 2 to the last digits, whatever the step', () => {
    for (const h of [1 / 60, 1 / 240]) {
      const body = box([2])
      body.velocity.set([1, 3, 0])
      const world = new ReducedWorld([body], { gravity: [0, -9.81, 0] })
      const steps = Math.round(1 / h)
      for (let n = 0; n < steps; n++) world.step(h)
      expect(body.position[0]).toBeCloseTo(1, 12)
      expect(body.position[1]).toBeCloseTo(3 - 9.81 / 2, 12)
      expect(body.velocity[1]).toBeCloseTo(3 - 9.81, 12)
    }
  })

  it('vibrates as a cosine, four times as near with half the step', () => {
    const [coarse, fine] = [worstOfOneMode(1 / 60, 0), worstOfOneMode(1 / 120, 0)]
    expect(coarse).toBeLessThan(0.05)
    expect(coarse / fine).toBeGreaterThan(3.8)
    expect(coarse / fine).toBeLessThan(4.2)
  })

  it('dies down at the rate that the damping ratio says', () => {
    const [coarse, fine] = [worstOfOneMode(1 / 60, 0.1), worstOfOneMode(1 / 120, 0.1)]
    expect(coarse).toBeLessThan(0.02)
    expect(coarse / fine).toBeGreaterThan(3.8)
    expect(coarse / fine).toBeLessThan(4.2)
  })

  it('takes a damping ratio for each mode', () => {
    const body = box([1, 1], { damping: [0, 0.2] })
    const world = new ReducedWorld([body], WEIGHTLESS)
    body.code.set([1, 1])
    for (let n = 0; n < 60; n++) world.step(1 / 60)
    expect(body.code[0]).toBeGreaterThan(0.95)
    expect(body.code[1]).toBeCloseTo(Math.exp(-0.4 * Math.PI), 1)
  })

  it('keeps its energy to 1e-10, slow modes, fast ones and spin, for 20 s at 60 Hz', () => {
    const body = box([0.5, 7, 300])
    const world = new ReducedWorld([body], WEIGHTLESS)
    body.code.set([1, 0.5, 0.1])
    body.codeVelocity.set([0.3, -2, 40])
    body.setAngularVelocity([3, -5, 2])
    const before = energyOf(body)
    for (let n = 0; n < 1200; n++) {
      world.step(1 / 60)
      expect(Math.abs(energyOf(body) / before - 1)).toBeLessThan(1e-10)
    }
  })

  it('keeps both momenta of a bar that spins and vibrates to the last bit', () => {
    const body = softBar(4)
    const world = new ReducedWorld([body], WEIGHTLESS)
    body.code.set([1, -1, 0.5, 0.5])
    body.velocity.set([1, 2, 3])
    body.setAngularVelocity([4, 1, -6])
    const linear = new Float64Array(3)
    body.linearMomentum(linear)
    const angular = body.angularMomentum.slice()
    for (let n = 0; n < 300; n++) world.step(1 / 60)
    const after = new Float64Array(3)
    body.linearMomentum(after)
    expect(after).toEqual(linear)
    expect(body.angularMomentum).toEqual(angular)
    // It does turn: about the axis it would wobble round in the body's frame.
    expect(Math.abs(body.orientation[3])).toBeLessThan(1)
    expect(Math.hypot(...body.orientation)).toBeCloseTo(1, 12)
  })

  it('turns about a principal axis by the angle that its speed says', () => {
    const body = box()
    const world = new ReducedWorld([body], WEIGHTLESS)
    body.setAngularVelocity([0, 0, Math.PI / 2])
    for (let n = 0; n < 240; n++) world.step(1 / 240)
    const angle = 2 * Math.atan2(body.orientation[2], body.orientation[3])
    // The midpoint turns by 2 atan(h w / 2) a step.
    expect(angle).toBeCloseTo(480 * Math.atan(Math.PI / 960), 10)
    expect(angle).toBeCloseTo(Math.PI / 2, 4)
  })

  it('feels forces on its code: one that is constant moves it to the force over its stiffness', () => {
    const body = box([2], { damping: 1 })
    const world = new ReducedWorld([body], WEIGHTLESS)
    body.codeForces[0] = 0.3 * body.modalStiffness[0]
    for (let n = 0; n < 240; n++) world.step(1 / 60)
    expect(body.code[0]).toBeCloseTo(0.3, 9)
  })

  it('does the same twice, bit for bit, and as many substeps as one frame needs', () => {
    const run = (frames: number, frame: number) => {
      const body = softBar(4, { damping: 0.02 })
      const world = new ReducedWorld([body])
      body.code.set([1, 1, 0, 0])
      body.setAngularVelocity([4, 1, -6])
      for (let n = 0; n < frames; n++) world.step(frame)
      const out = new Float64Array(body.rest.length)
      body.positions(out)
      return out
    }
    expect(run(30, 1 / 30)).toEqual(run(30, 1 / 30))
    expect(run(30, 1 / 30)).toEqual(run(60, 1 / 60))
  })
})
