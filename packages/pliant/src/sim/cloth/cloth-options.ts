/** What a cloth is made of and how it is stepped, with the values a light cotton garment gets. */
import type { MeetsAt } from '../../detect/surface/surface-places.js'
import type { Vec3 } from '../../math/box.js'
import {
  NOT_NEGATIVE,
  oneOf,
  POSITIVE,
  POSITIVE_OR_INFINITE,
  type Rules,
  settingsOf,
  THREE_NUMBERS,
  YES_OR_NO,
} from '../../math/settings.js'

/** What a cloth is made of and how it is stepped. */
export interface ClothOptions {
  /** Mass per area [kg/m^2], positive. */
  density?: number
  /** Tensile stiffness: tension per width at 100% strain [N/m], positive; Infinity for an inextensible cloth. */
  stretchStiffness?: number
  /** The same for diagonals (`isDiagonal` in stretch.ts), which carry shear [N/m]. */
  shearStiffness?: number
  /** Bending stiffness of a strip: moment per width and curvature [N m], zero or more. */
  bendStiffness?: number
  /** Rate at which strain and bending motions die [1/s], zero or more; leaves rigid motion alone. */
  damping?: number
  /** Rate at which all velocities die [1/s], zero or more. */
  drag?: number
  /** [m/s^2] */
  gravity?: Vec3
  /** Density of the air [kg/m^3] that wind and still air act with; 0 for none. */
  airDensity?: number
  /** Drag coefficient of a triangle facing the wind. */
  dragCoefficient?: number
  /** Lift coefficient of a triangle at 45 degrees to the wind. */
  liftCoefficient?: number
  /** Distance [m] at which cloth stays from the body's surface, zero or more. */
  thickness?: number
  /**
   * Where cloth meets the body: 'points' are its vertices and the centres of its triangles; 'surface' finds on every edge and
   * triangle near the body the place that is deepest, so that a spike or a pole thinner than a triangle does not come through.
   */
  contact?: MeetsAt
  /** Coulomb coefficient against the body. */
  friction?: number
  /** Distance [m] that vertices keep from each other where the rest shape allows it; 0 for no self-collision. */
  selfDistance?: number
  /** Coulomb coefficient of cloth on cloth. */
  selfFriction?: number
  /** Longest substep [s], positive: a frame is cut into equal substeps no longer than this. */
  substep?: number
  /** Longest frame [s] that is simulated; the time beyond it is dropped, so that a stalled page slows down. */
  maxFrame?: number
  /** Speed [m/s] no vertex exceeds, attached ones excepted. */
  maxSpeed?: number
  /** How far [m] a contact's point may leave the place where its field was asked before it is asked again. */
  requeryDistance?: number
  /** Substeps between looks at that distance; Infinity to ask once a frame. */
  requeryEvery?: number
  /** How far [m] a vertex is guessed to go, relative to the body, when its field is asked for the frame's end. */
  guessDistance?: number
  /** Speed [m/s] at which depth that was there before is taken out. */
  recoverySpeed?: number
  /**
   * Cloth that is squeezed between two surfaces of the body and stretched beyond this strain passes through them until it is not;
   * so does any at a moving limb that is stretched beyond three times this strain. Infinity: it never does.
   */
  releaseStrain?: number
  /** Whether vertices hold to the nearest attachment by a slack line of their distance along the cloth. */
  tethers?: boolean
  /**
   * What moves, bends and stretches it: 'simd' or 'plain' code, with the same answers to the last bit; 'auto' takes SIMD where
   * the host has and allows it (a content security policy must name 'wasm-unsafe-eval').
   */
  kernel?: 'auto' | ClothKernel
}

/** What computes: SIMD, or plain code. */
export type ClothKernel = 'simd' | 'plain'

/** The options of a cloth with everything filled in. */
export type ClothSettings = { -readonly [K in keyof Required<ClothOptions>]: Required<ClothOptions>[K] }

/** A light cotton garment. */
export const CLOTH_DEFAULTS: Readonly<ClothSettings> = {
  density: 0.15,
  stretchStiffness: 2000,
  shearStiffness: 500,
  bendStiffness: 1e-5,
  damping: 2,
  drag: 0.1,
  gravity: [0, -9.81, 0],
  airDensity: 1.2,
  dragCoefficient: 1,
  liftCoefficient: 0.5,
  thickness: 0.004,
  contact: 'points',
  friction: 0.4,
  selfDistance: 0,
  selfFriction: 0.3,
  // 10 substeps in a frame of 1/60 s: a hung 32 x 32 sheet of 1 m sags by 1.1% without tethers, 0.3% with 20.
  substep: 1 / 600,
  maxFrame: 0.1,
  maxSpeed: 30,
  requeryDistance: 0.004,
  requeryEvery: 4,
  guessDistance: 0.02,
  recoverySpeed: 2,
  releaseStrain: 0.3,
  tethers: true,
  kernel: 'auto',
}

const RULES: Rules<ClothSettings> = {
  density: POSITIVE,
  stretchStiffness: POSITIVE_OR_INFINITE,
  shearStiffness: POSITIVE_OR_INFINITE,
  bendStiffness: NOT_NEGATIVE,
  damping: NOT_NEGATIVE,
  drag: NOT_NEGATIVE,
  gravity: THREE_NUMBERS,
  airDensity: NOT_NEGATIVE,
  dragCoefficient: NOT_NEGATIVE,
  liftCoefficient: NOT_NEGATIVE,
  thickness: NOT_NEGATIVE,
  contact: oneOf('points', 'surface'),
  friction: NOT_NEGATIVE,
  selfDistance: NOT_NEGATIVE,
  selfFriction: NOT_NEGATIVE,
  substep: POSITIVE,
  maxFrame: POSITIVE,
  maxSpeed: POSITIVE_OR_INFINITE,
  requeryDistance: NOT_NEGATIVE,
  requeryEvery: POSITIVE_OR_INFINITE,
  guessDistance: NOT_NEGATIVE,
  recoverySpeed: POSITIVE_OR_INFINITE,
  releaseStrain: POSITIVE_OR_INFINITE,
  tethers: YES_OR_NO,
  kernel: oneOf('auto', 'simd', 'plain'),
}

/** @throws RangeError if there is no such option, or a value is of another type or out of its range */
export function clothSettings(options: ClothOptions): ClothSettings {
  return settingsOf('cloth', options, CLOTH_DEFAULTS, RULES)
}
