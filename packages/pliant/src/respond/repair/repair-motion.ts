/**
 * A recorded motion in which limbs run into the body, made free of that: of all motions that are free by the learned
 * clearances, the one nearest to the recording and smoothest in what it changes, checked frame by frame by an exact test.
 * Tan et al. handle single shapes (section 3.3); a clip has to be smooth as well.
 *
 * Each pass adds offsets around frames that touch (`solve-span.ts`), which keep the clearance of pairs that touch above a
 * margin, and of others no less than what the recording has. Where the exact test finds parts in each other, the field is
 * corrected by how deep they are, and a next pass adds to the offsets around these frames. Frames that passes cannot free are
 * brought nearer to the box of codes that the field was trained on, if they lie beyond it, and passes go on. In the end frames that were free and
 * now touch are given back: offsets around them are faded out, until no frame touches that did not before.
 */
import { NOT_NEGATIVE, POSITIVE, type Rules, settingsOf } from '../../math/settings.js'
import type { ClearanceField, RecordedMotion } from './recorded-motion.js'
import { SpanSolver } from './solve-span.js'
import { type FrameSpan, SplineOffsets } from './spline-offsets.js'

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
  /**
   * Passes over the frames that touch at most, each with clearances corrected where the exact test found contact; as many again
   * for frames that were brought nearer to what was trained.
   */
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
/** Shares of the way to the trained box that are tried, one after the other from where the last led. */
const INWARDS = [0.5, 1] as const
/** For how long to either side the same is wanted of pairs that touch [s]. */
const AROUND = 0.05
/** What is wanted at least beyond what the field says now, where nobody knows how deep parts are [m]. */
const LEAST_STEP = 1e-3
/** What is asked for at most, of the field's reach: of parts that meet and that it calls further apart it knows nothing. */
const MOST = 0.95

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
  readonly #solver: SpanSolver
  readonly #clearances: Float64Array
  readonly #pairs = new Set<number>()
  #wasBrought = false
  #pass = 0
  #fewest = Infinity

  /** @throws RangeError if an option is wrong */
  constructor(field: ClearanceField, motion: RecordedMotion, options: RepairMotionOptions = {}) {
    this.#settings = settingsOf('repair motion', options, { ...REPAIR_MOTION_DEFAULTS }, RULES)
    this.#field = field
    this.#motion = motion
    this.#size = field.codeSize
    this.frames = motion.codes.length / field.codeSize
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
    this.#solver = new SpanSolver(field, motion, this.result.codes, this.#settings)
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
    if (this.#pass++ < this.#settings.passes && !isStuck) return this.#spansAround(touching)
    if (this.#wasBrought || !this.#bringInside(this.#spansAround(touching))) return []
    this.#wasBrought = true
    this.#pass = 0
    this.#fewest = Infinity
    this.#wanted.clear()
    return this.#spansAround(this.#touching())
  }

  /** Wide enough for changes to come and go; those that would meet are one. */
  #spansAround(touching: readonly number[]): FrameSpan[] {
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
    const coefficients = this.#solver.solve(offsets, (frame) => this.#limitsOf(frame))
    this.result.solves++
    this.#take(span, (frame, code) => this.#solver.write(offsets, coefficients, frame, code))
  }

  /** Takes other codes for a span if fewer of its frames touch then. @returns whether it did */
  #take({ first, last }: FrameSpan, write: (frame: number, code: Float64Array) => void): boolean {
    const codes = new Float64Array((last - first + 1) * this.#size)
    const touching = new Uint8Array(last - first + 1)
    for (let frame = first; frame <= last; frame++) {
      const at = frame - first
      const code = codes.subarray(at * this.#size, (at + 1) * this.#size)
      write(frame, code)
      touching[at] = this.#test(frame, code) ? 1 : 0
    }
    const before = this.result.touchesNow.subarray(first, last + 1)
    if (!(countOf(touching) < countOf(before))) return false
    this.result.touchesNow.set(touching, first)
    this.result.codes.set(codes, first * this.#size)
    return true
  }

  /**
   * Brings frames that touch nearer to the box that the field was trained on, those around them less: beyond it the field may
   * call parts clear that are deep in each other. @returns whether that freed any
   */
  #bringInside(spans: readonly FrameSpan[]): boolean {
    const { bounds } = this.#field
    if (!bounds) return false
    const { codes } = this.result
    const size = this.#size
    const fade = Math.ceil(this.#settings.fade * this.#motion.rate)
    const taken = spans.flatMap((span) =>
      INWARDS.map((share) => {
        const touching = this.#touching().filter((frame) => frame >= span.first && frame <= span.last)
        if (touching.length === 0) return false
        return this.#take(span, (frame, code) => {
          const away = Math.min(...touching.map((other) => Math.abs(other - frame)))
          const part = share * (1 - fadeIn(away / fade))
          for (let k = 0; k < size; k++) {
            const value = codes[frame * size + k]
            code[k] = value + part * (Math.min(Math.max(value, bounds.lower[k]), bounds.upper[k]) - value)
          }
        })
      }),
    )
    return taken.includes(true)
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

  /**
   * Wants the margin of pairs in a frame and its neighbours by the field as corrected there: it is off by what it says of parts in
   * contact and how deep they are, and about as much nearby. To correct its gradient as well, by exact points of both surfaces,
   * led limbs through the body (notes/repair-motion.md).
   */
  #want(frame: number, pairs: readonly number[], code: Float64Array): void {
    const { margin } = this.#settings
    const depths = this.#motion.depths?.()
    const reach = this.#field.reach ?? Infinity
    this.#field.clearances(code, this.#clearances)
    const around = Math.max(1, Math.round(AROUND * this.#motion.rate))
    for (let near = Math.max(0, frame - around); near <= Math.min(this.frames - 1, frame + around); near++) {
      const wanted = this.#wanted.get(near) ?? new Map<number, number>()
      for (const [i, pair] of pairs.entries()) {
        if (pair < 0) continue
        const step = Math.max(margin, LEAST_STEP) + (depths?.[i] ?? 0)
        const more = Math.min(this.#clearances[pair] + step, MOST * reach)
        wanted.set(pair, Math.max(wanted.get(pair) ?? margin, more))
      }
      this.#wanted.set(near, wanted)
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
}

function countOf(flags: Uint8Array): number {
  return flags.reduce((sum, flag) => sum + flag, 0)
}

/** From 0 to 1, without a slope at either end, over the second half of the way; nothing before. */
function fadeIn(x: number): number {
  const t = Math.min(1, Math.max(0, 2 * x - 1))
  return t * t * (3 - 2 * t)
}
