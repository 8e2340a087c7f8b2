/** Which labels are learned from, and in which order; one in five is kept to validate by (Tan et al., section 5). */
import type { Random } from 'pliant'
import type { RoundRandom } from '../rounds/index.js'
import { stepsPerEpoch, VALIDATED_ONE_IN } from './collision-state-options.js'

/** Row numbers of epochs: each goes through all that is learned from once, in an order of its own. */
export class EpochBatches {
  readonly #learned: Uint32Array
  readonly #perEpoch: number
  #epoch = -1
  #order: Uint32Array = new Uint32Array(0)

  constructor(
    rows: number,
    private readonly batch: number,
    private readonly random: RoundRandom,
  ) {
    this.#learned = rowsToLearn(rows)
    this.#perEpoch = stepsPerEpoch(rows, batch)
  }

  rowsOf(step: number): Uint32Array {
    const epoch = Math.floor(step / this.#perEpoch)
    if (epoch !== this.#epoch) {
      this.#epoch = epoch
      this.#order = shuffled(this.#learned, this.random(epoch))
    }
    const first = (step % this.#perEpoch) * this.batch
    return this.#order.subarray(first, first + this.batch)
  }
}

function shuffled(values: Uint32Array, random: Random): Uint32Array {
  const out = values.slice()
  for (let i = out.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    ;[out[i], out[j]] = [out[j], out[i]]
  }
  return out
}

function isValidated(row: number): boolean {
  return row % VALIDATED_ONE_IN === VALIDATED_ONE_IN - 1
}

/** Row numbers of those that are learned from. */
export function rowsToLearn(rows: number): Uint32Array {
  return Uint32Array.from({ length: rows }, (_, row) => row).filter((row) => !isValidated(row))
}

/** So many of them, each once if there are as many. */
export function someOf(rows: Uint32Array, count: number, random: Random): Uint32Array {
  const mixed = shuffled(rows, random)
  return Uint32Array.from({ length: count }, (_, i) => mixed[i % mixed.length])
}

/** Row numbers of those that are not learned from. */
export function validated(rows: number): Uint32Array {
  return Uint32Array.from({ length: rows }, (_, row) => row).filter(isValidated)
}
