/**
 * What an elastic body is made of. Young and Poisson are those of small strains; the laws (neo-hookean.ts,
 * corotated.ts) agree there and differ in large ones.
 */
import { NOT_NEGATIVE, oneOf, POSITIVE, type Rules, settingsOf } from '../../math/settings.js'

/** What an elastic body is made of. */
export interface FemMaterial {
  /** Mass per volume [kg/m^3], positive. */
  density?: number
  /** Young's modulus [Pa], positive. */
  young?: number
  /**
   * Poisson's ratio, above -1 and at most 0.495; rubber and flesh are near 0.49. Linear tetrahedra lock beyond 0.4: a beam two cells
   * thick bends by 11% too little at 0.3, 23% at 0.45 and 52% at 0.49, one of four cells by 4, 9 and 24%. `FemBody.warnings`
   * says so; shapes and contacts are right, bending is too stiff for the Young's modulus given.
   */
  poisson?: number
  /** Rayleigh damping by mass [1/s], zero or more: the rate at which all velocities die, rigid ones too. */
  massDamping?: number
  /** Rayleigh damping by stiffness [s], zero or more: vibrations of angular frequency w [rad/s] die at the rate w^2 / 2 times this. */
  stiffnessDamping?: number
  /** 'neo-hookean' keeps volume and recovers from inversion; 'corotated' is linear in strain. */
  law?: FemLaw
}

/** How stress follows from strain. */
export type FemLaw = 'neo-hookean' | 'corotated'

/** A material with everything filled in. */
export type FemMaterialSettings = { -readonly [K in keyof Required<FemMaterial>]: Required<FemMaterial>[K] }

/** A soft rubber. */
export const FEM_MATERIAL_DEFAULTS: Readonly<FemMaterialSettings> = {
  density: 1000,
  young: 1e5,
  poisson: 0.45,
  massDamping: 0,
  stiffnessDamping: 0.01,
  law: 'neo-hookean',
}

/** Beyond this the bulk modulus is 100 times the shear modulus: linear tetrahedra lock, and solvers crawl. */
const MOST_POISSON = 0.495

const RULES: Rules<FemMaterialSettings> = {
  density: POSITIVE,
  young: POSITIVE,
  poisson: {
    fits: (value) => typeof value === 'number' && value > -1 && value <= MOST_POISSON,
    needs: 'give a number above -1 and at most 0.49 (0.5 is incompressible, which linear tetrahedra cannot be)',
  },
  massDamping: NOT_NEGATIVE,
  stiffnessDamping: NOT_NEGATIVE,
  law: oneOf('neo-hookean', 'corotated'),
}

/** @throws RangeError if there is no such property, or a value is of another type or out of its range */
export function femMaterial(material: FemMaterial): FemMaterialSettings {
  return settingsOf('material', material, FEM_MATERIAL_DEFAULTS, RULES)
}

/** From this Poisson's ratio on linear tetrahedra bend visibly less than they should (docs/notes/fem.md). */
const LOCKING_POISSON = 0.4

/** What a user of this material should know, one line each; empty if there is nothing. */
export function materialWarnings({ poisson }: FemMaterialSettings): string[] {
  if (!(poisson > LOCKING_POISSON)) return []
  return [
    `fem: Poisson ${poisson} locks linear tetrahedra, a beam of two cells across bends a quarter too little at 0.45; ` +
      'give at most 0.4, more cells across what bends, or a lower Young.',
  ]
}

/** Lame's constants [Pa] of small strains: `shear` (mu) and `lambda`. */
export function lameConstants(young: number, poisson: number): { shear: number; lambda: number } {
  return {
    shear: young / (2 * (1 + poisson)),
    lambda: (young * poisson) / ((1 + poisson) * (1 - 2 * poisson)),
  }
}
