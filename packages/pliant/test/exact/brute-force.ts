/** Plain references without trees, filters or tables, written apart from what they check. */
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.js'

type Vector = [number, number, number]
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

/** Unsigned distance and generalised winding number of one point, over all triangles. */
export class BruteForce {
  private readonly corners: Float64Array
  /** Rows of the inverse Gram matrix of the two sides, NaN if collapsed: projection by least squares. */
  private readonly gram: Float64Array

  constructor(mesh: TriangleMesh) {
    const count = mesh.triangles.length / 3
    this.corners = new Float64Array(9 * count)
    this.gram = new Float64Array(3 * count)
    for (let i = 0; i < mesh.triangles.length; i++) {
      for (let axis = 0; axis < 3; axis++) this.corners[3 * i + axis] = mesh.positions[3 * mesh.triangles[i] + axis]
    }
    for (let t = 0; t < count; t++) {
      const [a, b, c] = [0, 3, 6].map((k) => Array.from(this.corners.subarray(9 * t + k, 9 * t + k + 3)) as Vector)
      const [u, v] = [minus(b, a), minus(c, a)]
      const normal = cross(u, v)
      const determinant = dot(normal, normal)
      this.gram.set([dot(v, v) / determinant, -dot(u, v) / determinant, dot(u, u) / determinant], 3 * t)
    }
  }

  /** Least squares inside the triangle, else the nearest of three segments. */
  distance(px: number, py: number, pz: number): number {
    const c = this.corners
    let best = Infinity
    for (let o = 0, g = 0; o < c.length; o += 9, g += 3) {
      const ux = c[o + 3] - c[o]
      const uy = c[o + 4] - c[o + 1]
      const uz = c[o + 5] - c[o + 2]
      const vx = c[o + 6] - c[o]
      const vy = c[o + 7] - c[o + 1]
      const vz = c[o + 8] - c[o + 2]
      const wx = px - c[o]
      const wy = py - c[o + 1]
      const wz = pz - c[o + 2]
      const du = ux * wx + uy * wy + uz * wz
      const dv = vx * wx + vy * wy + vz * wz
      const s = this.gram[g] * du + this.gram[g + 1] * dv
      const t = this.gram[g + 1] * du + this.gram[g + 2] * dv
      if (s >= 0 && t >= 0 && s + t <= 1) {
        const x = wx - s * ux - t * vx
        const y = wy - s * uy - t * vy
        const z = wz - s * uz - t * vz
        best = Math.min(best, x * x + y * y + z * z)
      } else {
        best = Math.min(best, this.toSegment(o, o + 3, px, py, pz))
        best = Math.min(best, this.toSegment(o + 3, o + 6, px, py, pz))
        best = Math.min(best, this.toSegment(o + 6, o, px, py, pz))
      }
    }
    return Math.sqrt(best)
  }

  private toSegment(a: number, b: number, px: number, py: number, pz: number): number {
    const c = this.corners
    const ux = c[b] - c[a]
    const uy = c[b + 1] - c[a + 1]
    const uz = c[b + 2] - c[a + 2]
    const along = (ux * (px - c[a]) + uy * (py - c[a + 1]) + uz * (pz - c[a + 2])) / (ux * ux + uy * uy + uz * uz || 1)
    const t = Math.min(Math.max(along, 0), 1)
    const x = px - c[a] - t * ux
    const y = py - c[a + 1] - t * uy
    const z = pz - c[a + 2] - t * uz
    return x * x + y * y + z * z
  }

  /** Sum of spherical triangles by L'Huilier's rule would lose digits; tangent formula, summed in one atan2 per triangle. */
  winding(px: number, py: number, pz: number): number {
    const c = this.corners
    let sum = 0
    for (let o = 0; o < c.length; o += 9) {
      let ax = c[o] - px
      let ay = c[o + 1] - py
      let az = c[o + 2] - pz
      let bx = c[o + 3] - px
      let by = c[o + 4] - py
      let bz = c[o + 5] - pz
      let dx = c[o + 6] - px
      let dy = c[o + 7] - py
      let dz = c[o + 8] - pz
      const a = 1 / Math.sqrt(ax * ax + ay * ay + az * az)
      const b = 1 / Math.sqrt(bx * bx + by * by + bz * bz)
      const d = 1 / Math.sqrt(dx * dx + dy * dy + dz * dz)
      ax *= a
      ay *= a
      az *= a
      bx *= b
      by *= b
      bz *= b
      dx *= d
      dy *= d
      dz *= d
      // Unit vectors: tan(angle / 2) = a.(b x d) / (1 + a.b + b.d + d.a)
      sum += Math.atan2(
        ax * (by * dz - bz * dy) + ay * (bz * dx - bx * dz) + az * (bx * dy - by * dx),
        1 + ax * bx + ay * by + az * bz + bx * dx + by * dy + bz * dz + dx * ax + dy * ay + dz * az,
      )
    }
    return sum / (2 * Math.PI)
  }
}
