/**
 * Vertices of a skinned character with their way back to the code, in reverse of how they come about: linear skinning,
 * bones in joint frames, joints (joint-spaces.ts). A call costs the vertices asked for and the joints, however many vertices
 * the character has.
 */
import type { Floats } from '../math/floats.js'
import { addTimesTransposed, JointSpaces } from './joint-spaces.js'
import type { MovedPoints } from './reduced-model.js'
import type { Skeleton } from './skeleton.js'
import type { SkinnedCharacter } from './skinned-character.js'
import { pickVertices, type SkinnedSurface, skinMatrices } from './skinned-surface.js'
import { skinLinear } from './skinning.js'

export class SkinnedPoints implements MovedPoints {
  readonly codeSize: number
  readonly pointCount: number
  readonly #skeleton: Skeleton
  readonly #surface: SkinnedSurface
  readonly #joints: JointSpaces
  /** Of every joint and bone: its matrix, and the gradient by it. */
  readonly #bySpaces: Float64Array
  readonly #frames: Float64Array
  readonly #byFrames: Float64Array
  readonly #skin: Float64Array
  readonly #bySkin: Float64Array

  /**
   * @param vertices  those asked for; left out: all
   * @throws RangeError if the character's skinning is not linear
   */
  constructor({ surface, code, skinning, vertexCount }: SkinnedCharacter, vertices?: ArrayLike<number>) {
    if (skinning !== 'linear') {
      throw new RangeError(`skinned points: skinning is '${skinning}', whose gradient is not known; make it 'linear'.`)
    }
    const chosen = vertices ? Uint32Array.from(vertices) : Uint32Array.from({ length: vertexCount }, (_, i) => i)
    const skeleton = code.carried
    this.#skeleton = skeleton
    this.#surface = pickVertices(surface, chosen)
    this.codeSize = code.size
    this.pointCount = chosen.length
    this.#joints = new JointSpaces(code)
    const matrices = (count: number) => new Float64Array(16 * count)
    this.#bySpaces = matrices(skeleton.jointCount)
    this.#frames = matrices(skeleton.jointCount)
    this.#byFrames = matrices(skeleton.jointCount)
    this.#skin = matrices(surface.bones.joints.length)
    this.#bySkin = matrices(surface.bones.joints.length)
  }

  positions(code: ArrayLike<number>, out: Floats): void {
    this.#joints.moveTo(code)
    this.#frames.set(this.#joints.spaces)
    this.#skeleton.intoFrames(this.#frames)
    skinMatrices(this.#surface.bones, this.#frames, this.#skin)
    skinLinear(this.#surface, this.#skin, this.#surface.bound, out)
  }

  pullBack(code: ArrayLike<number>, cotangents: ArrayLike<number>, out: Floats): void {
    this.#joints.moveTo(code)
    this.#backToBones(cotangents)
    this.#backToSpaces()
    this.#joints.pullBack(this.#bySpaces, out)
  }

  /** x = sum over bones of weight * S (bound, 1). */
  #backToBones(cotangents: ArrayLike<number>): void {
    const { influenceStarts: starts, influenceBones, influenceWeights, bound } = this.#surface
    const by = this.#bySkin.fill(0)
    for (let vertex = 0; vertex < this.pointCount; vertex++) {
      for (let k = starts[vertex]; k < starts[vertex + 1]; k++) {
        for (let column = 0; column < 4; column++) {
          const at = 16 * influenceBones[k] + 4 * column
          const share = influenceWeights[k] * (column < 3 ? bound[3 * vertex + column] : 1)
          for (let row = 0; row < 3; row++) by[at + row] += share * cotangents[3 * vertex + row]
        }
      }
    }
  }

  /** Bones: S = frame * inverse bind. Frames: frame = space * F. */
  #backToSpaces(): void {
    const { joints, inverseBind } = this.#surface.bones
    const { frames } = this.#skeleton
    this.#byFrames.fill(0)
    for (let bone = 0; bone < joints.length; bone++) {
      addTimesTransposed(this.#bySkin, 16 * bone, inverseBind, 16 * bone, this.#byFrames, 16 * joints[bone])
    }
    if (!frames) this.#bySpaces.set(this.#byFrames)
    else {
      this.#bySpaces.fill(0)
      for (let at = 0; at < frames.length; at += 16)
        addTimesTransposed(this.#byFrames, at, frames, at, this.#bySpaces, at)
    }
  }
}
