/** Self-contact of a character as a learned field over its joint angles, with its parts named by the joints that carry them. */
import type { SkinnedCharacter } from '../model/skinned-character.js'
import type { DomainDepths } from './collision-state.js'
import { type PairsOfParts, PartsContactField } from './parts-contact.js'
import type { CodeNetwork } from './self-contact.js'

/** A learned field over a character's joint angles: how near a pose is to touching itself, and which parts. */
export class CharacterContactField extends PartsContactField {
  /** Its skeleton, code and surface. */
  readonly character: SkinnedCharacter
  /** Names of the joints that carry the two parts of each pair; none of a network that does not tell pairs apart. */
  override readonly pairs: readonly (readonly [string, string])[]

  /**
   * Made by whoever decodes a file or trains one.
   * @param tells  what the network tells beside the distance; parts are bones of the surface
   * @internal
   */
  constructor(
    network: CodeNetwork,
    character: SkinnedCharacter,
    tells: { parts?: PairsOfParts; depths?: DomainDepths },
  ) {
    super(network, character.bounds, tells)
    this.character = character
    const { names } = character.skeleton
    const nameOf = (at: number): string => names[character.surface.bones.joints[this.pairsOfParts[at]]]
    this.pairs = Array.from({ length: this.pairsOfParts.length / 2 }, (_, i) => [nameOf(2 * i), nameOf(2 * i + 1)])
  }
}
