/**
 * The surface of an elastic body as contact needs it: where its vertices are, what area each stands for, how much a
 * patch resists being pushed, and on demand the triangle nearest to a point (section 4.1 of the haptics paper).
 */

import type { NearestResults } from '../detect/nearest-results.js'
import { type NearestHints, NearestTriangles } from '../detect/nearest-triangles.js'
import type { Floats } from '../math/floats.js'
import { gatherVertices } from '../mesh/gather-vertices.js'
import { vertexAreas } from '../mesh/vertex-areas.js'
import type { FemBody } from '../sim/fem/fem-body.js'

export class ContactSurface {
  /** Vertices in the world [m], xyz triples, as of the last `follow`. */
  readonly vertices: Float64Array
  /** A third of the triangles around each vertex at rest [m^2]. */
  readonly areas: Float64Array
  private readonly nearest: NearestTriangles
  private stale = true

  /** @param held  by which the body is held from outside, if it has no pins [N/m], [N s/m] */
  constructor(
    readonly body: FemBody,
    private readonly held = { stiffness: 0, damping: 0 },
  ) {
    const { surface } = body
    this.vertices = new Float64Array(3 * surface.nodeOfVertex.length)
    this.areas = vertexAreas(surface.positions, surface.triangles)
    this.nearest = new NearestTriangles(surface)
    this.follow()
  }

  get vertexCount(): number {
    return this.areas.length
  }

  /** Takes over the body's positions. */
  follow(): void {
    gatherVertices(this.body.positions, this.body.surface.nodeOfVertex, this.vertices)
    this.stale = true
  }

  /** Speed [m/s] of the fastest vertex. */
  fastest(): number {
    const { velocities: v, surface } = this.body
    let squared = 0
    for (let vertex = 0; vertex < this.vertexCount; vertex++) {
      const i = 3 * surface.nodeOfVertex[vertex]
      squared = Math.max(squared, v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2])
    }
    return Math.sqrt(squared)
  }

  /** As `NearestTriangles.find`, points in the world. */
  findNearest(points: Floats, count: number, results: NearestResults, hints: NearestHints): void {
    // Once per step and only if anything touches.
    if (this.stale) this.nearest.update(this.vertices)
    this.stale = false
    this.nearest.find(points, count, results, hints)
  }

  /**
   * About how much force it takes [N/m] to push a patch of the surface out of its way within a step: the body's own
   * inertia, or what holds it, in a row with elasticity around the patch.
   * @param area  of the patch [m^2]
   * @param step  [s]
   */
  resistance(area: number, step: number): number {
    const { totalMass, material, hasPins } = this.body
    const elastic = material.young * Math.sqrt(area) * (1 + material.stiffnessDamping / step)
    if (hasPins) return elastic
    return 1 / (1 / elastic + 1 / (totalMass / (step * step) + this.held.stiffness + this.held.damping / step))
  }
}
