/**
 * Points spread evenly over a surface that bends: each stays at its place within its triangle, wherever the corners go.
 * A signed distance must be zero at all of them, so a learned field can be checked by asking it where they are.
 */

import type { SignedField } from '../field/signed-field.js'
import { boxDiagonal, boxOfPoints } from '../math/box.js'
import { spreadTriangles } from '../mesh/surface-sampling.js'
import type { TriangleMesh } from '../mesh/triangle-mesh.js'

/** Fewer scatter: with 64 the rank correlation with the true error falls from .99 to .97 (docs/notes/own-error.md). */
const PROBES = 256
/** How far above a surface, in diagonals of the shape at rest, it is looked whether the way leads out of the body. */
const ABOVE = 0.01

export class SurfaceProbes {
  /** Vertices of the surface that are corners of the probes' triangles, three per probe. */
  readonly corners: Uint32Array
  /** Where these are now [m], nine values per probe: to be filled before `meanError`. */
  readonly places = new Float64Array(9 * PROBES)
  readonly #weights = new Float64Array(3 * PROBES)
  readonly #above: number
  readonly #points = new Float64Array(3 * PROBES)
  readonly #distances = new Float64Array(PROBES)
  readonly #further = new Float64Array(PROBES)

  /** @param mesh at rest @throws RangeError if it has no area */
  constructor(mesh: TriangleMesh) {
    this.corners = spreadTriangles(mesh, PROBES)
    this.#above = ABOVE * boxDiagonal(boxOfPoints(mesh.positions))
    for (let probe = 0; probe < PROBES; probe++) {
      // The R2 sequence fills the unit square evenly; the half beyond its diagonal is folded back onto the triangle.
      const u = (0.5 + 0.7548776662466927 * probe) % 1
      const v = (0.5 + 0.5698402909980532 * probe) % 1
      const [s, t] = u + v > 1 ? [1 - u, 1 - v] : [u, v]
      this.#weights.set([1 - s - t, s, t], 3 * probe)
    }
  }

  /**
   * Mean |distance| [m] that a field, in the frame of `places`, has where it should have none. Where limbs or folds lie
   * inside the body, the surface is hidden and the field rightly negative: such probes do not count. They are told from
   * a surface that the field has too far out by the way along the normal, which leads out of the body there only.
   */
  meanError(field: SignedField): number {
    const points = this.#points
    const distances = this.#distances
    const places = this.places
    const weights = this.#weights
    for (let probe = 0, w = 0, at = 0; probe < PROBES; probe++, w += 3, at += 9) {
      const a = weights[w]
      const b = weights[w + 1]
      const c = weights[w + 2]
      points[w] = a * places[at] + b * places[at + 3] + c * places[at + 6]
      points[w + 1] = a * places[at + 1] + b * places[at + 4] + c * places[at + 7]
      points[w + 2] = a * places[at + 2] + b * places[at + 5] + c * places[at + 8]
    }
    field.query(points, PROBES, distances)
    let sum = 0
    for (let probe = 0; probe < PROBES; probe++) sum += Math.abs(distances[probe])
    const mean = sum / PROBES
    // Less than the mean below zero is an error, whatever lies above.
    let asked = 0
    for (let probe = 0; probe < PROBES; probe++) if (distances[probe] < -mean) this.#writeAbove(probe, asked++)
    if (asked === 0) return mean
    field.query(points, asked, this.#further)
    let hidden = 0
    for (let probe = 0, n = 0; probe < PROBES; probe++) {
      if (!(distances[probe] < -mean)) continue
      if (!(this.#further[n++] < distances[probe] + this.#above / 2)) continue
      hidden++
      sum += distances[probe]
    }
    // The greater part of no surface is hidden: such a field is wrong.
    return 2 * hidden > PROBES ? mean : sum / (PROBES - hidden)
  }

  /** The point above a probe, along its triangle's normal. */
  #writeAbove(probe: number, to: number): void {
    const p = this.places
    const a = 9 * probe
    const ux = p[a + 3] - p[a]
    const uy = p[a + 4] - p[a + 1]
    const uz = p[a + 5] - p[a + 2]
    const vx = p[a + 6] - p[a]
    const vy = p[a + 7] - p[a + 1]
    const vz = p[a + 8] - p[a + 2]
    const nx = uy * vz - uz * vy
    const ny = uz * vx - ux * vz
    const nz = ux * vy - uy * vx
    const step = this.#above / (Math.sqrt(nx * nx + ny * ny + nz * nz) || 1)
    const points = this.#points
    points[3 * to] = points[3 * probe] + step * nx
    points[3 * to + 1] = points[3 * probe + 1] + step * ny
    points[3 * to + 2] = points[3 * probe + 2] + step * nz
  }
}
