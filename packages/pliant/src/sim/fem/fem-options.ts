/** How an elastic body is simulated, with the values that a soft body in a hand or on a table gets. */
import type { MeetsAt } from '../../detect/surface/surface-places.js'
import type { Vec3 } from '../../math/box.js'
import {
  BELOW_ONE,
  LIST,
  NOT_NEGATIVE,
  OBJECT,
  oneOf,
  POSITIVE,
  type Rules,
  settingsOf,
  THREE_NUMBERS,
} from '../../math/settings.js'
import type { Obstacle } from '../obstacle.js'
import type { FemMaterial } from './fem-material.js'

/** How an elastic body is simulated. */
export interface FemOptions {
  /** What the body is made of. */
  material?: FemMaterial
  /** [m/s^2] */
  gravity?: Vec3
  /** What the body may lie on; may be changed later (`setObstacles`). */
  obstacles?: readonly Obstacle[]
  /**
   * Where the body meets obstacles: 'points' are the nodes of its surface; 'surface' finds on every edge and triangle near an
   * obstacle the place that is deepest, too, so that a spike or a pole thinner than a triangle does not come in.
   */
  contact?: MeetsAt
  /** Coulomb coefficient against obstacles. */
  friction?: number
  /** Speed [m/s] below which friction fades to sticking, positive. */
  slipSpeed?: number
  /** Pressure per depth in obstacles [Pa/m], positive; by default 20 times Young's modulus over the box's diagonal. */
  contactStiffness?: number
  /** Longest substep [s] of `step`, positive: a frame is cut into equal substeps no longer than this. */
  substep?: number
  /** Longest frame [s] that `step` simulates; the time beyond it is dropped, so that a stalled page slows down. */
  maxFrame?: number
  /** Speed [m/s] no node exceeds, pinned ones excepted, positive. */
  maxSpeed?: number
  /** How much of a step's imbalance of forces, what velocities must change by, the linear solver may leave, in (0, 1). */
  tolerance?: number
  /** Most iterations of the linear solver in a step. */
  iterations?: number
  /**
   * What `step` computes with: 'simd' in single precision, 'plain' in doubles; 'auto' takes SIMD where the host has and
   * allows it (a content security policy must name 'wasm-unsafe-eval'), else plain code, which `FemBody.warnings` tells.
   */
  kernel?: 'auto' | FemKernel
}

/** What computes: SIMD in single precision, or plain code in doubles. */
export type FemKernel = 'simd' | 'plain'

/** The options of an elastic body with everything filled in. */
export type FemSettings = { -readonly [K in keyof Required<FemOptions>]: Required<FemOptions>[K] }

/** What a soft body in a hand or on a table gets. */
export const FEM_DEFAULTS: Readonly<Omit<FemSettings, 'material' | 'contactStiffness'>> = {
  gravity: [0, -9.81, 0],
  obstacles: [],
  contact: 'points',
  friction: 0.4,
  slipSpeed: 0.01,
  substep: 1 / 60,
  maxFrame: 0.1,
  maxSpeed: 30,
  // A pressed bunny's nodes are then right to 0.2% of its size; 1.7% at 0.05 (docs/notes/fem.md).
  tolerance: 0.01,
  iterations: 60,
  kernel: 'auto',
}

const RULES: Rules<FemSettings> = {
  material: OBJECT,
  gravity: THREE_NUMBERS,
  obstacles: LIST,
  contact: oneOf('points', 'surface'),
  friction: NOT_NEGATIVE,
  slipSpeed: POSITIVE,
  contactStiffness: POSITIVE,
  substep: POSITIVE,
  maxFrame: POSITIVE,
  maxSpeed: POSITIVE,
  tolerance: BELOW_ONE,
  iterations: POSITIVE,
  kernel: oneOf('auto', 'simd', 'plain'),
}

/**
 * @param stiffness what `contactStiffness` is by default [Pa/m]
 * @throws RangeError if there is no such option, or a value is of another type or out of its range
 */
export function femSettings(options: FemOptions, stiffness: number): FemSettings {
  return settingsOf('fem', options, { material: {}, contactStiffness: stiffness, ...FEM_DEFAULTS }, RULES)
}
