/**
 * The normal of one feature of a surface, face, side or corner, worked out when it is asked for: angle-weighted pseudonormals
 * (Baerentzen and Aanaes 2005) of surfaces that move on before most of their features were asked about.
 */
import type { Floats } from '../math/floats.js'
import { trianglesAtVertices, type VertexTriangles } from '../mesh/adjacency.js'
import type { TriangleMesh } from '../mesh/triangle-mesh.js'
import { firstAtSamePlace } from '../mesh/weld.js'
import { FEATURE_CORNER, FEATURE_FACE, FEATURE_SIDE } from './point-triangle.js'

export class FeatureNormals {
  readonly #triangles: Uint32Array
  readonly #weld: Uint32Array
  readonly #atVertices: VertexTriangles
  readonly #face = new Float64Array(3)

  /** @param mesh  vertices at one place, when it is made, are one */
  constructor({ positions, triangles }: TriangleMesh) {
    this.#triangles = triangles
    this.#weld = firstAtSamePlace(positions)
    this.#atVertices = trianglesAtVertices(triangles, this.#weld)
  }

  /**
   * Triangles that a feature is of: one of a face, usually two of a side.
   * @param feature  of the triangle, as in `point-triangle.ts`
   */
  trianglesAt(triangle: number, feature: number): readonly number[] {
    if (feature === FEATURE_FACE) return [triangle]
    if (feature >= FEATURE_CORNER) return this.#around(this.#corner(triangle, feature - FEATURE_CORNER))
    const [from, to] = [feature - FEATURE_SIDE, (feature - FEATURE_SIDE + 1) % 3].map((k) => this.#corner(triangle, k))
    return this.#around(from).filter((other) => [0, 1, 2].some((k) => this.#corner(other, k) === to))
  }

  /** @param out  receives the normal, not of unit length; zero where sheets cancel */
  write(positions: Floats, triangle: number, feature: number, out: Float64Array): void {
    out.fill(0)
    const corner = feature >= FEATURE_CORNER ? this.#corner(triangle, feature - FEATURE_CORNER) : -1
    for (const other of this.trianglesAt(triangle, feature)) {
      const weight = this.#writeFace(positions, other, corner)
      for (let axis = 0; axis < 3; axis++) out[axis] += weight * this.#face[axis]
    }
  }

  #corner(triangle: number, k: number): number {
    return this.#weld[this.#triangles[3 * triangle + k]]
  }

  #around(vertex: number): number[] {
    const { starts, triangles } = this.#atVertices
    return Array.from(triangles.subarray(starts[vertex], starts[vertex + 1]))
  }

  /** The unit normal of a face, or zero. @returns its weight: the angle at a corner [rad], or 1 without one */
  #writeFace(x: Floats, triangle: number, corner: number): number {
    let k = 0
    while (k < 2 && this.#corner(triangle, k) !== corner) k++
    if (corner < 0) k = 0
    const [a, b, c] = [k, (k + 1) % 3, (k + 2) % 3].map((i) => 3 * this.#triangles[3 * triangle + i])
    const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]]
    const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]]
    const face = this.#face
    face[0] = uy * vz - uz * vy
    face[1] = uz * vx - ux * vz
    face[2] = ux * vy - uy * vx
    const length = Math.sqrt(face[0] * face[0] + face[1] * face[1] + face[2] * face[2])
    for (let axis = 0; axis < 3; axis++) face[axis] = length > 0 ? face[axis] / length : 0
    return corner < 0 ? 1 : Math.atan2(length, ux * vx + uy * vy + uz * vz)
  }
}
