/** A tool's own frame in the world, which goes to another as a hand would carry it. */
import type { Floats, Vec3 } from '../../index.js'
import { normaliseQuaternion, rotateVector, slerpQuaternions } from '../../unstable.js'

/** Where a tool's own frame is in the world. */
export interface ToolPose {
  /** Of its origin [m]. */
  position: Vec3
  /** Quaternion xyzw. */
  rotation: readonly [number, number, number, number]
}

/** How fast a hand follows [1/s], and how fast it turns at most [rad/s]. */
const RATE = 22
const TURN = 5

/** Position and rotation that are moved in place. */
export class ToolFrame {
  /** Of the origin [m]. */
  readonly position = new Float64Array(3)
  /** Unit quaternion xyzw. */
  readonly rotation = Float64Array.of(0, 0, 0, 1)

  /** Takes a pose, its quaternion of any length but 0. */
  set({ position, rotation }: ToolPose): this {
    this.position.set(position)
    this.rotation.set(rotation)
    normaliseQuaternion(this.rotation, 0)
    return this
  }

  /** A copy. */
  get pose(): ToolPose {
    const [x, y, z] = this.position
    const [a, b, c, d] = this.rotation
    return { position: [x, y, z], rotation: [a, b, c, d] }
  }

  /** Points of the tool's frame in the world [m], xyz triples. @param out  as long; may be `points` */
  place(points: Float64Array, out: Floats): void {
    const { position, rotation } = this
    for (let i = 0; i < points.length; i += 3) {
      rotateVector(rotation, 0, points, i, out, i)
      for (let axis = 0; axis < 3; axis++) out[i + axis] += position[axis]
    }
  }

  /**
   * Goes towards another as a hand would: most of the way within a tenth of a second, and no faster than `speed`.
   * @param seconds  to move for [s]
   * @param speed    [m/s]
   */
  approach(target: ToolFrame, seconds: number, speed: number): void {
    const share = 1 - Math.exp(-RATE * seconds)
    const way = this.distanceTo(target)
    const moved = Math.min(share, way > 0 ? (speed * seconds) / way : 1)
    for (let axis = 0; axis < 3; axis++) {
      this.position[axis] += moved * (target.position[axis] - this.position[axis])
    }
    const turn = angleBetween(this.rotation, target.rotation)
    const turned = Math.min(share, turn > 0 ? (TURN * seconds) / turn : 1)
    slerpQuaternions(this.rotation, 0, target.rotation, 0, turned, this.rotation, 0)
  }

  /** From origin to origin [m]. */
  distanceTo({ position: [x, y, z] }: ToolFrame): number {
    return Math.hypot(x - this.position[0], y - this.position[1], z - this.position[2])
  }
}

/** [rad], 0 to pi. */
function angleBetween(a: Float64Array, b: Float64Array): number {
  const cosine = Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3])
  return 2 * Math.acos(Math.min(1, cosine))
}
