/** How reduced bodies are simulated, with the values that soft bodies on a table get. */
import type { Vec3 } from '../../math/box.js'
import {
  COUNT,
  LIST,
  NOT_NEGATIVE,
  oneOf,
  POSITIVE,
  type Rules,
  SHARE,
  settingsOf,
  THREE_NUMBERS,
  YES_OR_NO,
} from '../../math/settings.js'
import type { Obstacle } from '../obstacle.js'

/** How reduced bodies are simulated. */
export interface ReducedWorldOptions {
  /** [m/s^2] */
  gravity?: Vec3
  /** What bodies may lie on; may be changed later (`setObstacles`). */
  obstacles?: readonly Obstacle[]
  /** Coulomb coefficient, against obstacles and between bodies. */
  friction?: number
  /** Share of its speed, 0 to 1, with which what hits an obstacle or another body bounces off; modes bounce beside it. */
  restitution?: number
  /** Distance [m] that surfaces keep from each other, zero or more: what the obstacles' fields may be off by. */
  margin?: number
  /** Speed [m/s] at which what overlaps, or is within the margin, is parted at most; it keeps this speed. */
  pushOut?: number
  /**
   * What self-contact does. 'speculative': the distance f may not fall below `selfMargin` within the step, f + h grad f .
   * w >= margin, before anything touches, and the code stays in its box. 'paper': grad f . w >= 0, once f is negative
   * (Cai et al., Eq. 22).
   */
  selfResponse?: SelfResponse
  /** Distance from self-contact that 'speculative' keeps, in the unit of the code, zero or more. */
  selfMargin?: number
  /** How fast a code is brought back over the margin or into its box at most [unit of the code per second]. */
  selfPushOut?: number
  /** Exact tests that taking back a step may cost. */
  guardTests?: number
  /** Most sweeps of the solver over all rows, twice a substep at most. */
  iterations?: number
  /** Violation of a row [m/s, or 1/s of the code] that ends the sweeps. */
  tolerance?: number
  /** Whether sweeps begin from the impulses of the last substep. */
  warmStart?: boolean
  /** Longest substep [s] of `step`: a frame is cut into equal substeps no longer than this. */
  substep?: number
  /** Longest frame [s] that `step` simulates; the time beyond it is dropped, so that a stalled page slows down. */
  maxFrame?: number
}

/** What self-contact does: ours, or the paper's. */
export type SelfResponse = 'speculative' | 'paper'

/** Options of a reduced world with every default filled in. */
export type ReducedWorldSettings = {
  -readonly [K in keyof Required<ReducedWorldOptions>]: Required<ReducedWorldOptions>[K]
}

/** What soft bodies on a table get; codes scaled so that their box is about -1 to 1. */
export const REDUCED_WORLD_DEFAULTS: Readonly<ReducedWorldSettings> = {
  gravity: [0, -9.81, 0],
  obstacles: [],
  friction: 0.4,
  restitution: 0,
  margin: 0,
  pushOut: 0.5,
  selfResponse: 'speculative',
  selfMargin: 0.01,
  selfPushOut: 1,
  guardTests: 8,
  iterations: 200,
  tolerance: 1e-5,
  warmStart: true,
  substep: 1 / 60,
  maxFrame: 0.1,
}

const RULES: Rules<ReducedWorldSettings> = {
  gravity: THREE_NUMBERS,
  obstacles: LIST,
  friction: NOT_NEGATIVE,
  restitution: SHARE,
  margin: NOT_NEGATIVE,
  pushOut: NOT_NEGATIVE,
  selfResponse: oneOf('speculative', 'paper'),
  selfMargin: NOT_NEGATIVE,
  selfPushOut: NOT_NEGATIVE,
  guardTests: COUNT,
  iterations: COUNT,
  tolerance: POSITIVE,
  warmStart: YES_OR_NO,
  substep: POSITIVE,
  maxFrame: POSITIVE,
}

/** @throws RangeError if there is no such option, or a value is of another type or out of its range */
export function reducedWorldSettings(options: ReducedWorldOptions): ReducedWorldSettings {
  return settingsOf('reduced world', options, REDUCED_WORLD_DEFAULTS, RULES)
}
