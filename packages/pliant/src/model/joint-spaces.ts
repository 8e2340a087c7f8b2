/**
 * Where the joints of a character are at a code, with the way back: gradients by the matrices of joint spaces to gradients
 * by the code, in reverse of how they come about: joints down the hierarchy, rotation vectors. A gradient by a matrix has
 * the matrix's layout. The hierarchy is the one that the code moves (`JointCode.carried`), and so are spaces and frames.
 */
import type { Floats } from '../math/floats.js'
import { composeMat4 } from '../math/mat4.js'
import { conjugateQuaternion, rotateVector } from '../math/quaternion.js'
import { pullBackRotationVector } from '../math/rotation-gradient.js'
import { type JointCode, jointVector } from './joint-code.js'
import type { Skeleton, SkeletonPose } from './skeleton.js'

export class JointSpaces {
  readonly codeSize: number
  readonly jointCount: number
  /** Joint space to root frame at the code that was last moved to, column-major 4x4 each. */
  readonly spaces: Float64Array
  /** Where the joints are at that code, in what they hang from there. */
  readonly pose: SkeletonPose
  readonly #skeleton: Skeleton
  readonly #code: JointCode
  readonly #at: Float64Array
  /** Gradients by the joints' transforms in their parents. */
  readonly #byLocals: Float64Array
  /** Rotation vectors [rad] of what the code leaves out, 3 per joint. */
  readonly #fixedVectors: Float64Array
  readonly #local = new Float64Array(16)
  readonly #vector = new Float64Array(3)
  readonly #turn = new Float64Array(3)
  readonly #turned = new Float64Array(9)
  readonly #back = new Float64Array(4)

  constructor(code: JointCode) {
    const skeleton = code.carried
    this.codeSize = code.size
    this.jointCount = skeleton.jointCount
    this.spaces = new Float64Array(16 * skeleton.jointCount)
    this.pose = skeleton.createPose()
    this.#skeleton = skeleton
    this.#code = code
    this.#at = new Float64Array(code.size)
    this.#byLocals = new Float64Array(16 * skeleton.jointCount)
    this.#fixedVectors = new Float64Array(3 * skeleton.jointCount)
    for (const joint of code.joints) jointVector(skeleton, code.carriedFixed, joint, this.#fixedVectors, 3 * joint)
  }

  /** Moves the joints to a code. @throws RangeError if it is of another length or not finite */
  moveTo(code: ArrayLike<number>): void {
    this.#code.decodeCarried(code, this.pose)
    this.#at.set(code)
    this.#skeleton.spaces(this.pose, this.spaces)
  }

  /**
   * Moves the joints to one code after the other.
   * @param visit      called when they are at the next
   * @param gradients  receives gradients by the codes of what `visit` tells by the spaces
   */
  moveThrough(
    codes: Floats,
    count: number,
    visit: (row: number, bySpaces?: Float64Array) => void,
    gradients?: Floats,
  ): void {
    const by = gradients && new Float64Array(this.spaces.length)
    for (let row = 0; row < count; row++) {
      const [from, end] = [row * this.codeSize, (row + 1) * this.codeSize]
      this.moveTo(codes.subarray(from, end))
      by?.fill(0)
      visit(row, by)
      if (by) this.pullBack(by, gradients.subarray(from, end))
    }
  }

  /**
   * From the gradient of a number by the spaces, laid out as they are, to its gradient by the code that was last moved to.
   * @param bySpaces  is used up
   */
  pullBack(bySpaces: Float64Array, out: Floats): void {
    this.#backToLocals(bySpaces)
    this.#backToCode(out)
  }

  /** space = parent's space * local, children before their parents. */
  #backToLocals(bySpaces: Float64Array): void {
    const { jointCount, order, parents, belowRoot } = this.#skeleton
    const { translations, rotations, scales } = this.pose
    for (let i = jointCount - 1; i >= 0; i--) {
      const joint = order[i]
      if (belowRoot[joint] === 0) continue
      const parent = 16 * parents[joint]
      composeMat4(translations, rotations, scales, joint, this.#local, 0)
      addTimesTransposed(bySpaces, 16 * joint, this.#local, 0, bySpaces, parent)
      transposedTimes(this.spaces, parent, bySpaces, 16 * joint, this.#byLocals, 16 * joint)
    }
  }

  /** local = translation * rest rotation * exp(vector) * scale; entries of the code are parts of vector and translation. */
  #backToCode(out: Floats): void {
    const { joints, axes, units, size } = this.#code
    for (let first = 0, end = 0; first < size; first = end) {
      const joint = joints[first]
      for (let axis = 0; axis < 3; axis++) this.#vector[axis] = this.#fixedVectors[3 * joint + axis]
      for (; end < size && joints[end] === joint; end++) {
        if (axes[end] < 3) this.#vector[axes[end]] = units[end] * this.#at[end]
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
    const { rotations, scales } = this.pose
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
export function addTimesTransposed(
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
