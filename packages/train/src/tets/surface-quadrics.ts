/**
 * How far a surface would come away from where it was if a node of it were somewhere else: sums of squared distances
 * to the planes of its triangles (Garland and Heckbert 1997), handed on as nodes are collapsed.
 */
import type { TriangleMesh } from 'pliant'

/** Per node: nn^T (six), n d (three), d^2, and area, all weighted by area. */
const SIZE = 11

export class SurfaceQuadrics {
  private readonly sums: Float64Array
  private readonly origin: Float64Array

  /** @param nodeOf the number by which each vertex of the surface is known */
  constructor({ positions: p, triangles }: TriangleMesh, nodeOf: Uint32Array, nodes: number) {
    this.sums = new Float64Array(SIZE * nodes)
    // Near the body: squares of large coordinates would lose the digits that count.
    this.origin = Float64Array.from(p.subarray(0, 3))
    for (let i = 0; i < triangles.length; i += 3) {
      const [a, b, c] = [3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]]
      const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]]
      const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]]
      const [mx, my, mz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
      const twice = Math.hypot(mx, my, mz)
      if (twice === 0) continue
      const [x, y, z] = [mx / twice, my / twice, mz / twice]
      const d = -(x * (p[a] - this.origin[0]) + y * (p[a + 1] - this.origin[1]) + z * (p[a + 2] - this.origin[2]))
      const row = [x * x, x * y, x * z, y * y, y * z, z * z, x * d, y * d, z * d, d * d, 1]
      for (let k = 0; k < 3; k++) {
        const o = SIZE * nodeOf[triangles[i + k]]
        for (let j = 0; j < SIZE; j++) this.sums[o + j] += (twice / 6) * row[j]
      }
    }
  }

  /** Root mean square distance [m] of the planes of two nodes from a point. */
  distance(node: number, other: number, px: number, py: number, pz: number): number {
    const { sums: q } = this
    const [i, j] = [SIZE * node, SIZE * other]
    const sum = (k: number): number => q[i + k] + q[j + k]
    const [x, y, z] = [px - this.origin[0], py - this.origin[1], pz - this.origin[2]]
    const square =
      sum(0) * x * x +
      sum(3) * y * y +
      sum(5) * z * z +
      2 * (sum(1) * x * y + sum(2) * x * z + sum(4) * y * z + sum(6) * x + sum(7) * y + sum(8) * z) +
      sum(9)
    return Math.sqrt(Math.max(square, 0) / sum(10))
  }

  /** Adds what a node stands for to the one that it is collapsed into. */
  handOn(node: number, into: number): void {
    for (let k = 0; k < SIZE; k++) this.sums[SIZE * into + k] += this.sums[SIZE * node + k]
  }
}
