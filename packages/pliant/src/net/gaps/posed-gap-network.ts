/** A posed gap network (formula and tensors: posed-gap-shape.ts) in plain code: pairs are many, their networks tiny. */
import type { Floats } from '../../math/floats.js'
import type { Backend, Tensors } from '../network.js'
import { requireSizes, requireTensors } from '../network-checks.js'
import { scalarActivations } from '../scalar/activation.js'
import type { CodeFrames } from './code-frames.js'
import type { GapBackend } from './gap-network.js'
import {
  BOUNDED_SHARE,
  END_SIZE,
  type PosedGapShape,
  pairWidths,
  posedGapTensors,
  wrongEnd,
} from './posed-gap-shape.js'
import { SeenGaps } from './seen-gaps.js'

export class PosedGapNetwork implements GapBackend {
  readonly backend: Backend = 'scalar'
  readonly #widths: number[]
  readonly #weights: Float32Array[]
  readonly #biases: Float32Array[]
  readonly #seen: SeenGaps
  /** Vectors of all gaps. */
  readonly #vectors: Float64Array
  /** What the networks see, and the sums of each layer, of all pairs. */
  readonly #inputs: Float32Array
  readonly #sums: Float64Array[]
  readonly #byInputs: Float32Array
  readonly #far: Float32Array
  readonly #slack: Float32Array
  /** 1 for pairs that are near enough to be looked at. */
  readonly #isNear: Uint8Array
  /** What each near pair has at least, and these pairs with the least first. */
  readonly #bounds: Float64Array
  readonly #order: Uint32Array
  readonly #cotangents: Float64Array
  readonly #bySpaces: Float64Array
  readonly #ends: GapEnds
  readonly #middles: GapEnds
  readonly #middle = new Float64Array(3)

  /**
   * @param tensors  everything that `posedGapTensors(shape)` lists
   * @throws RangeError if a size is none, a tensor is missing or has the wrong length, or a gap names a frame that is not
   *   there
   */
  constructor(
    readonly shape: PosedGapShape,
    tensors: Tensors,
    private readonly frames: CodeFrames,
  ) {
    const { codeSize, gaps, pairs } = shape
    requireSizes('posed gap network', [
      ['codeSize', codeSize, 1],
      ['gaps', gaps, 1],
      ['pairs', pairs, 1],
    ])
    requireTensors('posed gap network', posedGapTensors(shape), tensors)
    const ends = tensors.get('gap.ends')!
    const middles = tensors.get('pair.middles')!
    requireEnds(shape, ends)
    requireEnds(shape, middles)
    this.#widths = pairWidths(shape)
    const layers = this.#widths.slice(1)
    this.#weights = layers.map((_, l) => tensors.get(`pair.${l}.weight`)!)
    this.#biases = layers.map((_, l) => tensors.get(`pair.${l}.bias`)!)
    this.#seen = new SeenGaps(tensors)
    this.#vectors = new Float64Array(3 * pairs * gaps)
    this.#inputs = new Float32Array(pairs * gaps)
    this.#byInputs = new Float32Array(pairs * gaps)
    this.#far = tensors.get('pair.far')!
    this.#slack = tensors.get('pair.slack')!
    this.#bounds = new Float64Array(pairs)
    this.#order = new Uint32Array(pairs)
    this.#cotangents = new Float64Array(pairs)
    this.#isNear = new Uint8Array(pairs)
    this.#sums = layers.map((width) => new Float64Array(pairs * width))
    this.#bySpaces = new Float64Array(16 * shape.frames)
    this.#ends = new GapEnds(ends)
    this.#middles = new GapEnds(middles)
  }

  query(codes: Floats, count: number, values: Floats, gradients?: Floats): void {
    const { codeSize, pairs, far } = this.shape
    const all = this.#sums[this.#sums.length - 1]
    for (let row = 0; row < count; row++) {
      const near = this.#moveTo(codes.subarray(row * codeSize, (row + 1) * codeSize))
      const least = this.#leastOf(near)
      const isFar = near < pairs && !(least >= 0 && all[least] <= far)
      values[row] = isFar ? far : all[least]
      if (gradients === undefined) continue
      if (!isFar) this.#cotangents[least] = 1
      this.pullBackPairs(this.#cotangents, gradients.subarray(row * codeSize, (row + 1) * codeSize))
      if (!isFar) this.#cotangents[least] = 0
    }
  }

  /** Of the near pairs that with the least; -1 if there is none. Those that cannot be it are not looked at. */
  #leastOf(near: number): number {
    const [all, order, bounds] = [this.#sums[this.#sums.length - 1], this.#order, this.#bounds]
    let least = -1
    for (let i = 0; i < near; i++) {
      const pair = order[i]
      if (least >= 0 && bounds[pair] > all[least]) break
      this.#throughLayers(pair)
      if (least < 0 || all[pair] < all[least]) least = pair
    }
    return least
  }

  /** How far every pair of parts is apart at one code. @param out  receives a number for each */
  queryPairs(code: Floats, out: Floats): void {
    this.#moveTo(code)
    const { pairs, far } = this.shape
    const all = this.#sums[this.#sums.length - 1]
    for (let pair = 0; pair < pairs; pair++) {
      if (this.#isNear[pair] === 1) this.#throughLayers(pair)
      out[pair] = this.#isNear[pair] === 1 ? all[pair] : far
    }
  }

  /** From the gradient of a number by these, at the code that was asked last, to its gradient by that code. */
  pullBackPairs(cotangents: ArrayLike<number>, out: Floats): void {
    const { gaps, pairs } = this.shape
    const by = this.#bySpaces.fill(0)
    const { matrices: m, points: p } = this.#ends
    const v = this.#vectors
    for (let pair = 0; pair < pairs; pair++) {
      if (cotangents[pair] === 0 || this.#isNear[pair] === 0) continue
      this.#backThroughLayers(pair, cotangents[pair])
      for (let gap = pair * gaps; gap < (pair + 1) * gaps; gap++) {
        const factor = this.#seen.slopeOf(v, gap) * this.#byInputs[gap]
        for (let end = 0; end < 2; end++) {
          const at = m[2 * gap + end]
          const o = 6 * gap + 3 * end
          for (let axis = 0; axis < 3; axis++) {
            const push = (end === 0 ? factor : -factor) * v[3 * gap + axis]
            by[at + axis] += push * p[o]
            by[at + 4 + axis] += push * p[o + 1]
            by[at + 8 + axis] += push * p[o + 2]
            by[at + 12 + axis] += push
          }
        }
      }
    }
    this.frames.pullBack(by, out)
  }

  dispose(): void {}

  /** Frames, then the gaps of pairs that are near, and what those pairs have at least. @returns how many there are */
  #moveTo(code: Floats): number {
    this.frames.moveTo(code)
    const { pairs, gaps, far, perMetre } = this.shape
    const [v, middle, order, bounds] = [this.#vectors, this.#middle, this.#order, this.#bounds]
    let near = 0
    for (let pair = 0; pair < pairs; pair++) {
      this.#middles.write(this.frames.spaces, pair, middle, 0)
      const square = middle[0] * middle[0] + middle[1] * middle[1] + middle[2] * middle[2]
      this.#isNear[pair] = square > this.#far[pair] ? 0 : 1
      if (this.#isNear[pair] === 0) continue
      let shortest = Number.POSITIVE_INFINITY
      for (let gap = pair * gaps; gap < (pair + 1) * gaps; gap++) {
        const at = 3 * gap
        this.#ends.write(this.frames.spaces, gap, v, at)
        shortest = Math.min(shortest, v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2])
      }
      bounds[pair] = Math.min(BOUNDED_SHARE * far, perMetre * Math.sqrt(shortest) - this.#slack[pair])
      // Least bound first, by insertion: there are few.
      let place = near++
      for (; place > 0 && bounds[order[place - 1]] > bounds[pair]; place--) order[place] = order[place - 1]
      order[place] = pair
    }
    return near
  }

  #throughLayers(pair: number): void {
    const { value } = scalarActivations[this.shape.activation]
    const { gaps } = this.shape
    this.#seen.writeSome(this.#vectors, pair * gaps, (pair + 1) * gaps, this.#inputs)
    for (let l = 0; l < this.#weights.length; l++) {
      const [inner, outer] = [this.#widths[l], this.#widths[l + 1]]
      const [weights, biases, sums] = [this.#weights[l], this.#biases[l], this.#sums[l]]
      const first = pair * outer
      for (let k = 0; k < outer; k++) sums[first + k] = biases[first + k]
      for (let i = 0; i < inner; i++) {
        const x = l === 0 ? this.#inputs[pair * inner + i] : value(this.#sums[l - 1][pair * inner + i])
        const row = (pair * inner + i) * outer
        for (let k = 0; k < outer; k++) sums[first + k] += x * weights[row + k]
      }
    }
  }

  /** Writes the gradient by what the pair's network sees. */
  #backThroughLayers(pair: number, cotangent: number): void {
    const { slope, value } = scalarActivations[this.shape.activation]
    let by = [cotangent]
    for (let l = this.#weights.length - 1; l >= 0; l--) {
      const [inner, outer] = [this.#widths[l], this.#widths[l + 1]]
      const weights = this.#weights[l]
      const next = new Array<number>(inner)
      for (let i = 0; i < inner; i++) {
        const row = (pair * inner + i) * outer
        let sum = 0
        for (let k = 0; k < outer; k++) sum += weights[row + k] * by[k]
        const x = l === 0 ? 0 : this.#sums[l - 1][pair * inner + i]
        next[i] = l === 0 ? sum : sum * slope(x, value(x))
      }
      by = next
    }
    for (let i = 0; i < by.length; i++) this.#byInputs[pair * by.length + i] = by[i]
  }
}

/** Both ends of some gaps: where the matrices of their frames begin, and the points in their spaces. */
class GapEnds {
  readonly matrices: Uint32Array
  readonly points: Float64Array

  /** @param ends  rows of frame, x, y, z, twice */
  constructor(ends: Float32Array) {
    const count = ends.length / END_SIZE
    this.matrices = Uint32Array.from({ length: 2 * count }, (_, end) => 16 * ends[(END_SIZE / 2) * end])
    this.points = Float64Array.from({ length: 6 * count }, (_, i) => ends[4 * Math.floor(i / 3) + 1 + (i % 3)])
  }

  /** The vector of a gap, from its second end to its first. @param m  spaces of all frames */
  write(m: Float64Array, gap: number, out: Float64Array, at: number): void {
    const [a, b, i] = [this.matrices[2 * gap], this.matrices[2 * gap + 1], 6 * gap]
    const p = this.points
    for (let axis = 0; axis < 3; axis++) {
      const [s, t] = [a + axis, b + axis]
      out[at + axis] =
        m[s] * p[i] +
        m[s + 4] * p[i + 1] +
        m[s + 8] * p[i + 2] +
        m[s + 12] -
        (m[t] * p[i + 3] + m[t + 4] * p[i + 4] + m[t + 8] * p[i + 5] + m[t + 12])
    }
  }
}

/** @throws RangeError naming the first gap of a frame that is not there */
function requireEnds({ frames }: PosedGapShape, ends: Float32Array): void {
  const wrong = wrongEnd(frames, ends)
  if (!wrong) return
  throw new RangeError(`posed gap network: gap ${wrong.row} is of frame ${wrong.frame}; there are ${frames}.`)
}
