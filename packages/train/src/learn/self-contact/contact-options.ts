/** How our own learner goes about it (docs/notes/self-contact.md). */
import type { GapShape } from 'pliant/unstable'

export interface ContactOptions {
  /** Exact tests that may be made: labels, and what points of the boundary cost. */
  labels: number
  /** Rounds that acquire labels; one more learns distances. */
  rounds: number
  /** Steps of all rounds; the last takes `lastShare` of them. */
  steps: number
  lastShare: number
  learningRate: number
  /** Pairs of points whose gaps the network sees. */
  gaps: number
  /** Whether these are learned, too, from where they were chosen. */
  learnsGaps: boolean
  hidden: number[]
  activation: GapShape['activation']
  /**
   * How steep the first layer begins. Above 1 its units also turn at places all over the box instead of its middle, which a
   * network without gaps needs for a boundary with corners.
   */
  detail: number
  /** Share of the labels of a round that are of uniform codes; the others go into points of the boundary. */
  uniformShare: number
  /** How far from a point of the boundary, along its normal, values are learned, in the unit of the code. */
  span: number
  /** Codes whose distances are learned in the last round. */
  distances: number
  batch: number
  sharpness: number
  boundaryWeight: number
  distanceWeight: number
}

export const CONTACT_DEFAULTS: ContactOptions = {
  labels: 300_000,
  rounds: 8,
  steps: 12_000,
  lastShare: 0.5,
  learningRate: 2e-3,
  gaps: 128,
  learnsGaps: true,
  hidden: [128, 128, 128],
  activation: 'silu',
  detail: 1,
  uniformShare: 0.25,
  span: 0.05,
  distances: 60_000,
  batch: 4096,
  sharpness: 20,
  boundaryWeight: 10,
  distanceWeight: 3,
}

/** Fewer modes have a simpler boundary: a network of a quarter of the work tells it. */
export function contactNetwork(modes: number): Pick<ContactOptions, 'hidden' | 'gaps'> {
  return modes <= FEW_MODES ? { hidden: [64, 64], gaps: 64 } : CONTACT_DEFAULTS
}
const FEW_MODES = 4
