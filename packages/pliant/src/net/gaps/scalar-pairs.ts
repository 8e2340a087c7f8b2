/** Pairs of parts of a posed gap network (formula: posed-gap-shape.ts) in plain code: values, and the way back to frames. */
import type { Tensors } from '../network.js'
import { scalarActivations } from '../scalar/activation.js'
import { PLACE_SIZE, type PosedGapShape, pairWidths } from './posed-gap-shape.js'

/** Squared, added to gaps [m^2]: one of no length has no direction. */
export const LEAST_GAP = 1e-12

/** Answers one pair at a time; `pullBack` is of the pair that was asked last, at the same frames. */
export class ScalarPairs {
  readonly #widths: number[]
  readonly #weights: Float32Array[]
  readonly #biases: Float32Array[]
  readonly #scale: Float32Array
  readonly #shift: Float32Array
  readonly #radius: Float32Array
  readonly #far: Float32Array
  readonly #places: Places
  readonly #middles: Places
  /** Where the places of both parts are, and the gradient by that. */
  readonly #at: Float64Array
  readonly #byAt: Float64Array
  /** Shares of the gaps in the least. */
  readonly #shares: Float64Array
  /** What the network sees, then the sums of each layer. */
  readonly #sums: Float64Array[]
  readonly #bySums: Float64Array[]
  readonly #bothMiddles = new Float64Array(6)

  /** @param tensors  everything that `posedGapTensors(shape)` lists, checked */
  constructor(
    private readonly shape: PosedGapShape,
    tensors: Tensors,
  ) {
    this.#widths = pairWidths(shape)
    const layers = this.#widths.slice(1)
    this.#weights = layers.map((_, l) => tensors.get(`pair.${l}.weight`)!)
    this.#biases = layers.map((_, l) => tensors.get(`pair.${l}.bias`)!)
    this.#scale = tensors.get('seen.scale')!
    this.#shift = tensors.get('seen.shift')!
    this.#radius = tensors.get('gap.radius')!
    this.#far = tensors.get('pair.far')!
    this.#places = new Places(tensors.get('pair.places')!)
    this.#middles = new Places(tensors.get('pair.middles')!)
    this.#at = new Float64Array(6 * shape.places)
    this.#byAt = new Float64Array(6 * shape.places)
    this.#shares = new Float64Array(shape.places * shape.places)
    this.#sums = this.#widths.map((width) => new Float64Array(width))
    this.#bySums = this.#widths.map((width) => new Float64Array(width))
  }

  /** Whether a pair is near enough to be looked at. @param spaces  of all frames, column-major 4x4 each */
  isNear(spaces: Float64Array, pair: number): boolean {
    const m = this.#bothMiddles
    this.#middles.write(spaces, 2 * pair, 2, m)
    // NaN is looked at, and answered by NaN.
    return !((m[0] - m[3]) ** 2 + (m[1] - m[4]) ** 2 + (m[2] - m[5]) ** 2 > this.#far[pair])
  }

  /** How far the parts of a near pair are apart. */
  value(spaces: Float64Array, pair: number): number {
    const { places } = this.shape
    this.#places.write(spaces, 2 * places * pair, 2 * places, this.#at)
    const least = this.#leastGap(pair)
    this.#see(spaces, pair)
    this.#throughLayers(pair)
    return least + this.#sums[this.#sums.length - 1][0]
  }

  /** Adds the gradient of a number by the frames. @param cotangent  its gradient by the pair's value */
  pullBack(spaces: Float64Array, pair: number, cotangent: number, bySpaces: Float64Array): void {
    const { places, perMetre } = this.shape
    this.#byAt.fill(0)
    this.#backThroughLayers(pair, cotangent)
    this.#backFromSeen(spaces, pair, bySpaces)
    this.#backFromGaps(perMetre * cotangent)
    this.#places.pullBack(this.#byAt, 2 * places * pair, 2 * places, bySpaces)
  }

  /** The least of all gaps between balls, softly. */
  #leastGap(pair: number): number {
    const { places, perMetre, softness } = this.shape
    const [gaps, first] = [this.#shares, pair * places * places]
    let least = Number.POSITIVE_INFINITY
    for (let k = 0, i = 0; k < places; k++) {
      for (let l = 0; l < places; l++, i++) {
        gaps[i] = perMetre * this.#lengthOf(3 * k, 3 * (places + l)) - this.#radius[first + i]
        least = Math.min(least, gaps[i])
      }
    }
    let sum = 0
    for (let i = 0; i < gaps.length; i++) {
      gaps[i] = Math.exp((least - gaps[i]) / softness)
      sum += gaps[i]
    }
    for (let i = 0; i < gaps.length; i++) gaps[i] /= sum
    return least - softness * Math.log(sum)
  }

  #lengthOf(a: number, b: number): number {
    const at = this.#at
    return Math.sqrt((at[a] - at[b]) ** 2 + (at[a + 1] - at[b + 1]) ** 2 + (at[a + 2] - at[b + 2]) ** 2 + LEAST_GAP)
  }

  #backFromGaps(cotangent: number): void {
    const { places } = this.shape
    const [at, by] = [this.#at, this.#byAt]
    for (let k = 0, i = 0; k < places; k++) {
      for (let l = 0; l < places; l++, i++) {
        const [a, b] = [3 * k, 3 * (places + l)]
        const push = (cotangent * this.#shares[i]) / this.#lengthOf(a, b)
        for (let axis = 0; axis < 3; axis++) {
          by[a + axis] += push * (at[a + axis] - at[b + axis])
          by[b + axis] -= push * (at[a + axis] - at[b + axis])
        }
      }
    }
  }

  /** Places of either part as the other one sees them. */
  #see(m: Float64Array, pair: number): void {
    const { places, seen } = this.shape
    const [at, out] = [this.#at, this.#sums[0]]
    for (let i = 0; i < out.length; i++) {
      const { from, column, place } = this.#sightOf(pair, i, places, seen)
      let sum = 0
      for (let row = 0; row < 3; row++) sum += m[column + row] * (at[place + row] - m[from + row])
      out[i] = this.#scale[out.length * pair + i] * sum + this.#shift[out.length * pair + i]
    }
  }

  #backFromSeen(m: Float64Array, pair: number, bySpaces: Float64Array): void {
    const { places, seen } = this.shape
    const [at, by, given] = [this.#at, this.#byAt, this.#bySums[0]]
    for (let i = 0; i < given.length; i++) {
      const { from, column, place } = this.#sightOf(pair, i, places, seen)
      const push = this.#scale[given.length * pair + i] * given[i]
      for (let row = 0; row < 3; row++) {
        bySpaces[column + row] += push * (at[place + row] - m[from + row])
        by[place + row] += push * m[column + row]
        bySpaces[from + row] -= push * m[column + row]
      }
    }
  }

  /** Of a number that the network sees: origin and axis of the frame that it is seen from, and the place that is seen. */
  #sightOf(pair: number, i: number, places: number, seen: number): { from: number; column: number; place: number } {
    const [side, within] = [i < 3 * seen ? 0 : 1, i % (3 * seen)]
    const o = this.#places.matrices[places * (2 * pair + side)]
    const seenPlace = (side === 0 ? places : 0) + Math.trunc(within / 3)
    return { from: o + 12, column: o + 4 * (within % 3), place: 3 * seenPlace }
  }

  #throughLayers(pair: number): void {
    const { value } = scalarActivations[this.shape.activation]
    for (let l = 0; l < this.#weights.length; l++) {
      const [inner, outer] = [this.#widths[l], this.#widths[l + 1]]
      const [weights, biases, sums] = [this.#weights[l], this.#biases[l], this.#sums[l + 1]]
      for (let k = 0; k < outer; k++) sums[k] = biases[pair * outer + k]
      for (let i = 0; i < inner; i++) {
        const x = l === 0 ? this.#sums[0][i] : value(this.#sums[l][i])
        const row = (pair * inner + i) * outer
        for (let k = 0; k < outer; k++) sums[k] += x * weights[row + k]
      }
    }
  }

  /** Down to what the network sees. */
  #backThroughLayers(pair: number, cotangent: number): void {
    const { slope, value } = scalarActivations[this.shape.activation]
    this.#bySums[this.#weights.length][0] = cotangent
    for (let l = this.#weights.length - 1; l >= 0; l--) {
      const [inner, outer] = [this.#widths[l], this.#widths[l + 1]]
      const [weights, by, next] = [this.#weights[l], this.#bySums[l + 1], this.#bySums[l]]
      for (let i = 0; i < inner; i++) {
        const row = (pair * inner + i) * outer
        let sum = 0
        for (let k = 0; k < outer; k++) sum += weights[row + k] * by[k]
        const x = this.#sums[l][i]
        next[i] = l === 0 ? sum : sum * slope(x, value(x))
      }
    }
  }
}

/** Places of frames: where the matrices of their frames begin, and the points in their spaces. */
class Places {
  readonly matrices: Uint32Array
  readonly #points: Float64Array

  /** @param rows  of frame, x, y, z */
  constructor(rows: Float32Array) {
    const count = rows.length / PLACE_SIZE
    this.matrices = Uint32Array.from({ length: count }, (_, i) => 16 * rows[PLACE_SIZE * i])
    this.#points = Float64Array.from(
      { length: 3 * count },
      (_, i) => rows[PLACE_SIZE * Math.floor(i / 3) + 1 + (i % 3)],
    )
  }

  /** Where some of them are. @param m  spaces of all frames */
  write(m: Float64Array, first: number, count: number, out: Float64Array): void {
    for (let i = 0; i < count; i++) {
      const [o, p] = [this.matrices[first + i], 3 * (first + i)]
      const [x, y, z] = [this.#points[p], this.#points[p + 1], this.#points[p + 2]]
      for (let axis = 0; axis < 3; axis++) {
        out[3 * i + axis] = m[o + axis] * x + m[o + 4 + axis] * y + m[o + 8 + axis] * z + m[o + 12 + axis]
      }
    }
  }

  /** Adds gradients by where they are to those by the spaces. */
  pullBack(byAt: Float64Array, first: number, count: number, bySpaces: Float64Array): void {
    for (let i = 0; i < count; i++) {
      const [o, p] = [this.matrices[first + i], 3 * (first + i)]
      for (let axis = 0; axis < 3; axis++) {
        const push = byAt[3 * i + axis]
        bySpaces[o + axis] += push * this.#points[p]
        bySpaces[o + 4 + axis] += push * this.#points[p + 1]
        bySpaces[o + 8 + axis] += push * this.#points[p + 2]
        bySpaces[o + 12 + axis] += push
      }
    }
  }
}
