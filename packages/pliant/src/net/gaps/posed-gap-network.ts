/** A posed gap network (formula and tensors: posed-gap-shape.ts) in plain code: pairs are many, their networks tiny. */
import type { Floats } from '../../math/floats.js'
import type { JointSpaces } from '../../model/joint-spaces.js'
import type { Backend, Tensors } from '../network.js'
import { requireSizes, requireTensors } from '../network-checks.js'
import { scalarActivations } from '../scalar/activation.js'
import type { GapBackend } from './gap-network.js'
import { END_SIZE, type PosedGapShape, pairWidths, posedGapTensors } from './posed-gap-shape.js'
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
  /** 1 for pairs that are near enough to be looked at. */
  readonly #isNear: Uint8Array
  readonly #bySpaces: Float64Array
  /** Where the matrices of each gap's two joints begin, and the points in their spaces. */
  readonly #matrices: Uint32Array
  readonly #points: Float64Array

  /**
   * @param tensors  everything that `posedGapTensors(shape)` lists
   * @throws RangeError if a size is none, a tensor is missing or has the wrong length, or a gap names a joint that is not
   *   there
   */
  constructor(
    readonly shape: PosedGapShape,
    tensors: Tensors,
    private readonly joints: JointSpaces,
  ) {
    const { codeSize, gaps, pairs } = shape
    requireSizes('posed gap network', [
      ['codeSize', codeSize, 1],
      ['gaps', gaps, 1],
      ['pairs', pairs, 1],
    ])
    requireTensors('posed gap network', posedGapTensors(shape), tensors)
    const ends = tensors.get('gap.ends')!
    requireEnds(shape, ends)
    this.#widths = pairWidths(shape)
    const layers = this.#widths.slice(1)
    this.#weights = layers.map((_, l) => tensors.get(`pair.${l}.weight`)!)
    this.#biases = layers.map((_, l) => tensors.get(`pair.${l}.bias`)!)
    this.#seen = new SeenGaps(tensors)
    this.#vectors = new Float64Array(3 * pairs * gaps)
    this.#inputs = new Float32Array(pairs * gaps)
    this.#byInputs = new Float32Array(pairs * gaps)
    this.#far = tensors.get('pair.far')!
    this.#isNear = new Uint8Array(pairs)
    this.#sums = layers.map((width) => new Float64Array(pairs * width))
    this.#bySpaces = new Float64Array(16 * joints.jointCount)
    this.#matrices = Uint32Array.from({ length: 2 * pairs * gaps }, (_, end) => 16 * ends[(END_SIZE / 2) * end])
    this.#points = Float64Array.from({ length: 6 * pairs * gaps }, (_, i) => ends[4 * Math.floor(i / 3) + 1 + (i % 3)])
  }

  query(codes: Floats, count: number, values: Floats, gradients?: Floats): void {
    const { codeSize, pairs } = this.shape
    const cotangents = new Float64Array(pairs)
    for (let row = 0; row < count; row++) {
      this.#moveTo(codes.subarray(row * codeSize, (row + 1) * codeSize))
      const all = this.#sums[this.#sums.length - 1]
      let least = 0
      for (let pair = 1; pair < pairs; pair++) if (all[pair] < all[least]) least = pair
      values[row] = all[least]
      if (gradients === undefined) continue
      cotangents[least] = 1
      this.pullBackPairs(cotangents, gradients.subarray(row * codeSize, (row + 1) * codeSize))
      cotangents[least] = 0
    }
  }

  /** How far every pair of parts is apart at one code. @param out  receives a number for each */
  queryPairs(code: Floats, out: Floats): void {
    this.#moveTo(code)
    const all = this.#sums[this.#sums.length - 1]
    for (let pair = 0; pair < this.shape.pairs; pair++) out[pair] = all[pair]
  }

  /** From the gradient of a number by these, at the code that was asked last, to its gradient by that code. */
  pullBackPairs(cotangents: ArrayLike<number>, out: Floats): void {
    const { gaps, pairs } = this.shape
    const by = this.#bySpaces.fill(0)
    const [v, m, p] = [this.#vectors, this.#matrices, this.#points]
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
    this.joints.pullBack(by, out)
  }

  dispose(): void {}

  /** Joints, then gaps, then the networks of all pairs. */
  #moveTo(code: Floats): void {
    this.joints.moveTo(code)
    const { spaces } = this.joints
    const [v, m, p] = [this.#vectors, this.#matrices, this.#points]
    for (let gap = 0, i = 0; gap < this.#inputs.length; gap++, i += 6) {
      const [a, b] = [m[2 * gap], m[2 * gap + 1]]
      for (let axis = 0; axis < 3; axis++) {
        const [s, t] = [a + axis, b + axis]
        v[3 * gap + axis] =
          spaces[s] * p[i] +
          spaces[s + 4] * p[i + 1] +
          spaces[s + 8] * p[i + 2] +
          spaces[s + 12] -
          (spaces[t] * p[i + 3] + spaces[t + 4] * p[i + 4] + spaces[t + 8] * p[i + 5] + spaces[t + 12])
      }
    }
    const { pairs, gaps, far } = this.shape
    const all = this.#sums[this.#sums.length - 1]
    for (let pair = 0; pair < pairs; pair++) {
      let shortest = Infinity
      for (let i = 3 * pair * gaps; i < 3 * (pair + 1) * gaps; i += 3) {
        const square = v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2]
        if (square < shortest) shortest = square
      }
      this.#isNear[pair] = shortest > this.#far[pair] ? 0 : 1
      if (this.#isNear[pair] === 0) all[pair] = far
      else this.#throughLayers(pair)
    }
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

/** @throws RangeError naming the first gap of a joint that is not there */
function requireEnds({ gaps, pairs, joints }: PosedGapShape, ends: Float32Array): void {
  for (let end = 0; end < 2 * pairs * gaps; end++) {
    const joint = ends[(END_SIZE / 2) * end]
    if (Number.isInteger(joint) && joint >= 0 && joint < joints) continue
    throw new RangeError(`posed gap network: gap ${end >> 1} is of joint ${joint}; there are ${joints}.`)
  }
}
