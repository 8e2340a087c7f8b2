/** A step that the field allows and an exact test does not is taken back. */
import { describe, expect, it } from 'vitest'
import type { ConfigurationField } from '../../../src/index.js'
import { ReducedWorld } from '../../../src/sim/index.js'
import { box, energyOf } from './scenes.js'

const H = 1 / 60

/** Touches itself from q0 = 0.5 on. */
function plane(): { touches(code: Float64Array): boolean; asked: number } {
  return {
    asked: 0,
    touches(code) {
      this.asked++
      return code[0] >= 0.5
    },
  }
}

/** A learned field that is off: it sees contact from 0.6 on. */
const lateField: ConfigurationField = {
  codeSize: 2,
  query(codes, count, distances, gradients) {
    for (let i = 0; i < count; i++) {
      distances[i] = 0.6 - codes[2 * i]
      gradients?.set([-1, 0], 2 * i)
    }
  },
}

describe('the exact guard', () => {
  it('takes a code back to where it is free, to a 2^-7th of the step, and stops what goes on', () => {
    const exact = plane()
    const body = box([0, 0], { selfContact: { field: lateField, exact } })
    const world = new ReducedWorld([body], { gravity: [0, 0, 0], guardTests: 8 })
    body.codeVelocity.set([3.3, 1])
    let takenBack = 0
    for (let n = 0; n < 30; n++) {
      const before = body.code.slice()
      const energy = energyOf(body)
      const report = world.step(H)
      takenBack += report.takenBack
      expect(report.exactTests).toBe(report.takenBack > 0 ? 9 : 1)
      expect(body.code[0]).toBeLessThan(0.5)
      expect(energyOf(body)).toBeLessThanOrEqual(energy * (1 + 1e-12))
      if (report.takenBack === 0) continue
      expect(0.5 - body.code[0]).toBeLessThan((3.3 * H) / 2 ** 7 + 1e-12)
      expect(body.codeVelocity[0]).toBeCloseTo(0, 12)
      // Along the contact, as the field's gradient has it, it goes on.
      expect(body.codeVelocity[1]).toBeCloseTo(1, 12)
      expect(body.code[0]).toBeGreaterThanOrEqual(before[0])
    }
    expect(takenBack).toBeGreaterThan(0)
    expect(body.code[1]).toBeGreaterThan(0.4)
  })

  it('needs no field: the way of the code is then what is stopped', () => {
    const body = box([0, 0], { selfContact: { exact: plane() } })
    const world = new ReducedWorld([body], { gravity: [0, 0, 0] })
    body.codeVelocity.set([3, 0])
    for (let n = 0; n < 30; n++) world.step(H)
    expect(body.code[0]).toBeLessThan(0.5)
    expect(body.code[0]).toBeGreaterThan(0.49)
    expect(body.codeVelocity[0]).toBeCloseTo(0, 9)
  })

  it('takes back what the field let through in one stride, though it sees it there', () => {
    // Negative from 0.5 on, but its gradient stops nothing.
    const wall: ConfigurationField = {
      codeSize: 2,
      query(codes, count, distances, gradients) {
        for (let i = 0; i < count; i++) {
          distances[i] = codes[2 * i] < 0.5 ? 1 : -1
          gradients?.set([0, 1], 2 * i)
        }
      },
    }
    const body = box([0, 0], { selfContact: { field: wall, exact: plane() } })
    const world = new ReducedWorld([body], { gravity: [0, 0, 0] })
    body.code[0] = 0.3
    body.codeVelocity[0] = 24
    expect(world.step(H).takenBack).toBe(1)
    expect(body.code[0]).toBeLessThan(0.5)
  })

  it('lets a step stand that began in contact, as there is nothing to go back to', () => {
    const body = box([0, 0], { selfContact: { exact: plane() } })
    const world = new ReducedWorld([body], { gravity: [0, 0, 0] })
    body.code[0] = 0.7
    body.codeVelocity[0] = -1
    expect(world.step(H).takenBack).toBe(0)
    expect(body.code[0]).toBeLessThan(0.7)
    for (let n = 0; n < 30; n++) world.step(H)
    expect(body.code[0]).toBeLessThan(0.5)
  })
})
