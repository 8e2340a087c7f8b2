/**
 * Surface velocity of a skinned character from its bones alone: a point near the skin moves as the bones nearest to it
 * do, each as a rigid body between its last matrix and this one. Costs one segment distance per bone and point, no
 * skinning of vertices.
 */
import type { Floats } from '../../math/floats.js'
import type { BodyMotion } from './collider.js'

export interface BoneSegments {
  /** Both ends of each bone in its own frame [m], six numbers per bone. */
  ends: Floats
  /** Rough thickness of the limb around each bone [m]. */
  radii: Floats
}

export class BoneMotion implements BodyMotion {
  private readonly bones: BoneSegments
  private readonly boneCount: number
  private readonly now: Float64Array
  private readonly before: Float64Array
  /** Ends of each bone in the world, now. */
  private readonly segments: Float64Array
  private frame = 0

  /** @throws RangeError if the arrays disagree about the number of bones */
  constructor(bones: BoneSegments) {
    this.bones = bones
    this.boneCount = bones.radii.length
    if (bones.ends.length !== 6 * this.boneCount || this.boneCount === 0) {
      throw new RangeError(
        `bone motion: ${bones.ends.length} coordinates for ${this.boneCount} bones; pass six for each, one bone at least.`,
      )
    }
    this.now = new Float64Array(16 * this.boneCount)
    this.before = new Float64Array(16 * this.boneCount)
    this.segments = new Float64Array(6 * this.boneCount)
  }

  /**
   * Once a frame, before the cloth's step. The first call, and a frame of no time, make the body stand still.
   * @param matrices  bone to world, column-major 4 x 4 each, at the end of the frame
   * @param frame     duration [s]
   */
  update(matrices: Floats, frame: number): void {
    const first = this.now[15] === 0
    this.before.set(first ? matrices.subarray(0, this.now.length) : this.now)
    this.now.set(matrices.subarray(0, this.now.length))
    this.frame = frame
    for (let end = 0; end < 2 * this.boneCount; end++) {
      const m = 16 * (end >> 1)
      for (let axis = 0; axis < 3; axis++) {
        let value = this.now[m + 12 + axis]
        for (let k = 0; k < 3; k++) value += this.now[m + 4 * k + axis] * this.bones.ends[3 * end + k]
        this.segments[3 * end + axis] = value
      }
    }
  }

  /** The next update stands still: after a jump that is no motion. */
  forget(): void {
    this.now[15] = 0
  }

  velocity(points: Floats, _normals: Floats, count: number, out: Floats): void {
    for (let i = 0; i < 3 * count; i += 3) {
      out[i] = 0
      out[i + 1] = 0
      out[i + 2] = 0
      if (!(this.frame > 0)) continue
      this.blend(points[i], points[i + 1], points[i + 2], out, i)
    }
  }

  /** The two nearest bones, weighed by the inverse square of their distance: equal in the middle of a joint. */
  private blend(x: number, y: number, z: number, out: Floats, at: number): void {
    let first = 0
    let second = -1
    let least = Infinity
    let next = Infinity
    for (let bone = 0; bone < this.boneCount; bone++) {
      // Relative to the limb's thickness: on the skin of a limb this is one, thick or thin.
      const distance = this.distanceTo(bone, x, y, z) / this.bones.radii[bone]
      if (distance < least) {
        second = first
        next = least
        first = bone
        least = distance
      } else if (distance < next) {
        second = bone
        next = distance
      }
    }
    const share = next < Infinity ? next ** 2 / (least ** 2 + next ** 2) : 1
    this.add(first, x, y, z, Number.isNaN(share) ? 1 : share, out, at)
    if (next < Infinity && share < 1) this.add(second, x, y, z, 1 - share, out, at)
  }

  private distanceTo(bone: number, x: number, y: number, z: number): number {
    const s = this.segments
    const i = 6 * bone
    const dx = s[i + 3] - s[i]
    const dy = s[i + 4] - s[i + 1]
    const dz = s[i + 5] - s[i + 2]
    const squared = dx * dx + dy * dy + dz * dz
    const along = (x - s[i]) * dx + (y - s[i + 1]) * dy + (z - s[i + 2]) * dz
    const t = squared > 0 ? Math.min(Math.max(along / squared, 0), 1) : 0
    return Math.sqrt((x - s[i] - t * dx) ** 2 + (y - s[i + 1] - t * dy) ** 2 + (z - s[i + 2] - t * dz) ** 2)
  }

  /** Adds share x (p - before x now^-1 p) / frame; now is inverted as a rotation with one scale. */
  private add(bone: number, x: number, y: number, z: number, share: number, out: Floats, at: number): void {
    const { now, before } = this
    const m = 16 * bone
    const rx = x - now[m + 12]
    const ry = y - now[m + 13]
    const rz = z - now[m + 14]
    const scale = now[m] ** 2 + now[m + 1] ** 2 + now[m + 2] ** 2
    const lx = (now[m] * rx + now[m + 1] * ry + now[m + 2] * rz) / scale
    const ly = (now[m + 4] * rx + now[m + 5] * ry + now[m + 6] * rz) / scale
    const lz = (now[m + 8] * rx + now[m + 9] * ry + now[m + 10] * rz) / scale
    const rate = share / this.frame
    out[at] += rate * (x - (before[m] * lx + before[m + 4] * ly + before[m + 8] * lz + before[m + 12]))
    out[at + 1] += rate * (y - (before[m + 1] * lx + before[m + 5] * ly + before[m + 9] * lz + before[m + 13]))
    out[at + 2] += rate * (z - (before[m + 2] * lx + before[m + 6] * ly + before[m + 10] * lz + before[m + 14]))
  }
}
