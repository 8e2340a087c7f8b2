/** A soft hand presses a soft body: ElasticTouch finds the contacts of both, and moves both. */
import { boxOfPoints } from 'pliant'
import { ElasticTouch } from 'pliant/respond'

/** How much of its length the hand is held by, at the end towards +x. */
const HELD = 0.28

export class HandPress {
  // #region touch
  /** @param body what is pressed  @param hand what presses, placed where it is to begin */
  constructor(body, hand) {
    this.touch = new ElasticTouch(
      { body: body.fem, bodyField: body.field, tool: hand.fem, toolField: hand.field, wrist: wristOf(hand.fem) },
      { substep: 1 / 120 },
    )
    this.start = [...this.touch.handPosition]
  }

  /** @param offset of the hand from where it began [m] */
  step(seconds, offset) {
    const target = this.start.map((value, axis) => value + offset[axis])
    this.touch.moveHand(target, [0, 0, 0, 1]) // a quaternion: it is not turned
    this.touch.step(seconds)
  }

  get touching() {
    return this.touch.report.contacts
  }

  /** Of the hand, which feels it [N]. */
  get force() {
    return Math.hypot(...this.touch.report.handForce)
  }
  // #endregion
}

function wristOf({ positions, nodeCount }) {
  const { lower, upper } = boxOfPoints(positions)
  const from = upper[0] - HELD * (upper[0] - lower[0])
  return Array.from({ length: nodeCount }, (_, node) => node).filter((node) => positions[3 * node] > from)
}
