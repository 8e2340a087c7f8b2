/**
 * A recorded motion in which limbs run into the body, made free of that: of all motions that are free by the learned
 * clearances, the one nearest to the recording and smoothest in what it changes, checked frame by frame by an exact test.
 * Tan et al. handle single shapes (section 3.3); a clip has to be smooth as well.
 *
 * Offsets d of the code are sums of cubic splines in time, over spans around frames that touch (`spline-offsets.ts`):
 *
 *   min  sum over frames of  w |d|^2 / 2 + w |T^2 d''|^2 / 2 + K |what is kept - where it was|^2 / 2
 *   with clearance_p(code + d) >= m_p of each frame and pair of parts p
 *
 * m_p is the margin where parts touch, and elsewhere no more than what the recording has. Where the exact test still finds
 * parts in each other, their m_p grows, and a next pass adds to the offsets around these frames. In the end frames that were
 * free and now touch are given back: knots around them are taken to zero, until no frame touches that did not before.
 */
import type { Floats } from '../../math/floats.js'
import { Lbfgs } from '../../math/lbfgs.js'
import { NOT_NEGATIVE, POSITIVE, type Rules, settingsOf } from '../../math/settings.js'
import { type FrameSpan, SplineOffsets } from './spline-offsets.js'

/** How far parts of a body are apart by its code; `CharacterContactField` is one. */
export interface ClearanceField {
  /** Length of a code. */
  readonly codeSize: number
  /** One for each pair of parts. */
  readonly pairs: readonly unknown[]
  /**
   * How far the parts of each pair are apart at a code.
   * @param out  receives a number for each [m]
   */
  clearances(code: Floats, out: Floats): void
  /** From the gradient of a number by the clearances that were asked last to its gradient by their code. */
  pullBackClearances(byClearances: ArrayLike<number>, out: Floats): void
}

/** The recording, and what decides which frames are free. */
export interface RecordedMotion {
  /** Frames a second. */
  rate: number
  /** Codes of all frames, one after the other. */
  codes: Float64Array
  /**
   * Pairs of parts, by their place in the field's, that are in each other when a frame has another code; -1 for a pair that
   * the field does not know. None if the frame is free.
   */
  contacts(frame: number, code: Float64Array): readonly number[]
  /** What each entry of the code weighs in being near the recording; left out, one. */
  weights?: ArrayLike<number>
  /** Places that are kept, such as feet on the ground. */
  kept?: KeptPlaces
}

/** Points of the body that should stay where the recording has them. */
export interface KeptPlaces {
  /** How many points. */
  readonly pointCount: number
  /** Where they are at a code [m], xyz triples. */
  positions(code: ArrayLike<number>, out: Floats): void
  /** From the gradient of a number by the points to its gradient by the code. */
  pullBack(code: ArrayLike<number>, cotangents: ArrayLike<number>, out: Floats): void
}

/** How a motion is repaired. */
export interface RepairMotionOptions {
  /** Clearance that repaired frames keep by the field [m]. */
  margin?: number
  /** Time that a change takes to come or to go [s]. */
  fade?: number
  /** Time from knot to knot of what is added [s]. */
  spacing?: number
  /** Frames a second that are looked at while solving; all are tested. */
  solvedRate?: number
  /** Passes over the frames that touch at most, each with larger margins where the exact test was not content. */
  passes?: number
  /** What keeping places weighs [1/m^2]: 100 is as much as a turn of 0.1 units for a centimetre. */
  keepWeight?: number
}
/** Changes come and go within 0.4 s, and keep parts 4 mm apart. */
export const REPAIR_MOTION_DEFAULTS = {
  margin: 0.004,
  fade: 0.4,
  spacing: 0.1,
  solvedRate: 30,
  passes: 12,
  keepWeight: 1e4,
} as const

const RULES: Rules<Required<RepairMotionOptions>> = {
  margin: NOT_NEGATIVE,
  fade: POSITIVE,
  spacing: POSITIVE,
  solvedRate: POSITIVE,
  passes: POSITIVE,
  keepWeight: NOT_NEGATIVE,
}

/** What became of a motion. */
export interface RepairedMotion {
  /** Codes of all frames. */
  codes: Float64Array
  /** For each frame whether parts of it were in each other: 1 if so. */
  touchedBefore: Uint8Array
  /** The same of the result. */
  touchesNow: Uint8Array
  /** Frames that were changed, from the first to the last of each span. */
  spans: FrameSpan[]
  /** Pairs that were in each other in any frame, by their place in the field's; -1 stands for those it does not know. */
  pairs: number[]
  /** Solves of all spans. */
  solves: number
  /** Exact tests of all frames. */
  tests: number
}

/**
 * Repairs a motion. Frames that cannot be freed are told in the report; no frame that was free touches afterwards.
 * @throws RangeError if an option is wrong
 */
export function repairMotion(
  field: ClearanceField,
  motion: RecordedMotion,
  options: RepairMotionOptions = {},
): RepairedMotion {
  const repair = new MotionRepair(field, motion, options)
  for (let frame = 0; frame < repair.frames; frame++) repair.look(frame)
  for (let spans = repair.nextPass(); spans.length > 0; spans = repair.nextPass()) {
    for (const span of spans) repair.free(span)
  }
  repair.finish()
  return repair.result
}

/** Passes that may bring nothing at first. */
const PATIENCE = 6
/** Outer and inner iterations of one solve. */
const OUTER = 4
const INNER = 25
/** What a violation of 1 m^2 weighs at first, and how it grows. */
const WEIGHT = 3e3
const WEIGHT_GROWTH = 4
/** Length of the first step to try [unit of the code]. */
const FIRST_STEP = 0.02
/** By how much margins grow where the exact test was not content, in margins, and for how long to either side [s]. */
const MORE = 1
const AROUND = 0.05

/**
 * The same step by step, for whoever shows how far it has come or may be stopped: `look` at every frame, `free` the spans of
 * every pass until there are none, `finish`.
 */
export class MotionRepair {
  /** As far as it has come. */
  readonly result: RepairedMotion
  /** How many frames the motion has. */
  readonly frames: number
  readonly #field: ClearanceField
  readonly #motion: RecordedMotion
  readonly #settings: Required<RepairMotionOptions>
  readonly #size: number
  /** Wanted clearances that are more than the usual, by frame and pair [m]. */
  readonly #wanted = new Map<number, Map<number, number>>()
  readonly #code: Float64Array
  readonly #clearances: Float64Array
  readonly #pairs = new Set<number>()
  #pass = 0
  #fewest = Infinity

  /** @throws RangeError if an option is wrong */
  constructor(field: ClearanceField, motion: RecordedMotion, options: RepairMotionOptions = {}) {
    this.#settings = settingsOf('repair motion', options, { ...REPAIR_MOTION_DEFAULTS }, RULES)
    this.#field = field
    this.#motion = motion
    this.#size = field.codeSize
    this.frames = motion.codes.length / field.codeSize
    this.#code = new Float64Array(field.codeSize)
    this.#clearances = new Float64Array(field.pairs.length)
    this.result = {
      codes: motion.codes.slice(),
      touchedBefore: new Uint8Array(this.frames),
      touchesNow: new Uint8Array(this.frames),
      spans: [],
      pairs: [],
      solves: 0,
      tests: 0,
    }
  }

  /** Tests a frame as it was recorded. */
  look(frame: number): void {
    if (!this.#test(frame, this.#motion.codes.subarray(frame * this.#size, (frame + 1) * this.#size))) return
    this.result.touchedBefore[frame] = 1
    this.result.touchesNow[frame] = 1
  }

  /**
   * Spans of frames to be freed: around all that touch, wide enough for changes to come and go; those that would meet are one.
   * @returns none if all frames are free, or there is no more to try
   */
  nextPass(): FrameSpan[] {
    const touching = this.#touching()
    const isStuck = touching.length >= this.#fewest && this.#pass > PATIENCE
    this.#fewest = Math.min(this.#fewest, touching.length)
    if (this.#pass++ >= this.#settings.passes || isStuck) return []
    const fade = Math.ceil(this.#settings.fade * this.#motion.rate)
    const spans: FrameSpan[] = []
    for (const frame of touching) {
      const [first, last] = [Math.max(0, frame - fade), Math.min(this.frames - 1, frame + fade)]
      const before = spans[spans.length - 1]
      if (before && first <= before.last + 1) before.last = last
      else spans.push({ first, last })
    }
    return spans
  }

  /** Adds to the offsets of a span, if fewer of its frames touch then. */
  free(span: FrameSpan): void {
    const offsets = new SplineOffsets(span, this.#settings.spacing * this.#motion.rate, this.frames)
    const coefficients = new Float64Array(offsets.knots * this.#size)
    this.#solve(offsets, coefficients)
    this.result.solves++
    const codes = this.result.codes.slice(span.first * this.#size, (span.last + 1) * this.#size)
    const touching = Uint8Array.from(this.#framesOf(span), (frame) => {
      this.#write(offsets, coefficients, frame)
      codes.set(this.#code, (frame - span.first) * this.#size)
      return this.#test(frame, this.#code) ? 1 : 0
    })
    const before = this.result.touchesNow.subarray(span.first, span.last + 1)
    if (!(countOf(touching) < countOf(before))) return
    this.result.touchesNow.set(touching, span.first)
    this.result.codes.set(codes, span.first * this.#size)
  }

  /** Gives frames back that touch now and did not before, and tells which were changed. */
  finish(): void {
    const { result, frames } = this
    const size = this.#size
    const fade = Math.ceil(this.#settings.fade * this.#motion.rate)
    const isNew = (frame: number): boolean => result.touchesNow[frame] === 1 && result.touchedBefore[frame] === 0
    for (let frame = 0; frame < frames; frame++) {
      if (!isNew(frame)) continue
      // The offset is faded out to nothing at that frame and in again: all frames that this changes are tested again.
      for (let near = Math.max(0, frame - fade); near <= Math.min(frames - 1, frame + fade); near++) {
        const share = fadeIn(Math.abs(near - frame) / fade)
        for (let i = near * size; i < (near + 1) * size; i++) {
          result.codes[i] = this.#motion.codes[i] + share * (result.codes[i] - this.#motion.codes[i])
        }
        const touches = this.#test(near, result.codes.subarray(near * size, (near + 1) * size))
        result.touchesNow[near] = touches ? 1 : 0
      }
      // Those before may be new in turn; each frame is given back at most once, as it then is what was recorded.
      frame = Math.max(-1, frame - fade - 1)
    }
    result.spans = this.#changed()
  }

  #touching(): number[] {
    return [...this.result.touchesNow.keys()].filter((frame) => this.result.touchesNow[frame] === 1)
  }

  /** Stretches of frames whose codes are not those of the recording. */
  #changed(): FrameSpan[] {
    const spans: FrameSpan[] = []
    for (let frame = 0; frame < this.frames; frame++) {
      const isSame = this.result.codes
        .subarray(frame * this.#size, (frame + 1) * this.#size)
        .every((value, k) => value === this.#motion.codes[frame * this.#size + k])
      if (isSame) continue
      const before = spans[spans.length - 1]
      if (before?.last === frame - 1) before.last = frame
      else spans.push({ first: frame, last: frame })
    }
    return spans
  }

  #framesOf({ first, last }: FrameSpan): number[] {
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  }

  /** Whether a frame with some code touches; then more is wanted of the parts that do. */
  #test(frame: number, code: Float64Array): boolean {
    this.result.tests++
    const found = this.#motion.contacts(frame, code.slice())
    for (const pair of found) this.#pairs.add(pair)
    if (found.length === 0) return false
    this.result.pairs = [...this.#pairs].sort((a, b) => a - b)
    this.#want(frame, found, code)
    return true
  }

  /** Wants a margin of pairs in a frame and its neighbours, or more than they have by the field. */
  #want(frame: number, pairs: readonly number[], code: Float64Array): void {
    const { margin } = this.#settings
    const step = Math.max(MORE * margin, 1e-3)
    this.#field.clearances(code, this.#clearances)
    const around = Math.max(1, Math.round(AROUND * this.#motion.rate))
    for (let near = Math.max(0, frame - around); near <= Math.min(this.frames - 1, frame + around); near++) {
      const wanted = this.#wanted.get(near) ?? new Map<number, number>()
      for (const pair of pairs) {
        if (pair < 0) continue
        wanted.set(pair, Math.max(wanted.get(pair) ?? margin, this.#clearances[pair] + step))
      }
      this.#wanted.set(near, wanted)
    }
  }

  /** The code of a frame as it is by now, with more offset. */
  #write(offsets: SplineOffsets, coefficients: Float64Array, frame: number): void {
    offsets.at(coefficients, this.#size, frame, this.#code)
    for (let k = 0; k < this.#size; k++) this.#code[k] += this.result.codes[frame * this.#size + k]
  }

  #solve(offsets: SplineOffsets, coefficients: Float64Array): void {
    const every = Math.max(1, Math.floor(this.#motion.rate / this.#settings.solvedRate))
    const frames = this.#framesOf(offsets.span).filter((frame) => frame % every === 0)
    const limits = frames.map((frame) => this.#limitsOf(frame))
    const pushes = frames.map(() => new Float64Array(this.#field.pairs.length))
    const solver = new Lbfgs(coefficients.length, { steps: INNER, tolerance: 1e-6, gain: 1e-7 })
    let weight = WEIGHT
    const evaluate = (x: Float64Array, gradient: Float64Array): number => {
      gradient.fill(0)
      let sum = this.#nearness(offsets, x, gradient, every)
      frames.forEach((frame, i) => {
        sum += this.#violation(offsets, x, frame, limits[i], pushes[i], weight, gradient)
      })
      return sum
    }
    for (let outer = 0; outer < OUTER; outer++) {
      solver.minimise(evaluate, coefficients, undefined, FIRST_STEP)
      frames.forEach((frame, i) => {
        this.#write(offsets, coefficients, frame)
        this.#field.clearances(this.#code, this.#clearances)
        for (let pair = 0; pair < pushes[i].length; pair++) {
          pushes[i][pair] = Math.max(0, pushes[i][pair] + weight * (limits[i][pair] - this.#clearances[pair]))
        }
      })
      weight *= WEIGHT_GROWTH
    }
  }

  /** What clearances of a frame must not fall below: the margin, but no more than they have where nothing touches. */
  #limitsOf(frame: number): Float64Array {
    const { margin } = this.#settings
    this.#field.clearances(this.#motion.codes.subarray(frame * this.#size, (frame + 1) * this.#size), this.#clearances)
    const limits = this.#clearances.map((clearance) => Math.min(margin, clearance))
    for (const [pair, wanted] of this.#wanted.get(frame) ?? []) limits[pair] = wanted
    return limits
  }

  /** Of all frames of the span: how far offsets are from none, and how much they bend in time; and what is kept. */
  #nearness(offsets: SplineOffsets, x: Float64Array, gradient: Float64Array, every: number): number {
    const size = this.#size
    const { weights, kept, rate } = this.#motion
    const { fade, keepWeight } = this.#settings
    // A quarter of the time that changes take: bends of that scale weigh as much as their offsets.
    const bend = ((fade / 4) * rate) / every
    const share = every
    const rows: Float64Array[] = []
    const { first, last } = offsets.span
    const frames: number[] = []
    for (let frame = first; frame <= last; frame += every) {
      this.#write(offsets, x, frame)
      rows.push(this.#code.map((value, k) => value - this.#motion.codes[frame * size + k]))
      frames.push(frame)
    }
    const by = rows.map(() => new Float64Array(size))
    let sum = 0
    rows.forEach((row, i) => {
      for (let k = 0; k < size; k++) {
        const w = share * (weights ? weights[k] : 1)
        by[i][k] += w * row[k]
        sum += (w * row[k] * row[k]) / 2
        if (i === 0 || i === rows.length - 1) continue
        const second = bend * bend * (rows[i - 1][k] - 2 * row[k] + rows[i + 1][k])
        sum += (w * second * second) / 2
        const push = w * second * bend * bend
        by[i - 1][k] += push
        by[i][k] -= 2 * push
        by[i + 1][k] += push
      }
      if (kept) sum += this.#keeping(kept, offsets, x, frames[i], share * keepWeight, by[i])
    })
    frames.forEach((frame, i) => {
      offsets.pullBack(by[i], size, frame, gradient)
    })
    return sum
  }

  #keeping(
    kept: KeptPlaces,
    offsets: SplineOffsets,
    x: Float64Array,
    frame: number,
    weight: number,
    byOffset: Float64Array,
  ): number {
    const size = this.#size
    const [was, is, byCode] = [3 * kept.pointCount, 3 * kept.pointCount, size].map((length) => new Float64Array(length))
    kept.positions(this.#motion.codes.subarray(frame * size, (frame + 1) * size), was)
    this.#write(offsets, x, frame)
    kept.positions(this.#code, is)
    let sum = 0
    for (let i = 0; i < is.length; i++) {
      const way = is[i] - was[i]
      sum += (weight * way * way) / 2
      is[i] = weight * way
    }
    kept.pullBack(this.#code, is, byCode)
    for (let k = 0; k < size; k++) byOffset[k] += byCode[k]
    return sum
  }

  /** The augmented Lagrangian's share of one frame, (max(0, push + weight g)^2 - push^2) / 2 weight over its pairs. */
  #violation(
    offsets: SplineOffsets,
    x: Float64Array,
    frame: number,
    limits: Float64Array,
    pushes: Float64Array,
    weight: number,
    gradient: Float64Array,
  ): number {
    this.#write(offsets, x, frame)
    this.#field.clearances(this.#code, this.#clearances)
    let sum = 0
    let isPushed = false
    const by = this.#clearances
    for (let pair = 0; pair < limits.length; pair++) {
      const push = Math.max(0, pushes[pair] + weight * (limits[pair] - by[pair]))
      sum += (push * push - pushes[pair] * pushes[pair]) / (2 * weight)
      by[pair] = -push
      isPushed ||= push > 0
    }
    if (!isPushed) return sum
    const byCode = new Float64Array(this.#size)
    this.#field.pullBackClearances(by, byCode)
    offsets.pullBack(byCode, this.#size, frame, gradient)
    return sum
  }
}

function countOf(flags: Uint8Array): number {
  return flags.reduce((sum, flag) => sum + flag, 0)
}

/** From 0 to 1, without a slope at either end, over the second half of the way; nothing before. */
function fadeIn(x: number): number {
  const t = Math.min(1, Math.max(0, 2 * x - 1))
  return t * t * (3 - 2 * t)
}
