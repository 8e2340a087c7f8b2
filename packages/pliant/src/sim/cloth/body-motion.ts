/** Surface velocities of bodies: rigid, or from two poses of a field. Skinned characters: bone-motion.ts. */
import type { Vec3 } from '../../math/box.js'
import type { Floats } from '../../math/floats.js'
import type { SurfaceMotion } from '../obstacle.js'

/** A body that turns about `centre` and moves: v + omega x (p - centre). All three may be changed between frames. */
export interface RigidMotion extends SurfaceMotion {
  /** [m/s] */
  linear: Vec3
  /** [rad/s] */
  angular: Vec3
  /** [m] */
  centre: Vec3
}

/**
 * The motion of a rigid body: linear velocity [m/s], angular velocity [rad/s] and the centre [m] that it turns about.
 */
export function rigidMotion(
  linear: Vec3 = [0, 0, 0],
  angular: Vec3 = [0, 0, 0],
  centre: Vec3 = [0, 0, 0],
): RigidMotion {
  return {
    linear,
    angular,
    centre,
    velocity(points, _normals, count, out) {
      const [wx, wy, wz] = this.angular
      for (let i = 0; i < 3 * count; i += 3) {
        const x = points[i] - this.centre[0]
        const y = points[i + 1] - this.centre[1]
        const z = points[i + 2] - this.centre[2]
        out[i] = this.linear[0] + wy * z - wz * y
        out[i + 1] = this.linear[1] + wz * x - wx * z
        out[i + 2] = this.linear[2] + wx * y - wy * x
      }
    },
  }
}

/**
 * Velocity along the normal from the field at the last pose: a point whose distance fell from d to d' met a surface
 * that came nearer by d - d'. Says nothing about sliding, so friction sees the normal part of the motion only: the
 * fallback for a field about which nothing else is known, at the price of a second evaluation.
 * @param evaluateBoth  writes distances at the last pose and at this one [m]
 * @param frame         duration of the frame being stepped [s]
 */
export function motionFromPoses(
  evaluateBoth: (points: Floats, count: number, before: Floats, now: Floats) => void,
  frame: () => number,
): SurfaceMotion {
  let before = new Float64Array(0)
  let now = new Float64Array(0)
  return {
    velocity(points, normals, count, out) {
      if (before.length < count) {
        before = new Float64Array(count)
        now = new Float64Array(count)
      }
      evaluateBoth(points, count, before, now)
      const duration = frame()
      for (let i = 0; i < count; i++) {
        const speed = duration > 0 ? (before[i] - now[i]) / duration : 0
        for (let axis = 0; axis < 3; axis++) out[3 * i + axis] = speed * normals[3 * i + axis]
      }
    },
  }
}
