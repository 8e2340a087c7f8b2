/** Where the camera stands at first: which way, and how far back to see a whole box. */
import type { Box, Vec3 } from 'pliant'
import { boxCentre } from 'pliant/unstable'

/** Unit direction from what is looked at to the camera: from the front right, well above. */
export const VIEW_FROM: Vec3 = [0.3735, 0.5976, 0.7096]
/** Upright [degrees]. */
export const FIELD_OF_VIEW = 32

/** Share of the picture that the box may fill. */
const FILL = 0.94

/**
 * @param from         unit direction from the box's centre, where the camera looks, to the camera; +Y is up
 * @param fieldOfView  upright [degrees]
 * @returns            distance from the centre [m]
 */
export function distanceToSee(box: Box, from: readonly number[], fieldOfView: number, aspect: number): number {
  const tangentY = FILL * Math.tan((fieldOfView * Math.PI) / 360)
  const tangentX = tangentY * aspect
  // Right and up of the picture: right = up x from, level with the ground.
  const level = Math.hypot(from[0], from[2])
  const right = [from[2] / level, 0, -from[0] / level]
  const up = [from[1] * right[2], from[2] * right[0] - from[0] * right[2], -from[1] * right[0]]
  const centre = boxCentre(box)
  let distance = 0
  for (let corner = 0; corner < 8; corner++) {
    const offset = [0, 1, 2].map((axis) => (corner & (1 << axis) ? box.upper : box.lower)[axis] - centre[axis])
    const along = dot(offset, from)
    const reach = Math.max(Math.abs(dot(offset, right)) / tangentX, Math.abs(dot(offset, up)) / tangentY)
    distance = Math.max(distance, along + reach)
  }
  return distance
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
