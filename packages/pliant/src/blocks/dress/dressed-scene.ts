/**
 * A dressed character whose clip plays, in still air or wind: `step` moves body, air and cloth on by a frame. The cloth
 * collides with a field of the character, learned or exact, or with none and hangs through the body.
 */
import type { Clip } from '../../character.js'
import type { Floats, SignedField } from '../../index.js'
import {
  type BodyBone,
  type BodyField,
  ClipPlayer,
  type Cloth,
  DressedCharacter,
  type DressOptions,
  type Garment,
  type PlayOptions,
} from '../../sim/index.js'
import { invertAffine } from '../../unstable.js'
import { gustAt, type Wind } from './gusts.js'

/** Who wears the garment. */
export interface DressedBody {
  /** Skin and skeleton, in its own unit. */
  readonly character: ConstructorParameters<typeof DressedCharacter>[0]
  /** Segments that tell the skin's velocity: `shape.bones` of a trained network. */
  readonly bones: readonly BodyBone[]
}

/** A dressed character's options, and what a scene adds. */
export interface DressedSceneOptions extends DressOptions {
  /** Whose clip the body follows; left out, the scene has one of its own. */
  player?: ClipPlayer
}

/** A character in motion with its garment on. */
export class DressedScene {
  /** Plays the body's clips; set its `speed`. */
  readonly player: ClipPlayer
  /** The air; left out, it stands still unless the cloth's own `wind` is set. */
  wind: Wind | undefined
  /** How long the scene has gone on [s], garments put on again included: gusts go by it. */
  seconds = 0
  readonly #body: DressedBody
  readonly #options: DressOptions
  readonly #toRoot = new Float64Array(16)
  #points = new Float64Array(0)
  #garment: Garment
  #field: BodyField | undefined
  #dressed: DressedCharacter

  /**
   * Stands at rest until the first step.
   * @param garment  in the root frame at rest, in the character's unit (`fitGarment`)
   * @param field    what the cloth collides with; left out, nothing
   */
  constructor(body: DressedBody, garment: Garment, field?: BodyField, options: DressedSceneOptions = {}) {
    const { player, ...dress } = options
    this.player = player ?? new ClipPlayer(body.character.skeleton)
    this.#body = body
    this.#options = dress
    this.#garment = garment
    this.#field = field
    this.#dressed = this.#dress()
  }

  /** In the world [m]; another one after `wear` and `reset`. */
  get cloth(): Cloth {
    return this.#dressed.cloth
  }

  /** Root frame to world at the last step, column-major 4x4, in metres. */
  get rootFrame(): Float64Array {
    return this.#dressed.obstacle.rootFrame
  }

  /** Joint to root frame at the last step, column-major 4x4 each. */
  get jointMatrices(): Float64Array {
    return this.#dressed.obstacle.jointMatrices
  }

  /** What the cloth collides with; undefined for nothing. */
  get field(): BodyField | undefined {
    return this.#field
  }

  /** Exchanges the field. A garment that collided with nothing is put on again: cloth inside the body would be caught. */
  collideWith(field: BodyField | undefined): void {
    const hangsThrough = this.#field === undefined && field !== undefined
    this.#field = field
    this.#dressed.obstacle.body = field
    if (hangsThrough) this.reset()
  }

  /** Goes on with this clip (`ClipPlayer.play`). */
  play(clip: Clip, options?: PlayOptions): void {
    this.player.play(clip, options)
  }

  /** Puts on another garment, as `reset` does. */
  wear(garment: Garment): void {
    this.#garment = garment
    this.reset()
  }

  /** Puts the garment on again where the body stands, at rest for a moment; the clip begins again. */
  reset(): void {
    this.#dressed = this.#dress()
    const { pose, rootFrame, clip } = this.player
    const { rest } = this.#body.character.skeleton
    pose.rotations.set(rest.rotations)
    pose.translations.set(rest.translations)
    this.#dressed.reset(rootFrame)
    if (clip) this.player.play(clip)
  }

  /** Moves clip, air and cloth on by a frame [s]. */
  step(frame: number): void {
    this.player.advance(frame)
    this.follow(frame)
  }

  /** Moves air and cloth on to where the player is: for scenes that share a player, which is moved on once for all. */
  follow(frame: number): void {
    const { player, wind } = this
    if (wind) this.cloth.wind = gustAt(wind, this.seconds)
    this.#dressed.step(frame, player.pose, player.rootFrame)
    this.seconds += frame
  }

  /** The cloth's vertices in the root frame, in the character's unit. @param out  xyz triples, as many as the cloth has */
  clothInRoot(out: Floats): void {
    const { positions } = this.cloth
    const m = this.#toRoot
    invertAffine(this.rootFrame, 0, m, 0)
    for (let i = 0; i < positions.length; i++) {
      const [at, row] = [i - (i % 3), i % 3]
      const [x, y, z] = [positions[at], positions[at + 1], positions[at + 2]]
      out[i] = m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row]
    }
  }

  /**
   * How far the cloth's vertices are from a body, whatever they collide with; negative inside, in the character's unit.
   * @param truth  a field at the pose of the last step, in the root frame
   * @param out    one for each vertex
   */
  distancesTo(truth: SignedField, out: Floats): void {
    const { positions, vertexCount } = this.cloth
    if (this.#points.length !== positions.length) this.#points = new Float64Array(positions.length)
    this.clothInRoot(this.#points)
    truth.query(this.#points, vertexCount, out)
  }

  #dress(): DressedCharacter {
    const { character, bones } = this.#body
    return new DressedCharacter(character, bones, this.#garment, this.#field, this.#options)
  }
}
