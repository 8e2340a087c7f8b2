/** What makers of rows agree on: the step they are for, how keys are numbered, and what speed a gap allows. */

/** Room between the keys of one source of rows and of the next. */
export const SOURCE = 2 ** 32

/** What rows need to know of the step. */
export interface StepPlan {
  h: number
  /** Until obstacles are where their fields have them [s]: h, or more where a frame has several substeps. */
  remaining: number
  /** Velocities of all bodies now, and at the end of a step that nothing hinders. */
  now: Float64Array
  free: Float64Array
}

/** From a penetration or a gap to the least speed of a row: it may close a gap, and overlaps part at a bounded rate. */
export function boundOf(gap: number, h: number, pushOut: number): number {
  return gap >= 0 ? -gap / h : Math.min(-gap / h, pushOut)
}
