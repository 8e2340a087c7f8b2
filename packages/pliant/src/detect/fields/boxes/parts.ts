/**
 * A surface in parts, before they are boxes: what every method of `orientedBoxes` is given and tells, in the surface's own
 * measure, and how parts come to hold all of it.
 */

/** Points of a surface, moved and scaled so that the box around them has its middle at the origin and a diagonal of 1. */
export interface UnitSurface {
  readonly count: number
  /** xyz triples. */
  readonly points: Float64Array
  /** Outward and of unit length, xyz triples; zero where the surface faces nowhere. */
  readonly normals: Float64Array
  /** How far a point is from the nearest other one, on average. */
  readonly spacing: number
}

/** The axes of a part's box, and from where to where it reaches along them; nowhere as long as lower is above upper. */
export interface Part {
  /** Three axes one after the other, at right angles, right-handed. */
  readonly axes: Float64Array
  readonly lower: Float64Array
  readonly upper: Float64Array
}

export interface Parts {
  readonly parts: readonly Part[]
  /** Which part each point is of. */
  readonly owners: Uint32Array
}

/** What a unit of normal counts beside a unit of place where points are compared (algorithms.md 4.3). */
export const NORMAL_WEIGHT = 0.3

/**
 * Makes parts reach as far as their points (Liu et al., section 4.1): a point that no part holds is given to the one that it
 * is of, which grows on those sides alone that the point is beyond, and a spacing further, so that no strip of the surface
 * lies between the boxes of points that are next to each other.
 */
export function growOver({ points, count, spacing }: UnitSurface, { parts, owners }: Parts): void {
  for (let i = 0; i < count; i++) {
    if (parts.some((part) => holds(part, points, i))) continue
    const { axes, lower, upper } = parts[owners[i]]
    for (let axis = 0; axis < 3; axis++) {
      const place = along(axes, axis, points, i)
      // Both where it is nowhere yet.
      if (place < lower[axis]) lower[axis] = place - spacing
      if (place > upper[axis]) upper[axis] = place + spacing
    }
  }
}

function holds({ axes, lower, upper }: Part, points: Float64Array, i: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const place = along(axes, axis, points, i)
    if (place < lower[axis] || place > upper[axis]) return false
  }
  return true
}

/** Where a point, or a vector of three, is along an axis. */
export function along(axes: ArrayLike<number>, axis: number, points: ArrayLike<number>, i: number): number {
  return (
    axes[3 * axis] * points[3 * i] + axes[3 * axis + 1] * points[3 * i + 1] + axes[3 * axis + 2] * points[3 * i + 2]
  )
}
