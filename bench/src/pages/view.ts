/**
 * How a character is looked at in the pictures: upright, from the side that shows it widest, so that a person is seen
 * from the front and a fox from its flank. Points are in the root frame [m].
 */
import { type Box, boxExpand } from 'pliant'

export interface View {
  /** Axis to the right, axis upwards, axis towards the viewer. */
  across: number
  up: number
  depth: number
  box: Box
}

/** Room around the body, as a share of its height. */
const MARGIN = 0.06

/** @param box of all shapes that the view shall hold */
export function chooseView(box: Box, height: number): View {
  const width = (axis: number): number => box.upper[axis] - box.lower[axis]
  const [across, depth] = width(0) >= width(2) ? [0, 2] : [2, 0]
  return { across, up: 1, depth, box: boxExpand(box, MARGIN * height) }
}

/** Extent of an axis of the view. */
export function extent({ box }: View, axis: number): [number, number] {
  return [box.lower[axis], box.upper[axis]]
}
