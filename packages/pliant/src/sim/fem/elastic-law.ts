/** What a law of elasticity gives a solver: energy, forces, and their derivative in a form that solvers can trust. */
import type { BlockMatrix } from './block-matrix.js'

export interface ElasticLaw {
  /** Elastic energy [J] at positions [m]; zero at rest. */
  energy(positions: Float64Array): number
  /** Adds the forces on the nodes [N] (minus the energy's gradient). */
  addForces(positions: Float64Array, forces: Float64Array): void
  /**
   * Adds forces, and the energy's second derivative [N/m] to the matrix. Of each tetrahedron, what is more negative than
   * its own mass holds up is taken out, so that the solver's matrix stays positive definite.
   * @param inertia what mass holds up [Pa/m^2]: density / 8 times the factor of masses over that of stiffness in the
   *   solver's matrix (half of what would just do); 0 if there is no mass in it
   */
  addForcesAndStiffness(positions: Float64Array, forces: Float64Array, matrix: BlockMatrix, inertia: number): void
}
