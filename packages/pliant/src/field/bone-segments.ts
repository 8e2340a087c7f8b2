/**
 * The segments of a skeleton's bones in a pose, and which of them are nearest to a point: what rigid fields on bones
 * choose by. Flat arrays, no allocation per pose or query.
 */
import type { Vec3 } from '../math/box.js'
import { linearDeterminant } from '../math/mat4.js'
import { requireFinite } from '../math/require.js'

/** A bone as a thick segment in its joint's frame. `BoneFrame`s are such bones. */
export interface BoneSegment {
  /** Its joint, by number in the skeleton. */
  readonly joint: number
  /** Ends in the joint's frame [m]. */
  readonly start: Vec3
  readonly end: Vec3
  /** [m] */
  readonly radius: number
}

/** Values per bone in `PosedSegments.values`. */
export const SEGMENT_SIZE = 8

export class PosedSegments {
  /** Per bone, in the root frame: start (3), end minus start (3), 1 / squared length or 0, radius. */
  readonly values: Float64Array
  readonly #bones: readonly BoneSegment[]
  readonly #scores: Float64Array
  /** Per bone, in the root frame: middle (3) of its segment; half its length plus radius. */
  readonly #spheres: Float64Array

  constructor(bones: readonly BoneSegment[]) {
    this.#bones = bones
    this.values = new Float64Array(SEGMENT_SIZE * bones.length)
    this.#scores = new Float64Array(bones.length + 1)
    this.#spheres = new Float64Array(4 * bones.length)
  }

  /** @param matrices  joint frame to root frame, column-major 4x4 per joint */
  pose(matrices: ArrayLike<number>): void {
    const { values } = this
    for (let b = 0; b < this.#bones.length; b++) {
      const { joint, start, end, radius } = this.#bones[b]
      const m = 16 * joint
      const o = SEGMENT_SIZE * b
      const dx = end[0] - start[0]
      const dy = end[1] - start[1]
      const dz = end[2] - start[2]
      let squared = 0
      for (let axis = 0; axis < 3; axis++) {
        const [x, y, z] = [matrices[m + axis], matrices[m + 4 + axis], matrices[m + 8 + axis]]
        const along = x * dx + y * dy + z * dz
        values[o + axis] = x * start[0] + y * start[1] + z * start[2] + matrices[m + 12 + axis]
        values[o + 3 + axis] = along
        squared += along * along
      }
      values[o + 6] = squared > 0 ? 1 / squared : 0
      values[o + 7] = radius * jointScale(matrices, joint)
      this.#surround(b)
    }
  }

  /** Puts one bone elsewhere in the root frame. @param capsule  start (3), end (3), radius [m] */
  set(bone: number, capsule: ArrayLike<number>): void {
    const { values } = this
    const o = SEGMENT_SIZE * bone
    let squared = 0
    for (let axis = 0; axis < 3; axis++) {
      values[o + axis] = capsule[axis]
      values[o + 3 + axis] = capsule[3 + axis] - capsule[axis]
      squared += values[o + 3 + axis] ** 2
    }
    values[o + 6] = squared > 0 ? 1 / squared : 0
    values[o + 7] = capsule[6]
    this.#surround(bone)
  }

  /**
   * The nearest bones by distance to the segment less its radius, nearest first.
   * @param count  how many, at most as many as there are
   * @param out    receives bone numbers
   */
  nearest(x: number, y: number, z: number, count: number, out: Int32Array): void {
    const { values } = this
    const scores = this.#scores
    const spheres = this.#spheres
    let filled = 0
    let worst = Infinity
    for (let o = 0, b = 0; o < values.length; o += SEGMENT_SIZE, b++) {
      // Most bones are far: told apart by the sphere around them, without a square root.
      const s = 4 * b
      const mx = x - spheres[s]
      const my = y - spheres[s + 1]
      const mz = z - spheres[s + 2]
      const limit = worst + spheres[s + 3]
      if (mx * mx + my * my + mz * mz >= limit * limit && limit > 0) continue
      const px = x - values[o]
      const py = y - values[o + 1]
      const pz = z - values[o + 2]
      const dx = values[o + 3]
      const dy = values[o + 4]
      const dz = values[o + 5]
      const along = (px * dx + py * dy + pz * dz) * values[o + 6]
      const t = Math.min(Math.max(along, 0), 1)
      const ex = px - t * dx
      const ey = py - t * dy
      const ez = pz - t * dz
      const score = Math.sqrt(ex * ex + ey * ey + ez * ez) - values[o + 7]
      if (!(score < worst)) continue
      let place = filled < count ? filled++ : count - 1
      while (place > 0 && scores[place - 1] > score) {
        scores[place] = scores[place - 1]
        out[place] = out[place - 1]
        place--
      }
      scores[place] = score
      out[place] = b
      if (filled === count) worst = scores[count - 1]
    }
  }

  #surround(bone: number): void {
    const o = SEGMENT_SIZE * bone
    const v = this.values
    for (let axis = 0; axis < 3; axis++) this.#spheres[4 * bone + axis] = v[o + axis] + v[o + 3 + axis] / 2
    this.#spheres[4 * bone + 3] = Math.sqrt(v[o + 3] ** 2 + v[o + 4] ** 2 + v[o + 5] ** 2) / 2 + v[o + 7]
  }

  /** By how much more than the nearest other bone this one is away from a point [m]; 0 if it is the nearest. */
  excess(bone: number, x: number, y: number, z: number): number {
    let other = Infinity
    for (let b = 0; b < this.#bones.length; b++) if (b !== bone) other = Math.min(other, this.distance(b, x, y, z))
    return Math.max(0, this.distance(bone, x, y, z) - other)
  }

  /** To a bone's segment, less its radius [m]. */
  distance(bone: number, x: number, y: number, z: number): number {
    const { values } = this
    const o = SEGMENT_SIZE * bone
    const px = x - values[o]
    const py = y - values[o + 1]
    const pz = z - values[o + 2]
    const along = (px * values[o + 3] + py * values[o + 4] + pz * values[o + 5]) * values[o + 6]
    const t = Math.min(Math.max(along, 0), 1)
    const ex = px - t * values[o + 3]
    const ey = py - t * values[o + 4]
    const ez = pz - t * values[o + 5]
    return Math.sqrt(ex * ex + ey * ey + ez * ez) - values[o + 7]
  }
}

/** The factor by which a joint's matrix scales lengths, in the mean over all directions if it is not the same in all. */
export function jointScale(matrices: ArrayLike<number>, joint: number): number {
  return Math.cbrt(Math.abs(linearDeterminant(matrices, 16 * joint)))
}

/** @throws RangeError if there are no bones */
export function requireBones(what: string, bones: readonly BoneSegment[]): void {
  if (bones.length === 0) throw new RangeError(`${what}: there are no bones; fit at least one.`)
}

/** @throws RangeError if a bone's joint has no matrix, or naming a joint whose matrix is not finite */
export function requireJointMatrices(
  what: string,
  bones: readonly BoneSegment[],
  matrices: ArrayLike<number> | undefined,
): void {
  requireBones(what, bones)
  const joints = Math.floor((matrices?.length ?? 0) / 16)
  for (const { joint } of bones) {
    if (matrices && joint >= 0 && joint < joints) continue
    throw new RangeError(`${what}: a bone hangs from joint ${joint} of ${joints}; pass 16 values for every joint.`)
  }
  requireFinite(what, matrices as ArrayLike<number>, 'joint', 16)
}
