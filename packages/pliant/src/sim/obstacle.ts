/** What a simulated body may meet: any signed field in the world, and how its surface moves. */
import type { SignedField } from '../field/signed-field.js'
import type { Floats } from '../math/floats.js'

/** What a simulated body may meet: any signed field in the world, and how its surface moves. */
export interface Obstacle {
  /** As it is at the END of the step to come, in the world [m]. Gradients of length zero or not finite are no contacts. */
  readonly field: SignedField
  /** Left out: the obstacle stands still. */
  readonly motion?: SurfaceMotion
}

/** How a body's surface moves over a step. */
export interface SurfaceMotion {
  /**
   * Mean velocity [m/s] of the surface near each point over the step.
   * @param points   [m], xyz triples, world
   * @param normals  outward, where they are known: cloth asks for all its vertices before they are
   */
  velocity(points: Floats, normals: Floats, count: number, out: Floats): void
}
