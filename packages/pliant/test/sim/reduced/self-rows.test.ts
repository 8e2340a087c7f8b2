/** Codes that may not run into themselves: the row of the gradient, ours and the paper's, the box, the exact guard. */
import { describe, expect, it } from 'vitest'
import type { ConfigurationField } from '../../../src/index.js'
import { type ReducedBody, ReducedWorld, type ReducedWorldOptions } from '../../../src/sim/index.js'
import { box, energyOf } from './scenes.js'

const H = 1 / 60
const MARGIN = 0.01

/** @param distance of a code; writes the gradient */
function configurationField(
  codeSize: number,
  distance: (q: number[], gradient: number[]) => number,
): ConfigurationField {
  return {
    codeSize,
    query(codes, count, distances, gradients) {
      for (let i = 0; i < count; i++) {
        const gradient = new Array(codeSize).fill(0)
        distances[i] = distance(Array.from(codes.subarray(codeSize * i, codeSize * (i + 1))), gradient)
        gradients?.set(gradient, codeSize * i)
      }
    },
  }
}

/** Free below q0 = 0.5. */
const halfSpace = configurationField(2, (q, gradient) => {
  gradient[0] = -1
  return 0.5 - q[0]
})

/** Free within the unit circle. */
const circle = configurationField(2, (q, gradient) => {
  const length = Math.hypot(...q)
  for (const [k, value] of q.entries()) gradient[k] = length > 0 ? -value / length : -1
  return 1 - length
})

/** Free outside a circle of radius 0.3 about (0.5, 0). */
const pillar = configurationField(2, (q, gradient) => {
  const [x, y] = [q[0] - 0.5, q[1]]
  const length = Math.hypot(x, y)
  gradient[0] = x / length
  gradient[1] = y / length
  return length - 0.3
})

function world(body: ReducedBody, options: ReducedWorldOptions = {}): ReducedWorld {
  return new ReducedWorld([body], { gravity: [0, 0, 0], selfMargin: MARGIN, ...options })
}

/** Impulses of the last substep on rows of the body's code. */
const impulsesOf = ({ rows, impacts, motion }: ReducedWorld): number[] =>
  Array.from({ length: rows.count }, (_, row) => [impacts.impulses[row] ?? 0, motion.impulses[row]]).flat()

describe('the speculative response', () => {
  it('keeps a code on the free side of a plane that it is driven into, and only ever pushes', () => {
    const body = box([1, 1.5], { selfContact: { field: halfSpace } })
    const own = world(body)
    body.codeVelocity.set([8, 3])
    const energy = energyOf(body)
    let pushed = 0
    for (let n = 0; n < 180; n++) {
      own.step(H)
      expect(body.code[0]).toBeLessThanOrEqual(0.5 - MARGIN + 1e-6)
      const impulses = impulsesOf(own)
      expect(Math.min(0, ...impulses)).toBe(0)
      pushed = Math.max(pushed, ...impulses)
      expect(energyOf(body)).toBeLessThanOrEqual(energy * (1 + 1e-9))
    }
    expect(pushed).toBeGreaterThan(0)
  })

  it('does no work on a code that separates', () => {
    const body = box([1, 1.5], { selfContact: { field: halfSpace } })
    const own = world(body)
    body.code[0] = 0.5 - MARGIN
    body.codeVelocity.set([-1, 0.5])
    const free = box([1, 1.5])
    free.code[0] = 0.5 - MARGIN
    free.codeVelocity.set([-1, 0.5])
    const unhindered = world(free)
    for (let n = 0; n < 10; n++) {
      own.step(H)
      unhindered.step(H)
      expect(impulsesOf(own).every((impulse) => impulse === 0)).toBe(true)
      expect(body.code).toEqual(free.code)
    }
  })

  it('stays within a circle that it slides along at speed: the second row sees the bend', () => {
    const body = box([0, 0], { selfContact: { field: circle } })
    const own = world(body, { selfMargin: 0.02 })
    body.code.set([0.9, 0])
    body.codeVelocity.set([1, 6])
    for (let n = 0; n < 120; n++) {
      own.step(H)
      expect(Math.hypot(...body.code)).toBeLessThan(1 - 0.02 + 1e-3)
    }
    // Still going round; each step's turn takes some of its speed, as a blow without bounce does.
    expect(Math.hypot(...body.codeVelocity)).toBeGreaterThan(2)
  })

  it('goes round a pillar without entering it', () => {
    const body = box([0, 0], { selfContact: { field: pillar } })
    const own = world(body)
    body.code.set([-0.5, 0.1])
    body.codeVelocity.set([4, 0])
    let closest = Infinity
    for (let n = 0; n < 60; n++) {
      own.step(H)
      closest = Math.min(closest, Math.hypot(body.code[0] - 0.5, body.code[1]) - 0.3)
    }
    expect(closest).toBeGreaterThan(0)
    expect(closest).toBeLessThan(0.05)
    // It slides along and away.
    expect(body.code[1]).toBeGreaterThan(0.3)
  })

  it('stays in a square whose two walls it is thrown at in one step: a row is laid from where the way crosses it', () => {
    const square = configurationField(2, (q, gradient) => {
      const wall = q[0] > q[1] ? 0 : 1
      gradient[wall] = -1
      return 1 - q[wall]
    })
    for (const speed of [20, 60, 120]) {
      const body = box([0, 0], { selfContact: { field: square } })
      // Where it is and where it would go, the first wall is the nearer one.
      body.code.set([0.5, 0.4])
      body.codeVelocity.set([speed, 0.95 * speed])
      const own = world(body)
      for (let n = 0; n < 5; n++) {
        own.step(H)
        expect(Math.max(...body.code)).toBeLessThan(1 - MARGIN + 2e-3)
      }
    }
  })

  it('brings a code that begins in contact back at a bounded rate, and holds it there against a force', () => {
    const body = box([1, 1], { damping: 0.2, selfContact: { field: halfSpace } })
    const own = world(body, { selfPushOut: 0.5 })
    body.code[0] = 0.7
    body.codeForces[0] = 2 * body.modalStiffness[0]
    let before = 0.7
    for (let n = 0; n < 60; n++) {
      own.step(H)
      expect(before - body.code[0]).toBeLessThan(0.5 * H * (1 + 1e-3))
      before = body.code[0]
    }
    expect(body.code[0]).toBeCloseTo(0.5 - MARGIN, 5)
  })

  it('works while the body lies on something: one list of rows holds both', () => {
    const body = box([3, 3], { damping: 0.1, selfContact: { field: halfSpace } })
    body.position[1] = 0.05
    const ground = { field: { query: groundQuery, bounds: () => undefined } }
    const own = new ReducedWorld([body], { obstacles: [ground], selfMargin: MARGIN })
    body.codeForces[0] = 5 * body.modalStiffness[0]
    for (let n = 0; n < 120; n++) {
      own.step(H)
      expect(body.code[0]).toBeLessThan(0.5 - MARGIN + 1e-5)
    }
    const impulse = new Float64Array(3)
    own.contactImpulse(0, impulse)
    expect(impulse[1] / (body.mass * 9.81 * H)).toBeCloseTo(1, 3)
  })
})

describe("the paper's response", () => {
  /** How far a code goes that is driven into the plane. */
  function deepest(selfResponse: 'paper' | 'speculative'): number {
    const body = box([1, 1], { selfContact: { field: halfSpace } })
    const own = world(body, { selfResponse })
    body.codeVelocity[0] = 8
    let most = 0
    for (let n = 0; n < 60; n++) {
      own.step(H)
      most = Math.max(most, body.code[0])
    }
    return most
  }

  it('acts once the code is in contact, and keeps it from going deeper; ours never lets it in', () => {
    expect(deepest('paper')).toBeGreaterThan(0.5)
    expect(deepest('paper')).toBeLessThan(0.5 + 8 * H)
    expect(deepest('speculative')).toBeLessThan(0.5)
  })

  it('lets a code stay in contact, where ours brings it out', () => {
    for (const selfResponse of ['paper', 'speculative'] as const) {
      const body = box([0, 0], { selfContact: { field: halfSpace } })
      const own = world(body, { selfResponse })
      body.code[0] = 0.6
      for (let n = 0; n < 60; n++) own.step(H)
      if (selfResponse === 'paper') expect(body.code[0]).toBe(0.6)
      else expect(body.code[0]).toBeLessThan(0.5)
    }
  })
})

describe('the box of codes', () => {
  it('keeps a code where the field was trained, at both ends; not with the paper', () => {
    const lower = [-0.4, -0.3]
    const upper = [0.4, 0.2]
    for (const selfResponse of ['speculative', 'paper'] as const) {
      const body = box([1, 1.3], { selfContact: { box: { lower, upper } } })
      const own = world(body, { selfResponse })
      body.codeVelocity.set([9, -9])
      const ends = [0, 0]
      for (let n = 0; n < 120; n++) {
        own.step(H)
        ends[0] = Math.max(ends[0], body.code[0])
        ends[1] = Math.min(ends[1], body.code[1])
      }
      if (selfResponse === 'paper') expect(ends[0]).toBeGreaterThan(0.6)
      else {
        expect(Math.abs(ends[0] - 0.39)).toBeLessThan(0.01 + 1e-6)
        expect(Math.abs(ends[1] + 0.29)).toBeLessThan(0.01 + 1e-6)
      }
    }
  })
})

function groundQuery(
  points: ArrayLike<number>,
  count: number,
  distances: { [i: number]: number },
  gradients?: Float64Array | Float32Array,
) {
  for (let i = 0; i < count; i++) {
    distances[i] = points[3 * i + 1]
    gradients?.set([0, 1, 0], 3 * i)
  }
}
