/** How an elastic body is simulated, with the values that a soft body in a hand or on a table gets. */
import type { Vec3 } from '../../math/box.js'
import type { FemObstacle } from './fem-contacts.js'
import type { FemMaterial } from './fem-material.js'

export interface FemOptions {
  material?: FemMaterial
  /** [m/s^2] */
  gravity?: Vec3
  /** What the body may lie on; may be changed later (`setObstacles`). */
  obstacles?: readonly FemObstacle[]
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
  /** What `step` computes with: 'simd', where the host has it, in single precision; 'plain' in doubles. */
  kernel?: FemKernel
}

export type FemKernel = 'simd' | 'plain'

export type FemSettings = { -readonly [K in keyof Required<FemOptions>]: Required<FemOptions>[K] }

export const FEM_DEFAULTS: Readonly<Omit<FemSettings, 'material' | 'contactStiffness'>> = {
  gravity: [0, -9.81, 0],
  obstacles: [],
  friction: 0.4,
  slipSpeed: 0.01,
  substep: 1 / 60,
  maxFrame: 0.1,
  maxSpeed: 30,
  // A pressed bunny's nodes are then right to 0.2% of its size; 1.7% at 0.05 (docs/notes/fem.md).
  tolerance: 0.01,
  iterations: 60,
  kernel: 'simd',
}

/**
 * @param stiffness what `contactStiffness` is by default [Pa/m]
 * @throws RangeError if a value is out of its range
 */
export function femSettings(options: FemOptions, stiffness: number): FemSettings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const settings: FemSettings = { material: {}, contactStiffness: stiffness, ...FEM_DEFAULTS, ...given }
  for (const name of POSITIVE) {
    if (!(settings[name] > 0 && settings[name] < Infinity)) reject(name, settings[name], 'give a positive number')
  }
  if (!(settings.friction >= 0 && settings.friction < Infinity)) {
    reject('friction', settings.friction, 'give zero or more')
  }
  if (!(settings.tolerance < 1)) reject('tolerance', settings.tolerance, 'give a number between 0 and 1')
  if (settings.kernel !== 'simd' && settings.kernel !== 'plain') {
    reject('kernel', settings.kernel, "give 'simd' or 'plain'")
  }
  if (!settings.gravity.every(Number.isFinite)) reject('gravity', settings.gravity, 'give three finite numbers')
  return settings
}

const POSITIVE = [
  'slipSpeed',
  'contactStiffness',
  'substep',
  'maxFrame',
  'maxSpeed',
  'tolerance',
  'iterations',
] as const

function reject(name: string, value: unknown, what: string): never {
  throw new RangeError(`fem: ${name} is ${value}; ${what}.`)
}
