/** A trained character, loaded once and shared by all bodies of its kind: a network is large, a pose is small. */
import type { CharacterArtifact } from '../artifact/kinds/character.js'
import type { CharacterManifest } from '../artifact/kinds/character-model.js'
import type { MovingField } from '../field/signed-field.js'
import type { CharacterField, JointState } from '../learned/character-field.js'
import type { SelfAware } from '../learned/trained-field.js'
import type { Box } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import type { SkinnedCharacter } from '../model/skinned-character.js'
import type { BodyBone } from '../sim/dress/character-obstacle.js'

/** A trained character, loaded once and shared by all bodies of its kind: a network is large, a pose is small. */
export class Collider {
  /** What the file says of itself: name, height, truncation, quality with its safety margin. */
  readonly manifest: CharacterManifest
  /** Skeleton, code and the surface that was learned. */
  readonly character: SkinnedCharacter
  readonly #field: CharacterField
  #lastAsked: object | undefined

  /** Made by `loadCollider` and `colliderFromGltf`. @internal */
  constructor({ manifest, character }: Pick<CharacterArtifact, 'manifest' | 'character'>, field: CharacterField) {
    this.manifest = manifest
    this.character = character
    this.#field = field
  }

  /** What carries the surface along: the network's bones; one of the whole body has none and goes with the root. */
  get bones(): readonly BodyBone[] {
    const network = this.manifest.networks.distance
    if (network.kind === 'bones') return network.shape.bones
    const { skeleton, height } = this.character
    return [{ joint: skeleton.root, start: [0, 0, 0], end: [0, 0, 0], radius: height }]
  }

  /**
   * A field in the root frame with a pose of its own, for one body. All share one network, which is posed for whichever
   * is asked: with a crowd, ask all about one body before you go on to the next.
   */
  createField(): SharedField {
    return new SharedField(this)
  }

  /** The network, updated for one field: again only if that has moved, or another was asked in between. @internal */
  updatedFor(asking: object, hasMoved: boolean, state: JointState): CharacterField {
    if (hasMoved || this.#lastAsked !== asking) this.#field.update(state)
    this.#lastAsked = asking
    return this.#field
  }

  /** What computes, and where that is plain code though 'auto' was asked for, why. */
  get network(): CharacterField['network'] {
    return this.#field.network
  }

  /** Ends helper threads, if any; no body may ask afterwards. */
  dispose(): void {
    this.#field.dispose()
  }
}

/**
 * One body's field in the root frame [m], on the network that all of its kind share. At rest until its first update.
 */
export class SharedField implements MovingField<JointState>, SelfAware {
  readonly #collider: Collider
  #state: JointState
  #hasMoved = true

  /** Made by `Collider.createField`. @internal */
  constructor(collider: Collider) {
    this.#collider = collider
    const { skeleton } = collider.character
    this.#state = { joints: skeleton.rest, matrices: skeleton.restMatrices }
  }

  /** Keeps both arrays and looks at them when it is asked: nothing is computed for a body that nobody asks. */
  update(state: JointState): void {
    this.#state = state
    this.#hasMoved = true
  }

  get expectedError(): number {
    return this.#updated().expectedError
  }

  get trusted(): boolean {
    return this.#updated().trusted
  }

  query(points: Floats, count: number, distances: Floats, gradients?: Floats): void {
    this.#updated().query(points, count, distances, gradients)
  }

  bounds(box: Box): readonly [number, number] | undefined {
    return this.#updated().bounds(box)
  }

  #updated(): CharacterField {
    const field = this.#collider.updatedFor(this, this.#hasMoved, this.#state)
    this.#hasMoved = false
    return field
  }
}
