/**
 * How poses by dropping are made (Zesch et al. 2022, sections 3.1.1 and 4.1: fully implicit Euler, Poisson 0.49, high
 * damping). All lengths are in sizes of the body (the diagonal of its box at rest), all times in the time sqrt(size / g)
 * in which it falls by half of it: poses do not depend on the unit of the mesh.
 */

import { boxOfPoints, type TetMesh } from 'pliant'
import type { FemMaterial } from 'pliant/sim'
import { boxDiagonal, femMaterial } from 'pliant/unstable'

export interface DropOptions {
  /**
   * Material; by default density 1000, Poisson's ratio 0.49, stiffness damping of a tenth of the falling time, and a Young's
   * modulus of eight times density x g x size (see SOFTNESS).
   */
  material?: FemMaterial
  /** Least and largest Young's modulus of a run, in multiples of the material's: a body may be softer when it is used. */
  stiffness?: readonly [number, number]
  /** Least and largest damping of a run, by mass and by stiffness, in multiples of the material's. */
  damping?: readonly [number, number]
  /** Least and largest Poisson's ratio of a run; the material's if not given. */
  poisson?: readonly [number, number]
  seed?: number
  /** What poses are for; drops to judge by and drops to train on have nothing in common. */
  purpose?: 'training' | 'evaluation'
  /** Poses to take from each run. */
  snapshots?: number
  /** Steps between them. */
  stepsBetween?: number
  /** Duration of a step, in falling times. */
  step?: number
  /** Fewest and most spheres that stick out of the ground. */
  spheres?: readonly [number, number]
  /** Smallest and largest radius of a sphere, in sizes. */
  radii?: readonly [number, number]
  /** Lowest and highest drop, in sizes. */
  heights?: readonly [number, number]
  /** Coulomb coefficient. */
  friction?: number
}

export interface DropSettings extends Required<Omit<DropOptions, 'material'>> {
  material: FemMaterial & { young: number }
  /** Diagonal of the box at rest [m]. */
  size: number
  /** sqrt(size / g) [s]. */
  fallTime: number
}

export const DROP_DEFAULTS = {
  stiffness: [1, 1],
  damping: [1, 1],
  seed: 1,
  purpose: 'training',
  // 24 steps follow a body from the first touch through the deepest squash and the way back.
  snapshots: 8,
  stepsBetween: 3,
  step: 0.12,
  spheres: [3, 8],
  radii: [0.06, 0.3],
  heights: [0.2, 1.5],
  friction: 0.4,
} as const

/** [m/s^2] */
export const GRAVITY = 9.81

const DENSITY = 1000
/**
 * Young's modulus over density x g x size. Of a bunny's poses at 3, 8 and 16, the furthest node moved by 34, 28 and 23% of the
 * size in the median, and 27, 15 and 15 of 48 passed through themselves: ears do, at any.
 */
const SOFTNESS = 8
const DAMPING = 0.1

/** @throws RangeError if an option is out of range */
export function dropSettings(mesh: TetMesh, options: DropOptions): DropSettings {
  const size = boxDiagonal(boxOfPoints(mesh.positions))
  const fallTime = Math.sqrt(size / GRAVITY)
  const density = options.material?.density ?? DENSITY
  const material = {
    density,
    young: SOFTNESS * density * GRAVITY * size,
    poisson: 0.49,
    stiffnessDamping: DAMPING * fallTime,
    ...options.material,
  }
  // Only what is ours: settings go to threads, which cannot be given callbacks.
  const names = Object.keys(DROP_DEFAULTS) as (keyof typeof DROP_DEFAULTS)[]
  const given = Object.fromEntries(
    names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
  )
  const poisson = options.poisson ?? [material.poisson, material.poisson]
  const settings: DropSettings = { ...DROP_DEFAULTS, ...given, poisson, material, size, fallTime }
  for (const name of ['snapshots', 'stepsBetween'] as const) {
    if (!(Number.isInteger(settings[name]) && settings[name] > 0))
      reject(name, settings[name], 'a whole number above 0')
  }
  if (!(settings.step > 0 && settings.step <= 1)) reject('step', settings.step, 'more than 0 and at most 1')
  for (const name of ['spheres', 'radii', 'heights'] as const) {
    const [low, high] = settings[name]
    if (!(low >= 0 && low <= high && high < 100)) reject(name, settings[name], 'a lower and an upper bound, 0 or more')
  }
  for (const name of ['stiffness', 'damping'] as const) {
    const [low, high] = settings[name]
    if (!(low > 0 && low <= high && high < 1000)) reject(name, settings[name], 'a lower and an upper bound above 0')
  }
  for (const bound of poisson) femMaterial({ poisson: bound })
  if (!(poisson[0] <= poisson[1])) reject('poisson', poisson, 'a lower and an upper bound')
  if (settings.purpose !== 'training' && settings.purpose !== 'evaluation') {
    reject('purpose', settings.purpose, "'training' or 'evaluation'")
  }
  if (!Number.isSafeInteger(settings.seed)) reject('seed', settings.seed, 'a whole number')
  return settings
}

function reject(name: string, value: unknown, what: string): never {
  throw new RangeError(`drop poses: ${name} is ${value}; give ${what}.`)
}
