/** A trained character, loaded once and shared by all bodies of its kind: a network is large, a pose is small. */
import type { CharacterArtifact } from '../artifact/character.js'
import type { CharacterManifest } from '../artifact/character-manifest.js'
import type { CharacterField } from '../field/character-field.js'
import type { SkeletonPose } from '../model/skeleton.js'
import type { SkinnedCharacter } from '../model/skinned-character.js'

export class Collider {
  /** What the file says of itself: name, height, truncation, quality with its safety margin. */
  readonly manifest: CharacterManifest
  /** Skeleton, code and the surface that was learned. */
  readonly character: SkinnedCharacter
  readonly #field: CharacterField
  #posedFor: object | undefined

  constructor({ manifest, character }: Pick<CharacterArtifact, 'manifest' | 'character'>, field: CharacterField) {
    this.manifest = manifest
    this.character = character
    this.#field = field
  }

  /**
   * The field in a body's pose, to be asked before another body's turn. Posed again only if the body has moved since it
   * asked last, or another was asked in between: with a crowd, ask all about one body before you go on to the next.
   */
  posedFor(body: object, hasMoved: boolean, pose: SkeletonPose, matrices: Float64Array): CharacterField {
    if (hasMoved || this.#posedFor !== body) this.#field.poseSkeleton(pose, matrices)
    this.#posedFor = body
    return this.#field
  }

  /** Ends helper threads, if any; no body may ask afterwards. */
  dispose(): void {
    this.#field.dispose()
  }
}
