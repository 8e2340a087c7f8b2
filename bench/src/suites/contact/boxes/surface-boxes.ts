/** The bodies that contact is judged on, cut into oriented boxes: how densely their surface is sampled for that. */
import type { Box, SignedField } from 'pliant'
import { type OrientedBox, type OrientedBoxesOptions, orientedBoxes, type Solid, solidOf } from 'pliant/detect'

/** Both ways to cut, as they are told. */
export const CUTS = [
  { method: 'segmentation', name: 'boxes by joint segmentation' },
  { method: 'clusters', name: 'boxes by clusters' },
] as const

/** For a first look. */
export const QUICK_BOXES = { points: 512, steps: 200, restarts: 1 } as const

/** Points along the longest side: some 4,000 in all, as many as Yang and Chen take. */
export const CUT_CELLS = 32

/** Points of a body's surface, denser than it is met with. */
export function cutSurface(field: SignedField, box: Box): Solid {
  return solidOf(field, box, { cells: CUT_CELLS })
}

/** Boxes of solids, each cut when it is first asked for. */
export function boxesOfSolids(options: OrientedBoxesOptions): (solid: Solid) => readonly OrientedBox[] {
  const known = new WeakMap<Solid, readonly OrientedBox[]>()
  return (solid) => {
    const boxes = known.get(solid) ?? orientedBoxes(cutSurface(solid.field, solid.box), options)
    known.set(solid, boxes)
    return boxes
  }
}
