/** Motions of points in the plane that must stay off two discs: what is free, near and smooth is known in closed form. */
import { describe, expect, it } from 'vitest'
import type { ClearanceField, RecordedMotion } from '../../../src/respond/repair/recorded-motion.js'
import { repairMotion } from '../../../src/respond/repair/repair-motion.js'
import { discs } from './discs.js'

/** Along the line y = height, from x = -3 to 7 in so many frames, and an exact test of the two discs. */
function line(height: number, frames = 200): RecordedMotion {
  return {
    rate: 30,
    codes: Float64Array.from({ length: 2 * frames }, (_, i) => (i % 2 ? height : -3 + (10 * (i / 2)) / (frames - 1))),
    contacts: (_frame, code) => [0, 4].flatMap((x, pair) => (Math.hypot(code[0] - x, code[1]) < 1 ? [pair] : [])),
  }
}

/**
 * Past the first disc at y = 0.8, under a ceiling that the third entry of the code lifts: so far above the recording, and
 * lowered by so much of what the point is raised.
 */
function underCeiling(room: number, coupling: number): { motion: RecordedMotion; field: ClearanceField } {
  const at = new Float64Array(3)
  const clearancesOf = ([x, y, lift]: ArrayLike<number> & Iterable<number>): [number, number] => [
    Math.hypot(x, y) - 1,
    room + lift - coupling * (y - 0.8),
  ]
  return {
    motion: {
      rate: 30,
      codes: Float64Array.from({ length: 300 }, (_, i) => [-3 + (6 * Math.floor(i / 3)) / 99, 0.8, 0][i % 3]),
      contacts: (_frame, code) => clearancesOf(code).flatMap((clearance, pair) => (clearance < 0 ? [pair] : [])),
    },
    field: {
      codeSize: 3,
      pairs: ['disc', 'ceiling'],
      clearances(code, out) {
        at.set(code)
        out.set(clearancesOf(at))
      },
      pullBackClearances(by, out) {
        const length = Math.hypot(at[0], at[1])
        out.set([(by[0] * at[0]) / length, (by[0] * at[1]) / length - coupling * by[1], by[1]])
      },
    },
  }
}

/** With how deep the point is in each disc that it touches. */
function withDepths(motion: RecordedMotion): RecordedMotion {
  let depths: number[] = []
  return {
    ...motion,
    contacts(frame, code) {
      const pairs = motion.contacts(frame, code)
      depths = pairs.map((pair) => 1 - Math.hypot(code[0] - 4 * pair, code[1]))
      return pairs
    },
    depths: () => depths,
  }
}

const sum = (flags: Uint8Array): number => flags.reduce((total, flag) => total + flag, 0)

describe('repaired motions', () => {
  it('are free by the exact test, and elsewhere as they were', () => {
    const motion = line(0.8)
    const { codes, touchedBefore, touchesNow, spans, pairs } = repairMotion(discs(), motion)
    expect(sum(touchedBefore)).toBeGreaterThan(40)
    expect(sum(touchesNow)).toBe(0)
    expect(pairs).toEqual([0, 1])
    expect(spans).toHaveLength(2)
    for (let frame = 0; frame < 200; frame++) {
      const [x, y] = codes.subarray(2 * frame, 2 * frame + 2)
      expect(Math.min(Math.hypot(x, y), Math.hypot(x - 4, y))).toBeGreaterThanOrEqual(1)
      if (spans.some(({ first, last }) => frame >= first && frame <= last)) continue
      expect([x, y]).toEqual([...motion.codes.subarray(2 * frame, 2 * frame + 2)])
    }
    // At the top of the disc nothing is nearer than going up by what is missing.
    const top = [...codes.keys()].filter((i) => i % 2 === 1 && Math.abs(codes[i - 1]) < 0.1).map((i) => codes[i])
    for (const y of top) expect(y).toBeLessThan(1.06)
  })

  it('are smooth: what is added bends no faster than its splines', () => {
    const motion = line(0.8)
    const { codes } = repairMotion(discs(), motion)
    const added = Array.from({ length: 200 }, (_, frame) => codes[2 * frame + 1] - motion.codes[2 * frame + 1])
    const largest = Math.max(...added)
    const second = added.slice(2).map((value, i) => Math.abs(value - 2 * added[i + 1] + added[i]))
    expect(Math.max(...second)).toBeLessThan(0.12 * largest)
  })

  it('are free with a field that is too hopeful, as more is asked where the exact test finds contact', () => {
    const { touchedBefore, touchesNow } = repairMotion(discs(0.02), line(0.9))
    expect(sum(touchedBefore)).toBeGreaterThan(20)
    expect(sum(touchesNow)).toBe(0)
  })

  it('are free in few passes with a field that is off by half a radius, if it is known how deep parts are', () => {
    const motion = withDepths(line(0.6))
    const { touchedBefore, touchesNow, codes } = repairMotion(discs(0.5), motion, { passes: 4 })
    expect(sum(touchedBefore)).toBeGreaterThan(20)
    expect(sum(touchesNow)).toBe(0)
    // They keep the margin and not much more, however wrong the field was.
    const top = [...codes.keys()].filter((i) => i % 2 === 1 && Math.abs(codes[i - 1]) < 0.1).map((i) => codes[i])
    for (const y of top) expect(y).toBeLessThan(1.06)
    expect(sum(repairMotion(discs(0.5), line(0.6), { passes: 4 }).touchesNow)).toBeGreaterThan(0)
  })

  it('touch in no frame that was free, with a field that is off by half a radius about one pair', () => {
    const motion = withDepths(line(0.8))
    const right = discs()
    const field: ClearanceField = {
      ...right,
      clearances(code, out) {
        right.clearances(code, out)
        out[1] += 0.5
      },
    }
    const { touchedBefore, touchesNow } = repairMotion(field, motion)
    expect(sum(touchedBefore)).toBeGreaterThan(40)
    expect(sum(touchesNow)).toBe(0)
  })

  it('are brought nearer to what was trained where the field knows nothing, and no further off than that', () => {
    const right = discs()
    // Below the box it calls all clear, and no way leads out.
    const blind = (bounds?: ClearanceField['bounds']): ClearanceField => {
      let knows = true
      return {
        ...right,
        ...{ reach: 0.2, bounds },
        clearances(code, out) {
          right.clearances(code, out)
          knows = code[1] >= 1
          for (const pair of [0, 1]) out[pair] = knows ? Math.min(out[pair], 0.2) : 0.2
        },
        pullBackClearances(by, out) {
          if (knows) right.pullBackClearances(by, out)
          else out.fill(0)
        },
      }
    }
    const motion = withDepths(line(0.3))
    expect(sum(repairMotion(blind(), motion).touchesNow)).toBeGreaterThan(40)
    const { codes, touchesNow } = repairMotion(
      blind({ lower: Float64Array.of(-9, 1.1), upper: Float64Array.of(9, 2) }),
      motion,
    )
    expect(sum(touchesNow)).toBe(0)
    for (let i = 0; i < codes.length; i += 2) {
      expect(codes[i + 1]).toBeLessThan(1.101)
      if (Math.min(Math.abs(codes[i]), Math.abs(codes[i] - 4)) > 1.7) expect(codes[i + 1]).toBe(0.3)
      if (i > 0) expect(Math.abs(codes[i + 1] - codes[i - 1])).toBeLessThan(0.25)
    }
  })

  it('keep as far off for a twentieth of a second before and after a contact, though the exact test finds none there', () => {
    const still = line(0.8)
    for (let i = 0; i < still.codes.length; i += 2) still.codes.set([0, 0.95], i)
    const motion: RecordedMotion = {
      ...still,
      contacts: (frame, code) => (frame === 100 ? still.contacts(frame, code) : []),
    }
    const { codes, touchesNow } = repairMotion(discs(0.1), withDepths(motion))
    expect(sum(touchesNow)).toBe(0)
    for (let frame = 98; frame <= 102; frame++) expect(codes[2 * frame + 1]).toBeGreaterThan(0.999)
  })

  it('are free without a margin as well, with a field that is a little too hopeful', () => {
    const { touchesNow } = repairMotion(discs(0.003), line(0.9), { margin: 0 })
    expect(sum(touchesNow)).toBe(0)
  })

  it('end a solve once all clearances are met', () => {
    const field = discs()
    let asked = 0
    const counting: ClearanceField = {
      ...field,
      clearances(code, out) {
        asked++
        field.clearances(code, out)
      },
    }
    const { solves } = repairMotion(counting, line(0.9))
    expect(solves).toBe(2)
    // Of 11,186 for all rounds of both.
    expect(asked).toBeLessThan(5000)
  })

  it('touch in no frame that was free, whatever cannot be freed', () => {
    // A field that leads to the second disc from the first: both would have to be passed at once.
    const motion = line(0.8)
    const blocked: RecordedMotion = {
      ...motion,
      contacts: (frame, code) => (code[1] > 0.85 ? [0] : motion.contacts(frame, code)),
    }
    const { touchedBefore, touchesNow, codes } = repairMotion(discs(), blocked)
    expect(sum(touchesNow)).toBeGreaterThan(0)
    for (let frame = 0; frame < 200; frame++) {
      if (touchesNow[frame] === 1) expect(touchedBefore[frame]).toBe(1)
      const isFree = blocked.contacts(frame, codes.slice(2 * frame, 2 * frame + 2)).length === 0
      expect(isFree).toBe(touchesNow[frame] === 0)
    }
  })

  it('give frames back that only the repair made touch, though others stay freed', () => {
    const motion = line(0.8)
    const disc = (frame: number): readonly number[] =>
      motion.contacts(frame, motion.codes.slice(2 * frame, 2 * frame + 2))
    const first = [...Array(200).keys()].find((frame) => disc(frame).length > 0)!
    // Free as it was recorded, but in contact as soon as it is raised, in a way that the field knows nothing of.
    const low = first - 1
    const contacts: RecordedMotion['contacts'] = (frame, code) =>
      frame === low && code[1] > 0.801 ? [-1] : motion.contacts(frame, code)
    const { touchedBefore, touchesNow, codes } = repairMotion(discs(), { ...motion, contacts })
    expect([touchedBefore[low], touchesNow[low]]).toEqual([0, 0])
    expect([...codes.subarray(2 * low, 2 * low + 2)]).toEqual([...motion.codes.subarray(2 * low, 2 * low + 2)])
    expect(sum(touchesNow)).toBeLessThan(sum(touchedBefore) / 2)
    for (let frame = 0; frame < 200; frame++) {
      const isFree = contacts(frame, codes.slice(2 * frame, 2 * frame + 2)).length === 0
      expect(isFree).toBe(touchesNow[frame] === 0)
    }
  })

  it('stay as they were where no change makes fewer frames touch', () => {
    const motion = line(0.8)
    const isRecorded = (frame: number, code: Float64Array): boolean =>
      code.every((value, k) => value === motion.codes[2 * frame + k])
    const hopeless: RecordedMotion = {
      ...motion,
      contacts: (frame, code) => (isRecorded(frame, code) ? motion.contacts(frame, code) : [0]),
    }
    const { codes, touchedBefore, touchesNow, spans } = repairMotion(discs(), hopeless)
    expect(codes).toEqual(motion.codes)
    expect(touchesNow).toEqual(touchedBefore)
    expect(spans).toEqual([])
  })

  it('leave parts that are nearer than the margin and do not touch as near as they are', () => {
    const { motion, field } = underCeiling(0.001, 0)
    const { codes, touchesNow } = repairMotion(field, motion)
    expect(sum(touchesNow)).toBe(0)
    for (let frame = 0; frame < 100; frame++) expect(codes[3 * frame + 2]).toBe(0)
  })

  it('keep other parts apart while they free some, in one solve', () => {
    const { motion, field } = underCeiling(0.02, 1)
    const { codes, touchesNow, solves, spans } = repairMotion(field, motion)
    expect(sum(touchesNow)).toBe(0)
    expect([solves, spans.length]).toEqual([1, 1])
    expect(codes.reduce((most, value, i) => (i % 3 === 2 ? Math.max(most, value) : most), 0)).toBeGreaterThan(0.1)
  })

  it('say of parts that the field does not know, and leave them', () => {
    const motion = line(5)
    const strange = { ...motion, contacts: (frame: number) => (frame === 50 ? [-1] : []) }
    const { pairs, touchesNow, codes } = repairMotion(discs(), strange)
    expect(pairs).toEqual([-1])
    expect(sum(touchesNow)).toBe(1)
    expect(codes).toEqual(motion.codes)
  })

  it('free what they can beside parts that the field calls far apart though they meet', () => {
    // The second pair is metres apart by the field, less as soon as anything moves; in two frames it touches, whatever is done.
    const motion = line(0.8)
    const near = discs()
    const field: ClearanceField = {
      ...near,
      reach: 0.5,
      clearances(code, out) {
        near.clearances(code, out)
        out[1] = code[1] === 0.8 ? 50 : 0.5
      },
      pullBackClearances: (by, out) => near.pullBackClearances([by[0], 0], out),
    }
    const stubborn = [55, 62]
    const contacts = (frame: number, code: Float64Array): number[] => [
      ...motion.contacts(frame, code).filter((pair) => pair === 0),
      ...(stubborn.includes(frame) ? [1] : []),
    ]
    const { touchedBefore, touchesNow } = repairMotion(field, { ...motion, contacts })
    expect(sum(touchedBefore)).toBeGreaterThan(20)
    expect([...touchesNow.keys()].filter((frame) => touchesNow[frame] === 1)).toEqual(stubborn)
  })

  it('stay where they were if all is free, and cost a test a frame', () => {
    const motion = line(1.5)
    const { codes, tests, solves, spans } = repairMotion(discs(), motion)
    expect(codes).toEqual(motion.codes)
    expect([tests, solves, spans]).toEqual([200, 0, []])
  })

  it('keep places: what is to stay weighs more than being near', () => {
    const motion = line(0.8)
    // The point's own x is to stay, so it must go up.
    const kept = {
      pointCount: 1,
      positions: (code: ArrayLike<number>, out: Float32Array | Float64Array) => out.set([code[0], 0, 0]),
      pullBack: (_: ArrayLike<number>, by: ArrayLike<number>, out: Float32Array | Float64Array) => out.set([by[0], 0]),
    }
    const sideways = (codes: Float64Array): number =>
      codes.reduce((most, value, i) => (i % 2 ? most : Math.max(most, Math.abs(value - motion.codes[i]))), 0)
    const [free, held] = [motion, { ...motion, kept }].map((each) => repairMotion(discs(), each))
    expect(sum(held.touchesNow)).toBe(0)
    expect(sideways(free.codes)).toBeGreaterThan(10 * sideways(held.codes))
  })

  it('weigh entries: what weighs more moves less', () => {
    const motion = line(0.8)
    const up = (weights: number[]): number => {
      const { codes } = repairMotion(discs(), { ...motion, weights })
      return codes.reduce((total, value, i) => (i % 2 ? total + Math.abs(value - motion.codes[i]) : total), 0)
    }
    expect(up([1, 20])).toBeLessThan(0.9 * up([1, 1]))
  })

  it('refuse options that are none', () => {
    expect(() => repairMotion(discs(), line(0.8), { fade: 0 })).toThrow(/repair motion: fade is 0/)
    expect(() => repairMotion(discs(), line(0.8), { margin: -1 })).toThrow(/repair motion: margin is -1/)
  })
})
