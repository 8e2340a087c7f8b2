/** A path that shows all of contact: the hand approaches a surface, presses, slides along it and leaves, never at a jerk. */
import type { Vec3 } from '../math/box.js'
import { ToolPath } from './tool-path.js'

export interface PressPathOptions {
  /** Where the hand is when the tool just touches [m]. */
  touch: Vec3
  /** Which way is away from the surface; of any length but 0. */
  outward?: Vec3
  /** Where to slide, from the touch [m]. */
  slide?: Vec3
  /** How far the hand begins and ends from the touch [m], and how far it presses beyond [m]. */
  clearance?: number
  depth?: number
  /** How long approaching, pressing, sliding and leaving take [s]. */
  seconds?: readonly [number, number, number, number]
  /** How the tool is turned: quaternion xyzw. */
  rotation?: readonly [number, number, number, number]
}

export const PRESS_PATH_DEFAULTS = {
  outward: [0, 1, 0],
  slide: [0.05, 0, 0],
  clearance: 0.05,
  depth: 0.02,
  seconds: [0.5, 0.5, 1.5, 0.5],
  rotation: [0, 0, 0, 1],
} as const

/** Poses per second that are written. */
const RATE = 60

export function pressPath(options: PressPathOptions): ToolPath {
  const { touch, outward, slide, clearance, depth, seconds, rotation } = { ...PRESS_PATH_DEFAULTS, ...options }
  const length = Math.hypot(...outward)
  if (!(length > 0)) throw new RangeError(`press path: outward is [${outward}]; give a direction.`)
  // Height above the touch and share of the slide at the end of each part.
  const stations = [
    [clearance, 0],
    [0, 0],
    [-depth, 0],
    [-depth, 1],
    [clearance, 1],
  ] as const
  const times = [0]
  const positions: number[] = []
  const write = (height: number, share: number): void => {
    for (let axis = 0; axis < 3; axis++) {
      positions.push(touch[axis] + (height * outward[axis]) / length + share * slide[axis])
    }
  }
  write(...stations[0])
  seconds.forEach((duration, part) => {
    const start = times[times.length - 1]
    const count = Math.max(1, Math.round(RATE * duration))
    const [from, to] = [stations[part], stations[part + 1]]
    for (let n = 1; n <= count; n++) {
      const t = n / count
      const ease = t * t * (3 - 2 * t)
      times.push(start + t * duration)
      write(from[0] + ease * (to[0] - from[0]), from[1] + ease * (to[1] - from[1]))
    }
  })
  const quaternions = times.flatMap(() => [...rotation])
  return new ToolPath({ times, positions, quaternions })
}
