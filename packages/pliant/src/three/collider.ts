/** A trained character, loaded once and shared by all bodies of its kind: a network is large, a pose is small. */
import type { CharacterArtifact } from '../artifact/character.js'
import type { CharacterManifest } from '../artifact/character-manifest.js'
import type { CharacterField } from '../learned/character-field.js'
import type { SelfAware } from '../learned/trained-field.js'
import type { Floats } from '../math/floats.js'
import type { SkeletonPose } from '../model/skeleton.js'
import type { SkinnedCharacter } from '../model/skinned-character.js'
import type { BodyField } from '../sim/dress/body-field.js'

export class Collider {
  /** What the file says of itself: name, height, truncation, quality with its safety margin. */
  readonly manifest: CharacterManifest
  /** Skeleton, code and the surface that was learned. */
  readonly character: SkinnedCharacter
  readonly #field: CharacterField
  #lastAsked: object | undefined

  constructor({ manifest, character }: Pick<CharacterArtifact, 'manifest' | 'character'>, field: CharacterField) {
    this.manifest = manifest
    this.character = character
    this.#field = field
  }

  /**
   * A field in the root frame with a pose of its own, for one body. All share one network, which is posed for whichever
   * is asked: with a crowd, ask all about one body before you go on to the next.
   */
  createField(): SharedField {
    return new SharedField(this)
  }

  /** The network, posed for one field: again only if that has moved, or another was asked in between. */
  posedFor(asking: object, hasMoved: boolean, pose: SkeletonPose, matrices: Float64Array | undefined): CharacterField {
    if (hasMoved || this.#lastAsked !== asking) this.#field.poseSkeleton(pose, matrices)
    this.#lastAsked = asking
    return this.#field
  }

  /** Ends helper threads, if any; no body may ask afterwards. */
  dispose(): void {
    this.#field.dispose()
  }
}

/** At rest until it is posed. */
export class SharedField implements BodyField, SelfAware {
  readonly #collider: Collider
  #pose: SkeletonPose
  #matrices: Float64Array | undefined
  #hasMoved = true

  constructor(collider: Collider) {
    this.#collider = collider
    this.#pose = collider.character.skeleton.rest
  }

  /** Keeps both arrays and looks at them when it is asked: nothing is computed for a body that nobody asks. */
  poseSkeleton(pose: SkeletonPose, matrices?: Float64Array): void {
    this.#pose = pose
    this.#matrices = matrices
    this.#hasMoved = true
  }

  get expectedError(): number {
    return this.#posed().expectedError
  }

  get trusted(): boolean {
    return this.#posed().trusted
  }

  evaluate(points: Floats, count: number, out: Floats): void {
    this.#posed().evaluate(points, count, out)
  }

  gradient(points: Floats, count: number, outDistances: Floats, outGradients: Floats): void {
    this.#posed().gradient(points, count, outDistances, outGradients)
  }

  #posed(): CharacterField {
    const field = this.#collider.posedFor(this, this.#hasMoved, this.#pose, this.#matrices)
    this.#hasMoved = false
    return field
  }
}
