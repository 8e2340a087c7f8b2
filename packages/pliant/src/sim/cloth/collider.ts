/**
 * What a cloth needs to know of a body: signed distance, outward direction and surface velocity at many points at once.
 * The room of simulation comes before the fields, so any `SignedField` enters by `fieldCollider`, in three lines.
 */
import type { Floats } from '../../math/floats.js'

export interface ClothCollider {
  /**
   * The body as it is at the END of the frame to be stepped.
   * @param points     xyz triples [m], world frame
   * @param distances  receives signed distances [m], negative inside
   * @param normals    receives outward directions, any length; contacts of length zero or not finite are left out
   */
  query(points: Floats, count: number, distances: Floats, normals: Floats): void
  /**
   * Mean velocity [m/s] of the body's surface near each point over the frame. Left out: the body stands still.
   * Asked for all vertices where they are when the frame begins, normals unknown, and for contacts after `query`.
   */
  velocity?(points: Floats, normals: Floats, count: number, out: Floats): void
}

/** How a body moves over the frame: `velocity` of a collider, apart from its shape. */
export interface BodyMotion {
  velocity(points: Floats, normals: Floats, count: number, out: Floats): void
}

/** The part of `SignedField` that a collider needs. */
export interface DistanceSource {
  gradient(points: Floats, count: number, outDistances: Floats, outGradients: Floats): void
}

/** Any signed field as a collider. @param motion  how the body moves; left out, it stands still */
export function fieldCollider(field: DistanceSource, motion?: BodyMotion): ClothCollider {
  const query: ClothCollider['query'] = (points, count, distances, normals) =>
    field.gradient(points, count, distances, normals)
  if (motion === undefined) return { query }
  return { query, velocity: (points, normals, count, out) => motion.velocity(points, normals, count, out) }
}
