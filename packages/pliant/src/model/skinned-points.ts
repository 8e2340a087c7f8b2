/**
 * Vertices of a skinned character with their way back to the code, in reverse of how they come about: linear skinning,
 * bones in joint frames, joints down the hierarchy, rotation vectors. A call costs the vertices asked for and the joints,
 * however many vertices the character has. A gradient by a matrix has the matrix's layout.
 */
import type { Floats } from '../math/floats.js'
import { composeMat4 } from '../math/mat4.js'
import { conjugateQuaternion, rotateVector } from '../math/quaternion.js'
import { pullBackRotationVector } from '../math/rotation-gradient.js'
import { type JointCode, jointVector } from './joint-code.js'
import type { MovedPoints } from './reduced-model.js'
import type { Skeleton, SkeletonPose } from './skeleton.js'
import type { SkinnedCharacter } from './skinned-character.js'
import { pickVertices, type SkinnedSurface, skinMatrices } from './skinned-surface.js'
import { skinLinear } from './skinning.js'

export class SkinnedPoints implements MovedPoints {
  readonly codeSize: number
  readonly pointCount: number
  readonly #skeleton: Skeleton
  readonly #code: JointCode
  readonly #surface: SkinnedSurface
  readonly #pose: SkeletonPose
  /** Of every joint and bone: its matrix, and the gradient by it. */
  readonly #spaces: Float64Array
  readonly #bySpaces: Float64Array
  readonly #frames: Float64Array
  readonly #byFrames: Float64Array
  readonly #skin: Float64Array
  readonly #bySkin: Float64Array
  /** Gradients by the joints' transforms in their parents. */
  readonly #byLocals: Float64Array
  /** Rotation vectors [rad] of what the code leaves out, 3 per joint. */
  readonly #fixedVectors: Float64Array
  readonly #local = new Float64Array(16)
  readonly #vector = new Float64Array(3)
  readonly #turn = new Float64Array(3)
  readonly #turned = new Float64Array(9)
  readonly #back = new Float64Array(4)

  /**
   * @param vertices  those asked for; left out: all
   * @throws RangeError if the character's skinning is not linear
   */
  constructor({ skeleton, surface, code, skinning, vertexCount }: SkinnedCharacter, vertices?: ArrayLike<number>) {
    if (skinning !== 'linear') {
      throw new RangeError(`skinned points: skinning is '${skinning}', whose gradient is not known; make it 'linear'.`)
    }
    const chosen = vertices ? Uint32Array.from(vertices) : Uint32Array.from({ length: vertexCount }, (_, i) => i)
    this.#skeleton = skeleton
    this.#code = code
    this.#surface = pickVertices(surface, chosen)
    this.codeSize = code.size
    this.pointCount = chosen.length
    this.#pose = skeleton.createPose()
    const matrices = (count: number) => new Float64Array(16 * count)
    this.#spaces = matrices(skeleton.jointCount)
    this.#bySpaces = matrices(skeleton.jointCount)
    this.#frames = matrices(skeleton.jointCount)
    this.#byFrames = matrices(skeleton.jointCount)
    this.#byLocals = matrices(skeleton.jointCount)
    this.#skin = matrices(surface.bones.joints.length)
    this.#bySkin = matrices(surface.bones.joints.length)
    this.#fixedVectors = new Float64Array(3 * skeleton.jointCount)
    for (const joint of code.joints) jointVector(skeleton, code.fixed, joint, this.#fixedVectors, 3 * joint)
  }

  positions(code: ArrayLike<number>, out: Floats): void {
    this.#code.decode(code, this.#pose)
    this.#skeleton.matrices(this.#pose, this.#frames)
    skinMatrices(this.#surface.bones, this.#frames, this.#skin)
    skinLinear(this.#surface, this.#skin, this.#surface.bound, out)
  }

  pullBack(code: ArrayLike<number>, cotangents: ArrayLike<number>, out: Floats): void {
    this.#code.decode(code, this.#pose)
    this.#skeleton.spaces(this.#pose, this.#spaces)
    this.#backToBones(cotangents)
    this.#backToSpaces()
    this.#backToLocals()
    this.#backToCode(code, out)
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

  /** space = parent's space * local, children before their parents. */
  #backToLocals(): void {
    const { jointCount, parents, belowRoot } = this.#skeleton
    const { translations, rotations, scales } = this.#pose
    for (let joint = jointCount - 1; joint >= 0; joint--) {
      if (belowRoot[joint] === 0) continue
      const parent = 16 * parents[joint]
      composeMat4(translations, rotations, scales, joint, this.#local, 0)
      addTimesTransposed(this.#bySpaces, 16 * joint, this.#local, 0, this.#bySpaces, parent)
      transposedTimes(this.#spaces, parent, this.#bySpaces, 16 * joint, this.#byLocals, 16 * joint)
    }
  }

  /** local = translation * rest rotation * exp(vector) * scale; entries of the code are parts of vector and translation. */
  #backToCode(code: ArrayLike<number>, out: Floats): void {
    const { joints, axes, units, size } = this.#code
    for (let first = 0, end = 0; first < size; first = end) {
      const joint = joints[first]
      for (let axis = 0; axis < 3; axis++) this.#vector[axis] = this.#fixedVectors[3 * joint + axis]
      for (; end < size && joints[end] === joint; end++) {
        if (axes[end] < 3) this.#vector[axes[end]] = units[end] * code[end]
      }
      this.#turnOf(joint)
      pullBackRotationVector(this.#vector, 0, this.#turn, this.#vector, 0)
      for (let k = first; k < end; k++) {
        const by = axes[k] < 3 ? this.#vector[axes[k]] : this.#byLocals[16 * joint + 12 + axes[k] - 3]
        // Joints that carry the body instead of shaping it are not seen.
        out[k] = this.#skeleton.belowRoot[joint] === 1 ? units[k] * by : 0
      }
    }
  }

  /** Gradient by small turns about the joint's own axes: Q -> Q (1 + [w]x), where local = Q * scale. */
  #turnOf(joint: number): void {
    const { rotations, scales } = this.#pose
    const m = this.#turned
    conjugateQuaternion(rotations, 4 * joint, this.#back, 0)
    for (let column = 0; column < 3; column++) {
      rotateVector(this.#back, 0, this.#byLocals, 16 * joint + 4 * column, m, 3 * column)
      for (let row = 0; row < 3; row++) m[3 * column + row] *= scales[3 * joint + column]
    }
    this.#turn[0] = m[3 + 2] - m[6 + 1]
    this.#turn[1] = m[6] - m[2]
    this.#turn[2] = m[1] - m[3]
  }
}

/** out += a * b^T of gradient a by a product with the affine transform b: the gradient by its left factor. */
function addTimesTransposed(
  a: Float64Array,
  aAt: number,
  b: Float64Array,
  bAt: number,
  out: Float64Array,
  outAt: number,
): void {
  for (let row = 0; row < 3; row++) {
    const [x, y, z, w] = [a[aAt + row], a[aAt + 4 + row], a[aAt + 8 + row], a[aAt + 12 + row]]
    for (let k = 0; k < 3; k++) {
      out[outAt + 4 * k + row] += x * b[bAt + k] + y * b[bAt + 4 + k] + z * b[bAt + 8 + k] + w * b[bAt + 12 + k]
    }
    out[outAt + 12 + row] += w
  }
}

/** out = a^T * b of the affine transform a: from gradient b by a product to the gradient by its right factor. */
function transposedTimes(
  a: Float64Array,
  aAt: number,
  b: Float64Array,
  bAt: number,
  out: Float64Array,
  outAt: number,
): void {
  for (let column = 0; column < 16; column += 4) {
    for (let row = 0; row < 3; row++) {
      const at = aAt + 4 * row
      const from = bAt + column
      out[outAt + column + row] = a[at] * b[from] + a[at + 1] * b[from + 1] + a[at + 2] * b[from + 2]
    }
  }
}
