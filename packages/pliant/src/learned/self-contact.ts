/**
 * Self-contact as a field over codes that is a network: f(q), the signed distance, in the space of codes, to the nearest
 * shape that touches itself (Cai et al.). Trained in a box of codes; outside of it the answer is that at the nearest code
 * of the box, with the gradient there, since nothing is known beyond.
 */
import type { ConfigurationField } from '../field/configuration-field.js'
import type { Floats } from '../math/floats.js'
import { isFloats, shown } from '../math/require.js'
import type { GapBackend } from '../net/gaps/gap-network.js'
import type { Backend } from '../net/network.js'

/** A network from codes of so many numbers to one number each. */
export type CodeNetwork = GapBackend & { readonly shape: { codeSize: number } }

/** A learned field over codes: how near a shape is to touching itself. */
export class SelfContactField implements ConfigurationField {
  readonly codeSize: number
  readonly #network: CodeNetwork
  readonly #inside: Float64Array

  /**
   * Made by whoever decodes a file or trains one.
   * @param bounds  box of codes that was trained
   * @internal
   */
  constructor(
    network: CodeNetwork,
    readonly bounds: { readonly lower: Float64Array; readonly upper: Float64Array },
  ) {
    this.#network = network
    this.codeSize = network.shape.codeSize
    this.#inside = new Float64Array(this.codeSize * CHUNK)
  }

  /** What computes it on this host. */
  get backend(): Backend {
    return this.#network.backend
  }

  /**
   * Distances, and in the same pass their gradients by the code if there is an array for them.
   * @param codes      one after the other, at least codeSize * count long
   * @param distances  receives `count` distances, in the unit of the code, negative where the shape touches itself
   * @param gradients  receives one vector per code, away from self-contact, at least codeSize * count long
   * @throws RangeError if an array is too short or not of floats, or the count is no whole number
   */
  query(codes: Floats, count: number, distances: Floats, gradients?: Floats): void {
    requireCodes(this.codeSize, codes, count, distances, gradients)
    const { lower, upper } = this.bounds
    const size = this.codeSize
    for (let first = 0; first < count; first += CHUNK) {
      const rows = Math.min(CHUNK, count - first)
      for (let row = 0; row < rows; row++) {
        const o = (first + row) * size
        for (let k = 0; k < size; k++) {
          // NaN goes to the lower end, as networks may refuse it; what they answer there is not told.
          this.#inside[row * size + k] = codes[o + k] > lower[k] ? Math.min(codes[o + k], upper[k]) : lower[k]
        }
      }
      const out = distances.subarray(first, first + rows)
      this.#network.query(this.#inside, rows, out, gradients?.subarray(first * size, (first + rows) * size))
      for (let row = 0; row < rows; row++) {
        if (isFiniteCode(codes, (first + row) * size, size)) continue
        out[row] = Number.NaN
        gradients?.fill(Number.NaN, (first + row) * size, (first + row + 1) * size)
      }
    }
  }

  /** Ends helper threads, if any. */
  dispose(): void {
    this.#network.dispose()
  }
}

const CHUNK = 128

function isFiniteCode(codes: Floats, o: number, size: number): boolean {
  for (let k = 0; k < size; k++) if (!Number.isFinite(codes[o + k])) return false
  return true
}

function requireCodes(size: number, codes: Floats, count: number, distances: Floats, gradients?: Floats): void {
  if (!Number.isInteger(count) || count < 0) {
    throw new RangeError(`query: ${shown(count)} codes asked; pass a whole number.`)
  }
  const arrays = { codes: [codes, size], distances: [distances, 1], gradients: [gradients, size] } as const
  for (const [name, [values, width]] of Object.entries(arrays)) {
    if (values === undefined && name === 'gradients') continue
    if (isFloats(values) && values.length >= count * width) continue
    throw new RangeError(
      `query: ${name} is ${shown(values)}; ${count} codes need ${count * width} in a Float32Array or Float64Array.`,
    )
  }
}
