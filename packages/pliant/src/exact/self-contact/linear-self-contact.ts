/**
 * Whether the shape x0 + U q touches itself, exactly, for one code after another (Cai et al., section 3: "sign"; touching
 * counts as colliding). What is the same for all codes is done once: pairs of triangles that cannot meet in the box of
 * codes are ruled out for good (`separated-pairs.ts`), the others lie in a tree of pairs (`pair-tree.ts`). A query tries the
 * pairs that met lately, then searches the tree for candidates, for four codes at once where there is SIMD
 * (`candidate-search.ts`), and settles those in doubles. The answer is that of `SelfIntersection` at the same positions;
 * codes outside the box are handed to it. The box may be made a little wider than that of the codes: a simulated body that
 * is pressed against an end of its box lies a hair outside at every step.
 */
import type { Floats } from '../../math/floats.js'
import { requireCount, requireFinite, requireNumbers, shown } from '../../math/require.js'
import { SelfIntersection } from '../self-intersection.js'
import { type CandidatePlan, planCandidates } from './candidate-plan.js'
import type { CandidateSearch } from './candidate-search.js'
import type { ContactTest } from './contact-test.js'
import { type LinearShape, requireLinearShape } from './linear-shape.js'
import { PairTest } from './pair-test.js'
import { ScalarCandidates } from './scalar-candidates.js'
import { candidateKernels, SimdCandidates } from './wasm/simd-candidates.js'

export type { LinearShape } from './linear-shape.js'

export interface LinearSelfContactOptions {
  /** What searches for candidates: 'auto' takes SIMD where the host has it. Answers are the same. */
  kernel?: 'auto' | 'simd' | 'scalar'
  /** How far beyond each end of the box codes are served as fast as within, as a share of its side; zero or more. */
  beyond?: number
}

/** Pairs that met lately, tried before all others. */
const LIKELY_PAIRS = 24

export class LinearSelfContact implements ContactTest {
  readonly codeSize: number
  readonly bounds: LinearShape['bounds']
  tests = 0
  /** Triangle numbers of the pair that last made `touches` say yes. */
  readonly witness = new Uint32Array(2)
  private readonly plan: CandidatePlan
  private readonly search: CandidateSearch
  private readonly pairTest: PairTest
  /** Triangle numbers, two per pair. */
  private readonly likely: number[] = []
  /** The codes that are searched together, and which of the batch they are. */
  private readonly laneCodes: Float64Array
  private readonly laneOf: Int32Array
  /** The code that was last asked alone, and whether the vertices are there. */
  private readonly asked: Float64Array
  private readonly moved: Float64Array
  private isMoved = true
  private outside: SelfIntersection | undefined
  /** The box in which pairs were ruled out. */
  private readonly box: LinearShape['bounds']

  /** @throws RangeError if the mesh is broken, sizes disagree, the modes or the box are not finite, or `beyond` is negative */
  constructor(
    readonly shape: LinearShape,
    { kernel = 'auto', beyond = 0 }: LinearSelfContactOptions = {},
  ) {
    requireLinearShape(shape)
    this.codeSize = shape.bounds.lower.length
    this.bounds = shape.bounds
    this.box = widened(shape.bounds, beyond)
    this.plan = planCandidates({ ...shape, bounds: this.box })
    const isSimd = kernel === 'simd' || (kernel === 'auto' && !candidateKernels.obstacle)
    this.search = isSimd ? new SimdCandidates(this.plan) : new ScalarCandidates(this.plan)
    this.pairTest = new PairTest(shape)
    this.laneCodes = new Float64Array(this.search.lanes * this.codeSize)
    this.laneOf = new Int32Array(this.search.lanes)
    this.asked = new Float64Array(this.codeSize)
    this.moved = Float64Array.from(shape.rest)
  }

  /** Pairs of triangles that may meet somewhere in the box; none of the others is ever looked at. */
  get possiblePairs(): number {
    const { nodeA, nodeB, isLast } = this.plan.pairs
    const { size } = this.plan.nodes
    return isLast.reduce((sum, last, i) => sum + last * size[nodeA[i]] * size[nodeB[i]], 0)
  }

  /** Positions [m] at the code that was last asked alone. */
  get positions(): Float64Array {
    if (!this.isMoved) this.moveAll(this.asked, 0)
    this.isMoved = true
    return this.moved
  }

  /**
   * Whether any two triangles that share no vertex have a point in common.
   * @throws RangeError if the code has another length or is not finite
   */
  touches(code: ArrayLike<number>): boolean {
    this.moveTo(code)
    this.tests++
    const { asked, laneCodes } = this
    if (!this.isInBox(asked, 0)) return this.touchesOutside(asked, 0)
    if (this.someLikelyPairMeets(asked, 0)) return true
    laneCodes.set(asked)
    return this.searchLanes(1) === 1
  }

  /**
   * The same for many codes, faster than one by one.
   * @param codes  one after the other, `count` of them
   * @param out    receives 1 for a code that touches itself, 0 for a free one
   * @throws RangeError if there are fewer, one is not finite, or `out` is too short; nothing is written then
   */
  touchesAll(codes: Floats, count: number, out: Int8Array): void {
    const { codeSize, laneCodes, laneOf } = this
    const { lanes } = this.search
    requireBatch(codes, count, codeSize, out)
    let waiting = 0
    const settle = (): void => {
      const touching = this.searchLanes(waiting)
      for (let lane = 0; lane < waiting; lane++) out[laneOf[lane]] = (touching >> lane) & 1
      waiting = 0
    }
    for (let i = 0, from = 0; i < count; i++, from += codeSize) {
      const at = waiting * codeSize
      for (let k = 0; k < codeSize; k++) laneCodes[at + k] = codes[from + k]
      this.tests++
      if (!this.isInBox(codes, from)) out[i] = this.touchesOutside(laneCodes, at) ? 1 : 0
      else if (this.someLikelyPairMeets(laneCodes, at)) out[i] = 1
      else {
        laneOf[waiting++] = i
        if (waiting === lanes) settle()
      }
    }
    if (waiting > 0) settle()
  }

  /**
   * All pairs of triangles that meet at a code, two numbers each.
   * @throws RangeError if the code has another length or is not finite
   */
  meetingPairs(code: ArrayLike<number>): ArrayLike<number> {
    this.moveTo(code)
    this.tests++
    const { asked, search, laneCodes } = this
    if (!this.isInBox(asked, 0)) return this.outsideAt(asked, 0).pairs().pairs
    laneCodes.set(asked)
    search.begin(laneCodes)
    const pairs: number[] = []
    for (let count = search.next(1); count > 0; count = search.next(1)) {
      for (let i = 0; i < 3 * count; i += 3) {
        if (this.pairMeets(search.found[i], search.found[i + 1])) pairs.push(search.found[i], search.found[i + 1])
      }
    }
    return pairs
  }

  /** Whether two triangles, by their numbers, meet at the code that was last asked alone. */
  pairMeets(a: number, b: number): boolean {
    return this.pairTest.meet(this.asked, 0, a, b)
  }

  /** @param out  receives the corners of two triangles at that code, xyz triples [m] */
  writeCorners(a: number, b: number, out: Float64Array): void {
    this.pairTest.writeCorners(this.asked, 0, a, b, out)
  }

  writeSlope(a: number, b: number, weights: Float64Array, direction: ArrayLike<number>, out: Float64Array): void {
    const { rest, modes, triangles } = this.shape
    for (let mode = 0; mode < this.codeSize; mode++) {
      let slope = 0
      for (let k = 0; k < 6; k++) {
        const weight = k < 3 ? weights[k] : -weights[k]
        const vertex = k < 3 ? triangles[3 * a + k] : triangles[3 * b + k - 3]
        const o = mode * rest.length + 3 * vertex
        for (let axis = 0; axis < 3; axis++) slope += weight * modes[o + axis] * direction[axis]
      }
      out[mode] = slope
    }
  }

  /**
   * Asks for no answer: what else is asked is at this code from now on.
   * @throws RangeError if the code has another length or is not finite
   */
  moveTo(code: ArrayLike<number>): void {
    requireNumbers('self-contact', code, 'code value', this.codeSize)
    this.asked.set(code)
    this.isMoved = false
  }

  private moveAll(codes: Float64Array, from: number): void {
    const { rest, modes } = this.shape
    const { moved } = this
    this.isMoved = false
    moved.set(rest)
    for (let k = 0; k < this.codeSize; k++) {
      const weight = codes[from + k]
      for (let i = 0, o = k * rest.length; i < rest.length; i++, o++) moved[i] += weight * modes[o]
    }
  }

  private isInBox(codes: ArrayLike<number>, from: number): boolean {
    const { lower, upper } = this.box
    for (let k = 0; k < this.codeSize; k++) {
      if (!(codes[from + k] >= lower[k] && codes[from + k] <= upper[k])) return false
    }
    return true
  }

  /** The plain test at a code, nothing ruled out before. */
  private outsideAt(codes: Float64Array, from: number): SelfIntersection {
    const { moved } = this
    this.moveAll(codes, from)
    this.outside ??= new SelfIntersection({ positions: moved, triangles: this.shape.triangles })
    this.outside.update(moved)
    return this.outside
  }

  private touchesOutside(codes: Float64Array, from: number): boolean {
    const outside = this.outsideAt(codes, from)
    if (!outside.any()) return false
    this.witness.set(outside.pairs({ limit: 1 }).pairs)
    return true
  }

  private someLikelyPairMeets(codes: Float64Array, at: number): boolean {
    const { likely, witness } = this
    for (let i = 0; i < likely.length; i += 2) {
      const a = likely[i]
      const b = likely[i + 1]
      if (!this.pairTest.meet(codes, at, a, b)) continue
      witness[0] = a
      witness[1] = b
      // One place forward: pairs that meet often come to the front.
      if (i > 0) {
        likely[i] = likely[i - 2]
        likely[i + 1] = likely[i - 1]
        likely[i - 2] = a
        likely[i - 1] = b
      }
      return true
    }
    return false
  }

  /** @returns a bit for each of the first lanes whose code touches itself */
  private searchLanes(count: number): number {
    const { search, laneCodes, codeSize } = this
    const { found } = search
    const all = (1 << count) - 1
    // Whatever codes the other lanes hold, nobody asks for what is found there.
    search.begin(laneCodes)
    let alive = all
    while (alive !== 0) {
      const end = 3 * search.next(alive)
      if (end === 0) break
      for (let i = 0; i < end; i += 3) {
        const lanes = found[i + 2] & alive
        for (let lane = 0; lanes >> lane !== 0; lane++) {
          if (((lanes >> lane) & 1) === 0) continue
          if (!this.pairTest.meet(laneCodes, lane * codeSize, found[i], found[i + 1])) continue
          alive &= ~(1 << lane)
          this.keepPair(found[i], found[i + 1])
        }
      }
    }
    return all & ~alive
  }

  private keepPair(a: number, b: number): void {
    const { witness, likely } = this
    witness[0] = a
    witness[1] = b
    likely.push(a, b)
    // From the middle: those in front have met often, the last ones lately.
    if (likely.length > 2 * LIKELY_PAIRS) likely.splice(LIKELY_PAIRS, 2)
  }
}

/** @throws RangeError if the share is no number from 0 up */
function widened({ lower, upper }: LinearShape['bounds'], share: number): LinearShape['bounds'] {
  if (!(typeof share === 'number' && share >= 0 && share < Infinity)) {
    throw new RangeError(`self-contact: beyond is ${shown(share)}; give a share of the box, zero or more.`)
  }
  return {
    lower: lower.map((end, k) => end - share * (upper[k] - end)),
    upper: upper.map((end, k) => end + share * (end - lower[k])),
  }
}

function requireBatch(codes: Floats, count: number, codeSize: number, out: Int8Array): void {
  if (!Number.isInteger(count) || count < 0) {
    throw new RangeError(`self-contact: ${shown(count)} codes asked; pass a whole number.`)
  }
  requireCount('self-contact', codes, 'code', count, codeSize)
  requireFinite('self-contact', codes, 'code', codeSize)
  if (!(out instanceof Int8Array) || out.length < count) {
    throw new RangeError(`self-contact: out is ${shown(out)}; ${count} codes need an Int8Array of ${count}.`)
  }
}
