/**
 * What pairs of parts learn from. A pair depends on nothing but how the two lie to each other, and is near in few codes; so
 * each has codes of its own in every batch: mostly such in which the two are within reach, the others those in which they
 * are not, but near enough to be looked at. Frames are known, so that a batch tells where places are, and a step has no
 * code to follow.
 */
import type { Random } from 'pliant'
import { PLACE_SIZE, type PosedGapShape } from 'pliant/unstable'
import type { Weights } from '../rounds/index.js'
import { NEVER } from './clearance-graph.js'
import type { FramedShape } from './framed-shape.js'
import { type ClearanceRows, squaredBetween } from './posed-gaps.js'

/** Of a pair's codes in a batch, those within reach. */
const NEAR_SHARE = 0.75

/** Beyond the longest that was ever seen of a pair within reach [share of it]. */
const FURTHER = 1.2

/** A batch: of each pair as many codes of its own. */
export type PairBatch = {
  /** x of all places, then y, then z [m], [3, batch, pairs, 2 K]: those of the one part, then those of the other. */
  places: Float32Array
  /** Places of either part from the other's frame [m], [batch, pairs, 6 C]. */
  seen: Float32Array
  /** [batch, pairs]. */
  clearances: Float32Array
}

export class PairSamples {
  /** Of each pair, squared and a little more [m^2]: how far its middles are apart at most while the two are within reach. */
  readonly far: Float32Array
  readonly #shape: PosedGapShape
  readonly #places: Float32Array
  readonly #clearances: Float32Array
  /** At each code, all frames, column-major 4x4 each. */
  readonly #spaces: Float32Array
  readonly #spaceSize: number
  /** Codes of each pair. */
  readonly #near: Uint32Array[]
  readonly #beyond: Uint32Array[]

  /** @param weights  with the places of a posed gap network */
  constructor(framed: FramedShape, shape: PosedGapShape, weights: Weights, { codes, clearances }: ClearanceRows) {
    const { pairs, codeSize } = shape
    const frames = framed.frames()
    const rows = codes.length / codeSize
    this.#shape = shape
    this.#places = weights.get('pair.places')!
    this.#clearances = clearances
    this.#spaceSize = frames.spaces.length
    this.#spaces = new Float32Array(rows * this.#spaceSize)
    const middles = weights.get('pair.middles')!
    const between = new Float32Array(rows * pairs)
    const far = new Float32Array(pairs)
    frames.moveThrough(Float64Array.from(codes), rows, (row) => {
      this.#spaces.set(frames.spaces, row * this.#spaceSize)
      for (let pair = 0; pair < pairs; pair++) {
        const squared = squaredBetween(frames.spaces, middles, pair)
        between[row * pairs + pair] = squared
        if (clearances[row * pairs + pair] < 1) far[pair] = Math.max(far[pair], FURTHER ** 2 * squared)
      }
    })
    // One that came near in the pilot only is always looked at: nothing is known of when it need not be.
    this.far = far.map((squared) => (squared > 0 ? squared : NEVER))
    const rowsOf = (pair: number, is: (at: number) => boolean): Uint32Array =>
      Uint32Array.from({ length: rows }, (_, row) => row).filter((row) => is(row * pairs + pair))
    const all = Array.from({ length: pairs }, (_, pair) => pair)
    this.#near = all.map((pair) => rowsOf(pair, (at) => clearances[at] < 1))
    this.#beyond = all.map((pair) => rowsOf(pair, (at) => !(clearances[at] < 1) && between[at] <= this.far[pair]))
  }

  /** @param batch  codes of each pair */
  draw(batch: number, random: Random): PairBatch {
    const { pairs, places, seen } = this.#shape
    const out: PairBatch = {
      places: new Float32Array(3 * batch * pairs * 2 * places),
      seen: new Float32Array(batch * pairs * 6 * seen),
      clearances: new Float32Array(batch * pairs),
    }
    const rows = this.#clearances.length / pairs
    const nearest = Math.round(NEAR_SHARE * batch)
    for (let pair = 0; pair < pairs; pair++) {
      const [near, beyond] = [this.#near[pair], this.#beyond[pair]]
      for (let i = 0; i < batch; i++) {
        const from = (i < nearest && near.length > 0) || beyond.length === 0 ? near : beyond
        // One that came near in the pilot only has no codes of its own.
        const row = from.length > 0 ? from[random.below(from.length)] : random.below(rows)
        this.#tell(row, pair, i * pairs + pair, out)
      }
    }
    return out
  }

  /** Puts a code of a pair where `to` says: the number of the code in the batch times that of the pairs, plus the pair. */
  #tell(row: number, pair: number, to: number, out: PairBatch): void {
    const { pairs, places, seen } = this.#shape
    out.clearances[to] = this.#clearances[row * pairs + pair]
    const spaces = this.#spaces
    const first = row * this.#spaceSize
    const table = this.#places
    const stride = out.places.length / 3
    for (let k = 0; k < 2 * places; k++) {
      const p = PLACE_SIZE * (2 * places * pair + k)
      const o = first + 16 * table[p]
      const [x, y, z] = [table[p + 1], table[p + 2], table[p + 3]]
      for (let axis = 0; axis < 3; axis++) {
        const m = o + axis
        out.places[axis * stride + 2 * places * to + k] =
          spaces[m] * x + spaces[m + 4] * y + spaces[m + 8] * z + spaces[m + 12]
      }
    }
    let at = 6 * seen * to
    for (let side = 0; side < 2; side++) {
      const o = first + 16 * table[PLACE_SIZE * places * (2 * pair + side)]
      const others = 2 * places * to + (1 - side) * places
      for (let k = 0; k < seen; k++) {
        const x = out.places[others + k] - spaces[o + 12]
        const y = out.places[stride + others + k] - spaces[o + 13]
        const z = out.places[2 * stride + others + k] - spaces[o + 14]
        for (let axis = 0; axis < 3; axis++) {
          const m = o + 4 * axis
          out.seen[at++] = spaces[m] * x + spaces[m + 1] * y + spaces[m + 2] * z
        }
      }
    }
  }
}
