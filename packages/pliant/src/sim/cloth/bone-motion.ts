/**
 * Motion of a skinned character's surface from its bones alone: a point near the skin moves as the bones nearest to it
 * do, each as a rigid body between its last matrix and this one. Costs one segment distance per bone and point, no
 * skinning of vertices.
 */
import type { Floats } from '../../math/floats.js'
import { invertAffine, multiplyAffine } from '../../math/mat4.js'
import { requireDuration, requireItems } from '../../math/require.js'
import type { SurfaceMotion } from '../obstacle.js'

export interface BoneSegments {
  /** Both ends of each bone in its own frame [m], six numbers per bone. */
  ends: Floats
  /** Approximate thickness of the limb around each bone [m]. */
  radii: Floats
}

/** Per bone in the world: start (3), end minus start (3), 1 / squared length or 0, 1 / squared radius. */
const SEGMENT = 8

export class BoneMotion implements SurfaceMotion {
  private readonly bones: BoneSegments
  private readonly boneCount: number
  /** Bone to world at the frame's end and start. */
  private readonly now: Float64Array
  private readonly before: Float64Array
  private readonly segments: Float64Array
  /** World to world, with each bone from the frame's end back to its start. */
  private readonly back: Float64Array
  private readonly inverse = new Float64Array(16)
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
    this.back = new Float64Array(16 * this.boneCount)
    this.segments = new Float64Array(SEGMENT * this.boneCount)
  }

  /**
   * Once a frame, before the cloth's step. The first call makes the body stand still.
   * @param matrices  bone to world, column-major 4 x 4 each, at the end of the frame
   * @param frame     duration [s]
   * @throws RangeError if there are too few matrices, or naming one that is not finite
   */
  update(matrices: Floats, frame: number): void {
    requireItems('bone motion', matrices, 'bone', this.boneCount, 16)
    requireDuration('bone motion', frame)
    const { now, before, back, inverse } = this
    const first = now[15] === 0
    const length = 16 * this.boneCount
    for (let i = 0; i < length; i++) {
      before[i] = first ? matrices[i] : now[i]
      now[i] = matrices[i]
    }
    this.frame = frame
    this.placeSegments()
    for (let at = 0; at < length; at += 16) {
      if (invertAffine(now, at, inverse, 0)) multiplyAffine(before, at, inverse, 0, back, at)
      // A bone without size has no place to go back to: it stands still.
      else for (let i = at; i < at + 16; i++) back[i] = (i - at) % 5 === 0 ? 1 : 0
    }
  }

  /** The next update stands still: after a jump that is no motion. */
  forget(): void {
    this.now[15] = 0
  }

  velocity(points: Floats, _normals: Floats, count: number, out: Floats): void {
    const rate = this.frame > 0 ? 1 / this.frame : 0
    for (let i = 0; i < 3 * count; i += 3) {
      const x = points[i]
      const y = points[i + 1]
      const z = points[i + 2]
      this.blend(x, y, z, out, i)
      out[i] = rate * (x - out[i])
      out[i + 1] = rate * (y - out[i + 1])
      out[i + 2] = rate * (z - out[i + 2])
    }
  }

  private placeSegments(): void {
    const { now: matrices, segments: out } = this
    const { ends, radii } = this.bones
    for (let bone = 0; bone < this.boneCount; bone++) {
      const m = 16 * bone
      const o = SEGMENT * bone
      let squared = 0
      for (let axis = 0; axis < 3; axis++) {
        let start = matrices[m + 12 + axis]
        let way = 0
        for (let k = 0; k < 3; k++) {
          start += matrices[m + 4 * k + axis] * ends[6 * bone + k]
          way += matrices[m + 4 * k + axis] * (ends[6 * bone + 3 + k] - ends[6 * bone + k])
        }
        out[o + axis] = start
        out[o + 3 + axis] = way
        squared += way * way
      }
      out[o + 6] = squared > 0 ? 1 / squared : 0
      out[o + 7] = 1 / radii[bone] ** 2
    }
  }

  /**
   * Where the point was at the frame's start by its two nearest bones, weighed by the inverse square of their distances: equal in the middle of a
   * joint. Distances are relative to the limb's thickness: on the skin of a limb they are one, thick or thin.
   */
  private blend(x: number, y: number, z: number, out: Floats, at: number): void {
    const { segments, back: maps } = this
    let first = 0
    let second = 0
    let least = Infinity
    let next = Infinity
    for (let o = 0; o < segments.length; o += SEGMENT) {
      const px = x - segments[o]
      const py = y - segments[o + 1]
      const pz = z - segments[o + 2]
      const dx = segments[o + 3]
      const dy = segments[o + 4]
      const dz = segments[o + 5]
      const along = (px * dx + py * dy + pz * dz) * segments[o + 6]
      const t = Math.min(Math.max(along, 0), 1)
      const ex = px - t * dx
      const ey = py - t * dy
      const ez = pz - t * dz
      const squared = (ex * ex + ey * ey + ez * ez) * segments[o + 7]
      if (squared < least) {
        second = first
        next = least
        first = o
        least = squared
      } else if (squared < next) {
        second = o
        next = squared
      }
    }
    // On both bones at once, or with no second: the first alone.
    const share = least > 0 && next < Infinity ? least / (least + next) : 0
    const a = 2 * first
    const b = 2 * second
    const own = 1 - share
    out[at] =
      own * (maps[a] * x + maps[a + 4] * y + maps[a + 8] * z + maps[a + 12]) +
      share * (maps[b] * x + maps[b + 4] * y + maps[b + 8] * z + maps[b + 12])
    out[at + 1] =
      own * (maps[a + 1] * x + maps[a + 5] * y + maps[a + 9] * z + maps[a + 13]) +
      share * (maps[b + 1] * x + maps[b + 5] * y + maps[b + 9] * z + maps[b + 13])
    out[at + 2] =
      own * (maps[a + 2] * x + maps[a + 6] * y + maps[a + 10] * z + maps[a + 14]) +
      share * (maps[b + 2] * x + maps[b + 6] * y + maps[b + 10] * z + maps[b + 14])
  }
}
