/** What physics keeps or bounds: energies and momenta of an elastic body, and its inverted tetrahedra. */
import type { TetMesh } from '../../mesh/tet-mesh.js'
import { tetVolume } from '../../mesh/tet-mesh.js'
import type { FemBody } from './fem-body.js'

export interface FemEnergy {
  /** [J] */
  kinetic: number
  /** Height times weight above the origin [J]. */
  gravity: number
  /** [J] */
  elastic: number
  /** Of depth in obstacles [J]. */
  contact: number
  /** [J] */
  total: number
}

export function femEnergy(body: FemBody): FemEnergy {
  const { positions: x, velocities: v, masses, settings } = body
  let kinetic = 0
  let gravity = 0
  for (let i = 0; i < x.length; i++) {
    const mass = masses[Math.trunc(i / 3)]
    kinetic += (mass * v[i] ** 2) / 2
    gravity -= mass * settings.gravity[i % 3] * x[i]
  }
  const elastic = body.law.energy(x)
  const contact = body.contacts.depthEnergy(x)
  return { kinetic, gravity, elastic, contact, total: kinetic + gravity + elastic + contact }
}

/** Linear momentum [kg m/s] and angular momentum about the origin [kg m^2/s]. */
export function femMomentum(body: FemBody): { linear: [number, number, number]; angular: [number, number, number] } {
  const { positions: x, velocities: v, masses } = body
  const linear: [number, number, number] = [0, 0, 0]
  const angular: [number, number, number] = [0, 0, 0]
  for (let node = 0; node < masses.length; node++) {
    for (let axis = 0; axis < 3; axis++) {
      const j = 3 * node + ((axis + 1) % 3)
      const k = 3 * node + ((axis + 2) % 3)
      linear[axis] += masses[node] * v[3 * node + axis]
      angular[axis] += masses[node] * (x[j] * v[k] - x[k] * v[j])
    }
  }
  return { linear, angular }
}

/** The tetrahedra of a mesh that are inverted, or flat, at these positions. */
export function invertedTets(mesh: TetMesh, positions: Float64Array): number[] {
  const posed = { positions, tetrahedra: mesh.tetrahedra }
  const inverted: number[] = []
  for (let tet = 0; tet < mesh.tetrahedra.length / 4; tet++) if (!(tetVolume(posed, tet) > 0)) inverted.push(tet)
  return inverted
}
