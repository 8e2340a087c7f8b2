/**
 * What an elastic body is made of. Young and Poisson are those of small strains; the laws (neo-hookean.ts,
 * corotated.ts) agree there and differ in large ones.
 */
export interface FemMaterial {
  /** Mass per volume [kg/m^3], positive. */
  density?: number
  /** Young's modulus [Pa], positive. */
  young?: number
  /** Poisson's ratio, above -1 and at most 0.495; rubber and flesh are near 0.49. */
  poisson?: number
  /** Rayleigh damping by mass [1/s], zero or more: the rate at which all velocities die, rigid ones too. */
  massDamping?: number
  /** Rayleigh damping by stiffness [s], zero or more: vibrations of angular frequency w [rad/s] die at the rate w^2 / 2 times this. */
  stiffnessDamping?: number
  /** 'neo-hookean' keeps volume and recovers from inversion; 'corotated' is linear in strain. */
  law?: FemLaw
}

export type FemLaw = 'neo-hookean' | 'corotated'

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

/** @throws RangeError if a value is out of its range */
export function femMaterial(material: FemMaterial): FemMaterialSettings {
  const given = Object.entries(material).filter(([, value]) => value !== undefined)
  const settings: FemMaterialSettings = { ...FEM_MATERIAL_DEFAULTS, ...Object.fromEntries(given) }
  for (const name of ['density', 'young'] as const) {
    if (!(settings[name] > 0 && settings[name] < Infinity)) reject(name, settings[name], 'give a positive number')
  }
  for (const name of ['massDamping', 'stiffnessDamping'] as const) {
    if (!(settings[name] >= 0 && settings[name] < Infinity)) reject(name, settings[name], 'give zero or more')
  }
  const { poisson, law } = settings
  if (poisson > MOST_POISSON) {
    reject('poisson', poisson, '0.5 is incompressible, which linear tetrahedra cannot be; give 0.49')
  }
  if (!(poisson > -1)) reject('poisson', poisson, 'give a number above -1 and at most 0.49')
  if (law !== 'neo-hookean' && law !== 'corotated') reject('law', law, "give 'neo-hookean' or 'corotated'")
  return settings
}

/** Lame's constants [Pa] of small strains: `shear` (mu) and `lambda`. */
export function lameConstants(young: number, poisson: number): { shear: number; lambda: number } {
  return {
    shear: young / (2 * (1 + poisson)),
    lambda: (young * poisson) / ((1 + poisson) * (1 - 2 * poisson)),
  }
}

function reject(name: string, value: unknown, what: string): never {
  throw new RangeError(`material: ${name} is ${value}; ${what}.`)
}
