/** Codes moved to where a goal is served best among the free ones, against answers in closed form. */
import { describe, expect, it } from 'vitest'
import type { ConfigurationField, ExactTest } from '../../../src/index.js'
import { randomStream } from '../../../src/math/random.js'
import { JointCode } from '../../../src/model/joint-code.js'
import { movedPoints } from '../../../src/model/moved-points.js'
import type { MovedPoints } from '../../../src/model/reduced-model.js'
import { Skeleton } from '../../../src/model/skeleton.js'
import { SkinnedCharacter } from '../../../src/model/skinned-character.js'
import { type DomainField, HANDLE_DEFAULTS, handleCode, repairCode } from '../../../src/respond/index.js'

type Distance = (q: ArrayLike<number>) => number
type Bounded<F> = F & { bounds?: { lower: number[]; upper: number[] } }

function gradientOf(distance: Distance, code: ArrayLike<number>, out: { [k: number]: number }, at = 0): void {
  const q = Array.from(code)
  q.forEach((value, k) => {
    const step = (by: number) => distance(q.map((other, j) => (j === k ? value + by : other)))
    out[at + k] = (step(1e-6) - step(-1e-6)) / 2e-6
  })
}

function fieldOf(codeSize: number, distance: Distance, bounds?: { lower: number[]; upper: number[] }) {
  const field: Bounded<ConfigurationField> & { asked: number } = {
    codeSize,
    asked: 0,
    ...(bounds && { bounds }),
    query(codes, count, distances, gradients) {
      for (let i = 0; i < count; i++) {
        this.asked++
        const code = codes.subarray(codeSize * i, codeSize * (i + 1))
        distances[i] = distance(code)
        if (gradients) gradientOf(distance, code, gradients, codeSize * i)
      }
    },
  }
  return field
}

const domainsOf = (codeSize: number, ...all: Distance[]): DomainField => ({
  codeSize,
  domainCount: all.length,
  queryDomains(code, distances, gradients) {
    all.forEach((distance, i) => {
      distances[i] = distance(code)
      gradientOf(distance, code, gradients, codeSize * i)
    })
  },
})

const testOf = (touches: (q: Float64Array) => boolean): ExactTest & { asked: number } => ({
  asked: 0,
  touches(code) {
    this.asked++
    return touches(code)
  },
})

const away = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.hypot(...Array.from(a, (value, k) => value - b[k]))

const MIDDLE = [0.2, 0, 0]
const BALL: Distance = (q) => away(q, MIDDLE) - 0.5
const { margin: MARGIN, tolerance } = HANDLE_DEFAULTS
/** What a result may be off by: it is aimed one tolerance beyond the margin, and met to one tolerance. */
const OFF = 2 * tolerance + 1e-5

describe('handleCode', () => {
  it('puts codes onto the nearest point of a ball, with the margin (seed 1)', () => {
    const random = randomStream(1)
    const exact = testOf((q) => BALL(q) <= 0)
    let touching = 0
    while (touching < 40) {
      const code = Float64Array.from({ length: 3 }, () => random.between(-0.3, 0.7))
      const depth = -BALL(code)
      if (depth < 0 || depth > 0.45) continue
      touching++
      const out = new Float64Array(3)
      const field = fieldOf(3, BALL)
      const report = handleCode(field, exact, code, {}, out)
      const scale = (0.5 + MARGIN) / (0.5 - depth)
      const nearest = code.map((value, k) => MIDDLE[k] + scale * (value - MIDDLE[k]))
      expect(away(out, nearest)).toBeLessThan(OFF)
      expect(BALL(out)).toBeGreaterThanOrEqual(MARGIN)
      expect(report).toMatchObject({ free: true, wasFree: false, solves: 1, searched: false, tests: 2, violation: 0 })
      expect(report.moved).toBeCloseTo(away(out, code), 12)
      expect(report.evaluations).toBe(field.asked)
      expect(report.outerIterations).toBeGreaterThan(0)
    }
    expect(exact.asked).toBe(80)
  })

  it('goes by the weights of the entries to a half space', () => {
    const normal = [0.6, 0, 0.8]
    const weights = [1, 3, 10]
    const plane: Distance = (q) => 0.6 * q[0] + 0.8 * q[2] - 0.3
    const code = [-0.1, 0.4, 0.1]
    const out = new Float64Array(3)
    const report = handleCode(fieldOf(3, plane), undefined, code, { goal: { weights } }, out)
    const gap = MARGIN - plane(code)
    const square = normal.reduce((sum, n, k) => sum + (n * n) / weights[k], 0)
    const due = code.map((value, k) => value + (gap * normal[k]) / weights[k] / square)
    expect(report).toMatchObject({ free: true, tests: 0, solves: 1 })
    expect(away(out, due)).toBeLessThan(2 * OFF)
    expect(plane(out)).toBeGreaterThanOrEqual(MARGIN)
  })

  it('meets constraints by their multipliers, not by weight alone', () => {
    const plane: Distance = (q) => q[0] - 0.3
    const out = new Float64Array(2)
    const report = handleCode(fieldOf(2, plane), undefined, [-0.2, 0.1], { mostWeight: 10 }, out)
    expect(report).toMatchObject({ free: true, solves: 1, searched: false })
    expect(away(out, [0.3 + MARGIN, 0.1])).toBeLessThan(OFF)
    // Each iteration leaves 1 of 11 parts of the violation.
    expect(report.outerIterations).toBe(Math.ceil(Math.log(0.5102 / tolerance) / Math.log(11)))
  })

  it('finds the corner of two half spaces, each a constraint of its own', () => {
    const field = domainsOf(
      2,
      (q) => q[0] + 0.2 * q[1] - 0.3,
      (q) => q[1] - 0.2,
    )
    const out = new Float64Array(2)
    const report = handleCode(field, undefined, [0, 0], {}, out)
    const corner = [0.3 + MARGIN - 0.2 * (0.2 + MARGIN), 0.2 + MARGIN]
    expect(away(out, corner)).toBeLessThan(2 * OFF)
    expect(report).toMatchObject({ free: true, solves: 1, searched: false })
    // One of them alone in the way: the other does not push.
    handleCode(field, undefined, [0, 0.9], {}, out)
    const gap = 0.3 + MARGIN - 0.18
    expect(away(out, [gap / 1.04, 0.9 + (0.2 * gap) / 1.04])).toBeLessThan(2 * OFF)
  })

  it('projects codes of 35 entries onto what eight half spaces leave (seed 9)', () => {
    const random = randomStream(9)
    for (let round = 0; round < 5; round++) {
      const walls = Array.from({ length: 8 }, () => {
        const normal = Array.from({ length: 35 }, () => random.normal())
        return { normal: normal.map((value) => value / Math.hypot(...normal)), from: random.between(-0.1, 0.4) }
      })
      const over = (q: ArrayLike<number>, wall: (typeof walls)[number]): number =>
        wall.normal.reduce((sum, value, k) => sum + value * q[k], -wall.from)
      const code = Float64Array.from({ length: 35 }, () => random.between(-0.2, 0.2))
      // Dykstra's projections, one wall after the other, each with what it pushed the last time taken back first.
      const due = code.slice()
      const pushes = walls.map(() => 0)
      for (let sweep = 0; sweep < 300; sweep++) {
        walls.forEach((wall, i) => {
          const push = Math.max(0, pushes[i] + MARGIN - over(due, wall))
          wall.normal.forEach((value, k) => {
            due[k] += (push - pushes[i]) * value
          })
          pushes[i] = push
        })
      }
      const held = pushes.filter((push) => push > 0).length
      expect(held).toBeGreaterThan(2)
      const field: DomainField = {
        codeSize: 35,
        domainCount: 8,
        queryDomains(q, distances, gradients) {
          walls.forEach((wall, i) => {
            distances[i] = over(q, wall)
            gradients.set(wall.normal, 35 * i)
          })
        },
      }
      const out = new Float64Array(35)
      const report = handleCode(field, undefined, code, {}, out)
      expect(report).toMatchObject({ free: true, solves: 1, searched: false, violation: 0 })
      expect(away(out, due)).toBeLessThan(3 * OFF)
    }
  })

  it('finds the way between two balls that overlap, and across a flat ellipse: neither is convex', () => {
    const balls = domainsOf(
      2,
      (q) => away(q, [-0.3, 0]) - 0.5,
      (q) => away(q, [0.3, 0]) - 0.5,
    )
    const out = new Float64Array(2)
    expect(handleCode(balls, undefined, [0.02, 0.1], {}, out).free).toBe(true)
    expect(away(out, [0, Math.sqrt((0.5 + MARGIN) ** 2 - 0.09)])).toBeLessThan(3 * OFF)
    const [a, b] = [1, 0.3]
    const ellipse: Distance = (q) => Math.hypot(q[0] / a, q[1] / b) - 1
    const start = [0.6, 0.02]
    let nearest = Infinity
    for (let angle = 0; angle < 2 * Math.PI; angle += 1e-4) {
      const [x, y] = [a * (1 + MARGIN) * Math.cos(angle), b * (1 + MARGIN) * Math.sin(angle)]
      nearest = Math.min(nearest, Math.hypot(x - start[0], y - start[1]))
    }
    const report = handleCode(fieldOf(2, ellipse), undefined, start, {}, out)
    expect(report.free).toBe(true)
    expect(report.moved).toBeGreaterThan(nearest - 1e-6)
    expect(report.moved).toBeLessThan(nearest + OFF)
  })

  it('begins where it is told to, and still serves the code as given', () => {
    // Left and right of a band both are free; the code is nearer to the right.
    const band = fieldOf(1, (q) => Math.abs(q[0]) - 0.2)
    const out = new Float64Array(1)
    expect(handleCode(band, undefined, [0.05], { start: [-0.1] }, out).moved).toBeCloseTo(0.26, 3)
    expect(out[0]).toBeCloseTo(-0.2 - MARGIN, 3)
    handleCode(band, undefined, [0.05], { start: [0.9] }, out)
    expect(out[0]).toBeCloseTo(0.2 + MARGIN, 3)
    expect(() => handleCode(band, undefined, [0.05], { start: [1, 2] }, out)).toThrow('2 for 1 start values')
  })

  it('stays in the box: along its wall where the way out is blocked, and from outside onto it first', () => {
    const slope: Distance = (q) => q[0] + 0.5 * q[1] - 1.2
    const box = { lower: [-1, -1], upper: [1, 1] }
    const out = new Float64Array(2)
    const report = handleCode(fieldOf(2, slope, box), undefined, [0.99, 0], {}, out)
    expect(report.free).toBe(true)
    expect(away(out, [1, 0.4 + 2 * MARGIN])).toBeLessThan(2 * OFF)
    expect(out[0]).toBeLessThanOrEqual(1)
    const outside = handleCode(fieldOf(2, slope), undefined, [1.5, 0.9], { box }, out)
    expect(outside).toMatchObject({ free: true, wasFree: true, clamped: true, solves: 0, evaluations: 2 })
    expect([...out]).toEqual([1, 0.9])
    expect(outside.moved).toBeCloseTo(0.5, 12)
  })

  it('solves again with a larger margin where the exact test disagrees with the field, and then searches', () => {
    const field = fieldOf(3, (q) => away(q, MIDDLE) - 0.46)
    const exact = testOf((q) => BALL(q) <= 0)
    const code = [0.4, 0.1, 0]
    const out = new Float64Array(3)
    const second = handleCode(field, exact, code, { secondMargin: 0.06 }, out)
    expect(second).toMatchObject({ free: true, solves: 2, searched: false, tests: 3, violation: 0 })
    expect(away(out, MIDDLE)).toBeGreaterThan(0.52 - 1e-9)
    expect(away(out, MIDDLE)).toBeLessThan(0.52 + OFF)
    const searched = handleCode(field, exact, code, { secondMargin: 0.02 }, out)
    expect(searched).toMatchObject({ free: true, solves: 2, searched: true })
    expect(BALL(out)).toBeGreaterThan(0)
    expect(BALL(out)).toBeLessThan(0.02)
    expect(exact.asked).toBe(second.tests + searched.tests)
    // From the code as it was given: where the solves ended by a field that is off, other free codes are near.
    const off = fieldOf(3, (q) => away(q, [0.2, 0.15, 0]) - 0.3)
    const due = new Float64Array(3)
    repairCode(off, exact, code, { margin: MARGIN }, due)
    expect(handleCode(off, exact, code, {}, out)).toMatchObject({ free: true, solves: 2, searched: true })
    expect(out).toEqual(due)
    // The search goes by the least of several distances.
    const domains = domainsOf(
      3,
      () => 5,
      (q) => away(q, MIDDLE) - 0.46,
    )
    expect(handleCode(domains, exact, code, { secondMargin: 0.02 }, out)).toMatchObject({ free: true, searched: true })
  })

  it('says so where nothing is free, and hands the code back', () => {
    const nowhere = fieldOf(2, (q) => -1 - q[0] * q[0])
    const out = new Float64Array(2)
    for (const exact of [testOf(() => true), undefined]) {
      const report = handleCode(nowhere, exact, [0.5, 0.1], {}, out)
      expect(report).toMatchObject({ free: false, wasFree: false, solves: 2, searched: true, moved: 0 })
      expect(report.violation).toBeCloseTo(MARGIN + 1.25, 12)
      expect([...out]).toEqual([0.5, 0.1])
    }
  })

  it('leaves free codes as they are, however near to contact', () => {
    const out = new Float64Array(3)
    const near = [0.705, 0, 0]
    const report = handleCode(
      fieldOf(3, BALL),
      testOf((q) => BALL(q) <= 0),
      near,
      {},
      out,
    )
    expect(report).toMatchObject({ free: true, wasFree: true, moved: 0, solves: 0, tests: 1 })
    expect(report.violation).toBeCloseTo(0.005, 12)
    expect([...out]).toEqual(near)
  })

  it('in single precision tests what it hands back, does the same again, and may write over the code', () => {
    const exact = testOf((q) => {
      expect(q).toEqual(Float64Array.from(Float32Array.from(q)))
      return BALL(q) <= 0
    })
    const code = Float32Array.of(0.33, 0.12, -0.21)
    const aside = new Float32Array(3)
    const due = handleCode(fieldOf(3, BALL), exact, code, {}, aside)
    expect(BALL(aside)).toBeGreaterThan(0)
    expect(handleCode(fieldOf(3, BALL), exact, code, {}, code)).toEqual(due)
    expect(code).toEqual(aside)
  })

  it('refuses what is no code, no room, no option and no goal, in one line', () => {
    const call = (code: number[], options: object, room = new Float64Array(3)) =>
      handleCode(fieldOf(3, BALL), undefined, code, options, room)
    const inside = [0.3, 0, 0]
    expect(() => call([1, 2], {})).toThrow('handle: Array of 2 for 3 code values; pass one number each.')
    expect(() => call(inside, {}, new Float64Array(2))).toThrow(/room for Float64Array of 2; pass .* of 3\.$/)
    expect(() => call(inside, { margin: -1 })).toThrow('handle: margin is -1; give zero or more.')
    expect(() => call(inside, { shrink: 1 })).toThrow('handle: shrink is 1; give a number above 1.')
    expect(() => call(inside, { steps: 4 })).toThrow("handle: there is no option 'steps'")
    expect(() => call(inside, { goal: { weights: [1, -1, 1] } })).toThrow('handle: weight 1 is -1; give zero or more.')
    const points = { codeSize: 2, pointCount: 1, positions() {}, pullBack() {} } as MovedPoints
    const goal = { points, targets: [0, 0, 0] }
    expect(() => call(inside, { goal })).toThrow('handle: points of 2 code values, the field has 3; pass its own.')
    const short = { points, targets: [0, 0] }
    expect(() => call(inside, { goal: short })).toThrow('handle: Array of 2 for 3 target values')
    expect(() =>
      call(inside, { goal: { points: { ...points, codeSize: 3 }, targets: [0, 0, 0], codeWeight: 0 } }),
    ).toThrow('handle: codeWeight is 0; give a positive number.')
  })
})

/** Upper and lower arm of 1 m each from the origin along x, turned about z by pi times the code; the fingertip is a vertex. */
function twoJointArm(): SkinnedCharacter {
  const skeleton = new Skeleton({
    names: ['root', 'upper', 'lower'],
    parents: Int32Array.of(-1, 0, 1),
    root: 0,
    rest: {
      translations: Float64Array.of(0, 0, 0, 0, 0, 0, 1, 0, 0),
      rotations: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
      scales: new Float64Array(9).fill(1),
    },
  })
  const code = new JointCode(skeleton, {
    joints: Uint16Array.of(1, 2),
    axes: Uint8Array.of(2, 2),
    units: Float64Array.of(Math.PI, Math.PI),
    fixed: skeleton.createPose(),
    bounds: { lower: Float64Array.of(-1, -1), upper: Float64Array.of(1, 1) },
    dropped: [],
    largestAngle: 0,
  })
  const surface = {
    bound: Float64Array.of(1, 0, 0, 2, 0, 0),
    triangles: new Uint32Array(0),
    bones: {
      joints: Uint16Array.of(1, 2),
      inverseBind: Float64Array.of(
        ...[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
        ...[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1],
      ),
    },
    influenceStarts: Uint32Array.of(0, 1, 2),
    influenceBones: Uint16Array.of(0, 1),
    influenceWeights: Float32Array.of(1, 1),
    morphTargets: [],
    morphWeights: new Float64Array(0),
    meshes: [],
  }
  return new SkinnedCharacter({ skeleton, surface, code, skinning: 'linear', height: 2 })
}

describe('handleCode with a goal in space', () => {
  const fingertip = movedPoints(twoJointArm(), [1])
  const placeOf = (code: Float64Array): Float64Array => {
    const at = new Float64Array(3)
    fingertip.positions(code, at)
    return at
  }
  /** The elbow must stay bent by more than 0.3 pi. */
  const bent = (): ConfigurationField => fieldOf(2, (q) => q[1] - 0.3)
  const out = new Float64Array(2)

  it('reaches a target that can be reached, by the elbow that is nearer to the code', () => {
    // (1, 1) is reached with the upper arm along x and the elbow at a right angle, or the other way round.
    const goal = { points: fingertip, targets: [1, 1, 0], codeWeight: 1e-6 }
    const report = handleCode(bent(), undefined, [0.1, 0.4], { goal }, out)
    expect(report).toMatchObject({ free: true, wasFree: true, solves: 1, searched: false })
    expect(away(out, [0, 0.5])).toBeLessThan(1e-4)
    const loose = fieldOf(2, () => 1)
    handleCode(loose, undefined, [0.4, -0.4], { goal }, out)
    expect(away(out, [0.5, -0.5])).toBeLessThan(1e-4)
  })

  it('comes as near as free codes allow: the elbow at its limit, the hand towards the target', () => {
    const target = [1.2, 1.6, 0]
    const goal = { points: fingertip, targets: target, codeWeight: 1e-6 }
    const report = handleCode(bent(), undefined, [0, 0.5], { goal }, out)
    expect(report).toMatchObject({ free: true, solves: 1 })
    // With the elbow at angle b the hand is at 2 cos(b / 2), b / 2 before the upper arm's direction.
    const elbow = 0.3 + MARGIN
    const upper = Math.atan2(1.6, 1.2) / Math.PI - elbow / 2
    expect(away(out, [upper, elbow])).toBeLessThan(2 * OFF)
    const short = 2 - 2 * Math.cos((elbow * Math.PI) / 2)
    expect(away(placeOf(out), target)).toBeCloseTo(short, 3)
  })

  it('weighs the distance to the code as it says, whatever the size of the body', () => {
    for (const size of [0.01, 1, 100]) {
      // One point at size (z0 + z1) along x, wanted at size: (2 a - 1) / 2 + codeWeight a = 0, both entries a.
      const points: MovedPoints = {
        codeSize: 2,
        pointCount: 1,
        positions: (code, at) => at.set([size * (code[0] + code[1]), 0, 0]),
        pullBack: (_, cotangents, gradient) => gradient.fill(size * cotangents[0]),
      }
      for (const codeWeight of [1e-3, 0.5]) {
        const goal = { points, targets: [size, 0, 0], codeWeight }
        handleCode(
          fieldOf(2, () => 1),
          undefined,
          [0, 0],
          { goal },
          out,
        )
        expect(out[0]).toBeCloseTo(0.5 / (1 + codeWeight), 4)
        expect(out[1]).toBeCloseTo(0.5 / (1 + codeWeight), 4)
      }
    }
  })

  it('of all codes that serve, takes the one nearest to the given code', () => {
    // A third entry that moves nothing stays where it was wished.
    const points: MovedPoints = {
      codeSize: 3,
      pointCount: 1,
      positions: (code, at) => fingertip.positions([code[0], code[1]], at),
      pullBack(code, cotangents, gradient) {
        const two = new Float64Array(2)
        fingertip.pullBack([code[0], code[1]], cotangents, two)
        gradient.set([...two, 0])
      },
    }
    const three = new Float64Array(3)
    const box = { lower: [-1, -1, -1], upper: [1, 1, 1] }
    handleCode(
      fieldOf(3, (q) => q[1] - 0.3 + 0.5 * q[2], box),
      undefined,
      [0.1, 0.4, 0.25],
      { goal: { points, targets: [1, 1, 0] } },
      three,
    )
    expect(away(three, [0, 0.5, 0.25])).toBeLessThan(2e-3)
  })

  it('checks the result exactly, and keeps a free code rather than hand back one that is not', () => {
    const goal = { points: fingertip, targets: [1.2, 1.6, 0] }
    const start = [0, 0.5]
    const exact = testOf((q) => q[0] !== start[0] || q[1] !== start[1])
    const report = handleCode(bent(), exact, start, { goal }, out)
    expect(report).toMatchObject({ free: true, wasFree: true, solves: 2, searched: true, moved: 0 })
    expect([...out]).toEqual(start)
  })
})
