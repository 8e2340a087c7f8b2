/** What physics keeps or bounds: energies and momenta of a cloth, for tests, measurements and displays. */
import { bendEnergy } from './bend.js'
import type { Cloth } from './cloth.js'
import { stretchEnergy } from './stretch.js'

export interface ClothEnergy {
  /** [J] */
  kinetic: number
  /** Height times weight above the origin [J]; attached vertices included. */
  gravity: number
  /** [J] */
  stretch: number
  /** [J] */
  bend: number
  /** [J] */
  total: number
}

export function clothEnergy(cloth: Cloth): ClothEnergy {
  const { positions: x, velocities: v, masses, settings, inverseMasses } = cloth
  let kinetic = 0
  let gravity = 0
  for (let i = 0; i < masses.length; i++) {
    const moving = inverseMasses[i] > 0 ? 1 : 0
    for (let axis = 0; axis < 3; axis++) {
      kinetic += (moving * masses[i] * v[3 * i + axis] ** 2) / 2
      gravity -= masses[i] * settings.gravity[axis] * x[3 * i + axis]
    }
  }
  const stretch = stretchEnergy(cloth.stretch, x)
  const bend = bendEnergy(cloth.bend, x)
  return { kinetic, gravity, stretch, bend, total: kinetic + gravity + stretch + bend }
}

/** Linear momentum [kg m/s] and angular momentum about the origin [kg m^2/s]. */
export function clothMomentum(cloth: Cloth): { linear: [number, number, number]; angular: [number, number, number] } {
  const { positions: x, velocities: v, masses } = cloth
  const linear: [number, number, number] = [0, 0, 0]
  const angular: [number, number, number] = [0, 0, 0]
  for (let n = 0; n < masses.length; n++) {
    for (let axis = 0; axis < 3; axis++) {
      const j = 3 * n + ((axis + 1) % 3)
      const k = 3 * n + ((axis + 2) % 3)
      linear[axis] += masses[n] * v[3 * n + axis]
      angular[axis] += masses[n] * (x[j] * v[k] - x[k] * v[j])
    }
  }
  return { linear, angular }
}
