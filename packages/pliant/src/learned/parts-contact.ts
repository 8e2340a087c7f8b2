/**
 * Self-contact of a shape with parts as a field over its code that is a network. Ours tells how far pairs of its parts are
 * apart, the least of them as a distance in the space of codes; the paper's tells that distance, and how deep each part is in
 * the others. Outside the box of codes that was trained the distance is that at the nearest code of the box.
 */
import type { Floats } from '../math/floats.js'
import { requireNumbers } from '../math/require.js'
import type { PosedGapNetwork } from '../net/gaps/posed-gap-network.js'
import type { DomainDepths } from './collision-state.js'
import { type CodeNetwork, SelfContactField } from './self-contact.js'

/** What a network tells of pairs of parts. */
export interface PairsOfParts {
  network: PosedGapNetwork
  /** Parts of each pair, two each. */
  pairs: Uint32Array
  /** Clearance of a unit of the distance. */
  metres: number
}

/** A learned field over the code of a shape with parts: how near it is to touching itself, and which parts. */
export class PartsContactField extends SelfContactField {
  /** Parts of each pair that it tells apart, two numbers each: those of `SurfaceContact` of pliant/exact; may be none. */
  readonly pairsOfParts: Uint32Array
  /** The same pair by pair; of a character by the names of its joints. */
  readonly pairs: readonly (readonly (string | number)[])[]
  /** Clearances beyond this are not told apart [m]; zero if none are told. */
  readonly reach: number
  /** How deep its parts are in each other, of the paper's network; undefined of ours. */
  readonly depths: DomainDepths | undefined
  readonly #parts: PairsOfParts | undefined
  readonly #at: Float64Array

  /**
   * Made by whoever decodes a file or trains one.
   * @param bounds  box of codes that was trained
   * @param tells   what the network tells beside the distance
   * @internal
   */
  constructor(
    network: CodeNetwork,
    bounds: SelfContactField['bounds'],
    { parts, depths }: { parts?: PairsOfParts; depths?: DomainDepths },
  ) {
    super(network, bounds)
    const own = parts?.pairs ?? new Uint32Array(0)
    this.pairsOfParts = own
    this.pairs = Array.from({ length: own.length / 2 }, (_, i) => [own[2 * i], own[2 * i + 1]])
    this.depths = depths
    this.reach = parts ? parts.network.shape.far * parts.metres : 0
    this.#parts = parts
    this.#at = new Float64Array(this.codeSize)
  }

  /**
   * How far the parts of each pair are apart at a code [m], about: negative where they are in each other. Learned within some
   * hundredths of the size; beyond that they are only known to be further. Codes may lie outside the box.
   * @param code  as many numbers as a code has
   * @param out   receives a number for each of `pairsOfParts`
   * @throws Error if the network does not tell pairs apart; RangeError if the code is of another length or not finite
   */
  clearances(code: Floats, out: Floats): void {
    const { network, metres } = this.#requireParts()
    requireNumbers('clearances', code, 'code value', this.codeSize)
    // Frames are known outside the box as well, and how two of them lie to each other is all that a pair asks.
    this.#at.set(code)
    network.queryPairs(this.#at, out)
    for (let pair = 0; pair < this.pairsOfParts.length / 2; pair++) out[pair] *= metres
  }

  /**
   * From the gradient of a number by the clearances, at the code that they were last asked of, to its gradient by that code.
   * @param byClearances  a number for each of `pairsOfParts` [1/m]
   * @param out           receives as many numbers as a code has
   * @throws Error if the network does not tell pairs apart
   */
  pullBackClearances(byClearances: ArrayLike<number>, out: Floats): void {
    const { network, metres } = this.#requireParts()
    network.pullBackPairs(byClearances, out)
    for (let k = 0; k < this.codeSize; k++) out[k] *= metres
  }

  #requireParts(): PairsOfParts {
    if (this.#parts) return this.#parts
    throw new Error(
      "self-contact: the paper's network tells no clearances of parts, which motions and live poses are repaired by; train by our own method.",
    )
  }
}
