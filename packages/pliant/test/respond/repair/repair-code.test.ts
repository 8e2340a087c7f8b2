/** Codes that touch themselves, moved out: the result must be free by the exact test, and near. */
import { describe, expect, it } from 'vitest'
import type { ConfigurationField, ExactTest } from '../../../src/index.js'
import { randomStream } from '../../../src/math/random.js'
import { REPAIR_DEFAULTS, repairCode } from '../../../src/respond/index.js'

type Field = ConfigurationField & { bounds?: { lower: number[]; upper: number[] } }

function fieldOf(codeSize: number, distance: (q: number[]) => number, bounds?: Field['bounds']): Field {
  return {
    codeSize,
    ...(bounds && { bounds }),
    query(codes, count, distances, gradients) {
      for (let i = 0; i < count; i++) {
        const q = Array.from(codes.subarray(codeSize * i, codeSize * (i + 1)))
        distances[i] = distance(q)
        for (let k = 0; gradients && k < codeSize; k++) {
          const step = (by: number) => distance(q.map((value, j) => (j === k ? value + by : value)))
          gradients[codeSize * i + k] = (step(1e-6) - step(-1e-6)) / 2e-6
        }
      }
    },
  }
}

const testOf = (touches: (q: Float64Array) => boolean): ExactTest & { asked: number } => ({
  asked: 0,
  touches(code) {
    this.asked++
    return touches(code)
  },
})

const BOX = { lower: [-1, -1, -1], upper: [1, 1, 1] }
/** A ball of 0.5 about (0.2, 0, 0) touches; the field is off by 0.04 in its radius, and by 0.03 in its middle. */
const MIDDLE = [0.2, 0, 0]
const away = (q: ArrayLike<number>, from: readonly number[] = MIDDLE): number =>
  Math.hypot(...from.map((value, k) => q[k] - value))
const offBall = fieldOf(3, (q) => away(q, [0.23, 0, 0]) - 0.46, BOX)
const ball = (): ExactTest & { asked: number } => testOf((q) => away(q) <= 0.5)

describe('repairCode', () => {
  it('frees codes by a field that is off, and goes little further than need be (seed 4)', () => {
    const random = randomStream(4)
    const exact = ball()
    let [touching, worst] = [0, 0]
    for (let n = 0; n < 800; n++) {
      const code = Float64Array.from({ length: 3 }, () => random.between(-1, 1))
      const need = 0.5 - away(code)
      // At the very middle any way is as good.
      if (need > 0.4) continue
      const out = new Float64Array(3)
      const report = repairCode(offBall, exact, code, {}, out)
      expect(report.free).toBe(true)
      expect(away(out)).toBeGreaterThan(0.5)
      expect(report.moved).toBeCloseTo(away(out, [...code]), 12)
      expect(report.wasFree).toBe(need < 0)
      if (need < 0) expect([...out, report.moved]).toEqual([...code, 0])
      else {
        touching++
        worst = Math.max(worst, report.moved - need)
        expect(report.tests).toBeLessThanOrEqual(REPAIR_DEFAULTS.tests)
      }
    }
    expect(touching).toBeGreaterThan(30)
    expect(worst).toBeLessThan(0.01)
  })

  it('counts the exact tests that it asked', () => {
    const exact = ball()
    const report = repairCode(offBall, exact, [0.5, 0.1, 0], {}, new Float64Array(3))
    expect(report.tests).toBe(exact.asked)
    expect(report.tests).toBeGreaterThan(1)
  })

  it('slides along the boundary where the gradient leads out by a longer way', () => {
    // Touching within a flat ellipse: near its long axis the gradient leads along that, the nearest way out is across.
    const [a, b] = [1, 0.3]
    const outside = (q: ArrayLike<number>): number => Math.hypot(q[0] / a, q[1] / b) - 1
    const start = [0.6, 0.02]
    let nearest = Infinity
    for (let angle = 0; angle < 2 * Math.PI; angle += 1e-3) {
      nearest = Math.min(nearest, Math.hypot(a * Math.cos(angle) - start[0], b * Math.sin(angle) - start[1]))
    }
    const exact = testOf((q) => outside(q) <= 0)
    const report = repairCode(fieldOf(2, outside), exact, start, { margin: 0 }, new Float64Array(2))
    expect(report.free).toBe(true)
    // Straight along the gradient it is 1.6 times as far.
    expect(report.moved).toBeLessThan(1.05 * nearest)
  })

  it('keeps the margin by the field where that can be had', () => {
    const out = new Float64Array(3)
    const distances = new Float64Array(1)
    for (const margin of [0, 0.02, 0.2]) {
      const report = repairCode(offBall, ball(), [0.4, 0.2, 0], { margin }, out)
      offBall.query(out, 1, distances)
      expect(report.free).toBe(true)
      expect(distances[0]).toBeGreaterThanOrEqual(margin)
      expect(distances[0]).toBeLessThan(margin + 0.1)
    }
  })

  it('goes home where the field knows no way, and back as far as is free', () => {
    const flat = fieldOf(3, () => -1, BOX)
    // Rest is inside the ball: home is elsewhere.
    const home = [-0.9, 0, 0]
    const out = new Float64Array(3)
    const report = repairCode(flat, ball(), [0.1, 0, 0], { home }, out)
    expect(report.free).toBe(true)
    expect(away(out)).toBeGreaterThan(0.5)
    expect(away(out)).toBeLessThan(0.51)
    // Without one, rest: which touches, too.
    const stuck = repairCode(flat, ball(), [0.1, 0, 0], {}, out)
    expect(stuck).toMatchObject({ free: false, wasFree: false, moved: 0 })
    expect([...out]).toEqual([0.1, 0, 0])
  })

  it('stays in the box, and puts codes from outside onto it first', () => {
    const out = new Float64Array(3)
    const report = repairCode(offBall, ball(), [1.5, -0.2, 0], {}, out)
    expect(report).toMatchObject({ free: true, wasFree: true, clamped: true, tests: 1 })
    expect([...out]).toEqual([1, -0.2, 0])
    expect(report.moved).toBeCloseTo(0.5, 12)
    // The ball reaches the wall of this box: the way straight out is blocked.
    const tight = { lower: [-1, -1, -1], upper: [0.6, 1, 1] }
    const blocked = repairCode(offBall, ball(), [0.55, 0.1, 0], { box: tight }, out)
    expect(blocked.free).toBe(true)
    expect(out[0]).toBeLessThanOrEqual(0.6)
    expect(away(out)).toBeGreaterThan(0.5)
  })

  it('in single precision tests what it hands back (seed 6)', () => {
    const random = randomStream(6)
    const out = new Float32Array(3)
    const exact = testOf((q) => {
      expect(q).toEqual(Float64Array.from(Float32Array.from(q)))
      return away(q) <= 0.5
    })
    for (let n = 0; n < 100; n++) {
      const code = Float64Array.from({ length: 3 }, () => random.between(-0.2, 0.6))
      if (repairCode(offBall, exact, code, {}, out).free) expect(away(out)).toBeGreaterThan(0.5)
    }
  })

  it('finds a way along a wall of the box that the gradient leads into', () => {
    const slope = (q: ArrayLike<number>): number => q[0] + 0.1 * q[1] - 1.05
    const box = { lower: [-1, -1], upper: [1, 1] }
    const out = new Float64Array(2)
    const exact = testOf((q) => slope(q) <= 0)
    const report = repairCode(fieldOf(2, slope), exact, [0.9, 0], { box }, out)
    expect(report.free).toBe(true)
    expect(out[0]).toBeLessThanOrEqual(1)
    expect(slope(out)).toBeGreaterThan(0)
  })

  it('does not leap over free codes where the gradient is nearly flat', () => {
    // Free and touching in turns; the start is next to the bottom between two free stretches.
    const waves = fieldOf(1, ([q]) => 0.3 * Math.sin(4 * Math.PI * q))
    const exact = testOf(([q]) => Math.sin(4 * Math.PI * q) <= 0)
    const report = repairCode(waves, exact, [0.37212], { margin: 0 }, new Float64Array(1))
    expect(report.free).toBe(true)
    expect(report.moved).toBeLessThan(0.13)
  })

  it('asks no more exact tests than it may, but for one', () => {
    for (const tests of [2, 5, 10]) {
      const exact = ball()
      const report = repairCode(offBall, exact, [0.3, 0.1, 0], { tests }, new Float64Array(3))
      expect(exact.asked).toBe(report.tests)
      expect(report.tests).toBeLessThanOrEqual(tests + 1)
    }
  })

  it('without an exact test believes the field, with its margin', () => {
    const out = new Float64Array(3)
    const distances = new Float64Array(1)
    const report = repairCode(offBall, undefined, [0.4, 0.2, 0], { margin: 0.05 }, out)
    offBall.query(out, 1, distances)
    expect(report).toMatchObject({ free: true, tests: 0, wasFree: false })
    expect(distances[0]).toBeGreaterThanOrEqual(0.05)
    expect(distances[0]).toBeLessThan(0.052)
    // A home within the margin is none.
    const flat = fieldOf(3, () => 0.04, BOX)
    expect(repairCode(flat, undefined, [0.4, 0.2, 0], { margin: 0.05 }, out).free).toBe(false)
  })

  it('may write over the code', () => {
    const code = Float64Array.of(0.5, 0.1, 0)
    const aside = new Float64Array(3)
    const due = repairCode(offBall, ball(), code, {}, aside)
    expect(repairCode(offBall, ball(), code, {}, code)).toEqual(due)
    expect(code).toEqual(aside)
  })

  it('refuses what is no code, no room and no option, in one line', () => {
    const out = new Float64Array(3)
    const call = (code: number[], options: object, room = out) => repairCode(offBall, ball(), code, options, room)
    expect(() => call([1, 2], {})).toThrow('repair: Array of 2 for 3 code values; pass one number each.')
    expect(() => call([0, Number.NaN, 0], {})).toThrow('repair: code value 1 is NaN; pass finite numbers.')
    expect(() => call([0, 0, 0], {}, new Float64Array(2))).toThrow(/room for Float64Array of 2; pass .* of 3\.$/)
    expect(() => call([0, 0, 0], { margin: -1 })).toThrow('repair: margin is -1; give zero or more.')
    expect(() => call([0, 0, 0], { tests: 0 })).toThrow(/tests is 0; give a whole number/)
    expect(() => call([0, 0, 0], { steps: 4 })).toThrow("repair: there is no option 'steps'")
  })
})
