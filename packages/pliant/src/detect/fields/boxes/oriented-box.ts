/** Boxes turned any way, as they hold the parts of a body. */
import type { Box } from '../../../math/box.js'

/** A box turned any way. */
export interface OrientedBox {
  /** From its middle and axes to the body's frame, rigid, column-major 4x4 [m]. */
  readonly frame: Float64Array
  /** Half of its sides [m]. */
  readonly half: readonly [number, number, number]
}

/** A box along the axes as an oriented one. */
export function orientedBox({ lower, upper }: Box): OrientedBox {
  const [x, y, z] = [0, 1, 2].map((k) => (lower[k] + upper[k]) / 2)
  return {
    frame: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1),
    half: [0, 1, 2].map((k) => (upper[k] - lower[k]) / 2) as never,
  }
}

/** [m^3] */
export function boxVolume({ half }: OrientedBox): number {
  return 8 * half[0] * half[1] * half[2]
}

/** Whether a point, xyz from `at`, is in the box or on its sides, to `tolerance` [m]. */
export function boxHolds({ frame, half }: OrientedBox, points: ArrayLike<number>, at: number, tolerance = 0): boolean {
  for (let axis = 0; axis < 3; axis++) {
    let along = 0
    for (let k = 0; k < 3; k++) along += frame[4 * axis + k] * (points[at + k] - frame[12 + k])
    if (!(Math.abs(along) <= half[axis] + tolerance)) return false
  }
  return true
}
