/**
 * Self-contact of a character as a field over its joint angles that is a network: how far pairs of its parts are apart, the
 * least of them as a distance in the space of codes. Outside the box of codes that was trained the answer is that at the
 * nearest code of the box.
 */
import type { Floats } from '../math/floats.js'
import type { SkinnedCharacter } from '../model/skinned-character.js'
import type { PosedGapNetwork } from '../net/gaps/posed-gap-network.js'
import { SelfContactField } from './self-contact.js'

/** A learned field over a character's joint angles: how near a pose is to touching itself, and which parts. */
export class CharacterContactField extends SelfContactField {
  /** Its skeleton, code and surface. */
  readonly character: SkinnedCharacter
  /** Names of the joints that carry the two parts of each pair. */
  readonly pairs: readonly (readonly [string, string])[]
  /** The same as bones of the surface, two numbers each: parts of `SurfaceContact` of pliant/exact. */
  readonly bones: Uint32Array
  readonly #posed: PosedGapNetwork
  readonly #metres: number
  readonly #at: Float64Array

  /**
   * Made by whoever decodes a file or trains one.
   * @param bones   of each pair, two each
   * @param metres  clearance of a unit of the distance
   * @internal
   */
  constructor(network: PosedGapNetwork, character: SkinnedCharacter, bones: Uint32Array, metres: number) {
    super(network, character.bounds)
    this.character = character
    this.bones = bones
    const { names } = character.skeleton
    const nameOf = (bone: number): string => names[character.surface.bones.joints[bone]]
    this.pairs = Array.from({ length: bones.length / 2 }, (_, i) => [nameOf(bones[2 * i]), nameOf(bones[2 * i + 1])])
    this.#posed = network
    this.#metres = metres
    this.#at = new Float64Array(character.codeSize)
  }

  /**
   * How far the parts of each pair are apart at a code [m], about: negative where they are in each other. Learned within some
   * centimetres; beyond that they are only known to be further.
   * @param code  as many numbers as a code has
   * @param out   receives a number for each of `pairs`
   */
  clearances(code: Floats, out: Floats): void {
    const { lower, upper } = this.bounds
    for (let k = 0; k < this.codeSize; k++) this.#at[k] = Math.min(Math.max(code[k], lower[k]), upper[k])
    this.#posed.queryPairs(this.#at, out)
    for (let pair = 0; pair < this.pairs.length; pair++) out[pair] *= this.#metres
  }

  /**
   * From the gradient of a number by the clearances, at the code that they were last asked of, to its gradient by that code.
   * @param byClearances  a number for each of `pairs` [1/m]
   * @param out           receives as many numbers as a code has
   */
  pullBackClearances(byClearances: ArrayLike<number>, out: Floats): void {
    this.#posed.pullBackPairs(byClearances, out)
    for (let k = 0; k < this.codeSize; k++) out[k] *= this.#metres
  }
}
