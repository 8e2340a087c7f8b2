/** An arm of two bones along x with a joint in the middle, for fields that are posed by joint matrices. */

import { fieldCapsule } from '../../src/field/analytic.js'
import type { BoneBox } from '../../src/field/bone-grids.js'

export const ARM_RADIUS = 0.2
export const ARM_BONES: BoneBox[] = [0, 1].map((joint) => ({
  joint,
  start: [0, 0, 0],
  end: [1, 0, 0],
  radius: ARM_RADIUS,
  centre: [0.5, 0, 0],
  half: [0.85, 0.4, 0.45],
}))

/** Both bones in a row: the arm at rest, from x = 0 to x = 2. */
export const armRestField = fieldCapsule([0, 0, 0], [2, 0, 0], ARM_RADIUS)
export const armRest = armMatrices(0)

/** Joint to root matrices of the arm bent by an angle [rad] about z, and all of it scaled, turned about z and moved. */
export function armMatrices(angle: number, scale = 1, turn = 0, offset: readonly number[] = [0, 0, 0]): Float64Array {
  const joint = (about: number, x: number, y: number): number[] => {
    const [c, s] = [scale * Math.cos(about), scale * Math.sin(about)]
    return [c, s, 0, 0, -s, c, 0, 0, 0, 0, scale, 0, x + offset[0], y + offset[1], offset[2], 1]
  }
  const elbow = [scale * Math.cos(turn), scale * Math.sin(turn)]
  return Float64Array.from([...joint(turn, 0, 0), ...joint(turn + angle, elbow[0], elbow[1])])
}
