/** A body of tetrahedra that can be changed: which ones lie around a node, how good they are, and would be. */
import { dropUnusedNodes, type TetMesh } from 'pliant'

/**
 * Six root two times volume over the cube of the root mean square edge: 1 for the regular tetrahedron, 0 for a flat one,
 * negative for an inverted one; the measure that Klingner and Shewchuk 2007 found to follow the solver's troubles.
 * Corners are offsets into the positions.
 */
export function tetQuality(p: Float64Array, a: number, b: number, c: number, d: number): number {
  const ux = p[b] - p[a]
  const uy = p[b + 1] - p[a + 1]
  const uz = p[b + 2] - p[a + 2]
  const vx = p[c] - p[a]
  const vy = p[c + 1] - p[a + 1]
  const vz = p[c + 2] - p[a + 2]
  const wx = p[d] - p[a]
  const wy = p[d + 1] - p[a + 1]
  const wz = p[d + 2] - p[a + 2]
  const sixfold = wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx)
  const squares =
    ux * ux +
    uy * uy +
    uz * uz +
    vx * vx +
    vy * vy +
    vz * vz +
    wx * wx +
    wy * wy +
    wz * wz +
    (vx - ux) * (vx - ux) +
    (vy - uy) * (vy - uy) +
    (vz - uz) * (vz - uz) +
    (wx - ux) * (wx - ux) +
    (wy - uy) * (wy - uy) +
    (wz - uz) * (wz - uz) +
    (wx - vx) * (wx - vx) +
    (wy - vy) * (wy - vy) +
    (wz - vz) * (wz - vz)
  const mean = squares / 6
  return (Math.SQRT2 * sixfold) / (mean * Math.sqrt(mean))
}

export class TetStars {
  nodeCount: number
  readonly positions: Float64Array
  private readonly tetrahedra: Uint32Array
  private readonly alive: Uint8Array
  private readonly starOf: number[][]

  /** Takes a copy. */
  constructor(mesh: TetMesh) {
    this.positions = mesh.positions.slice()
    this.tetrahedra = mesh.tetrahedra.slice()
    this.alive = new Uint8Array(mesh.tetrahedra.length / 4).fill(1)
    this.starOf = Array.from({ length: mesh.positions.length / 3 }, () => [])
    for (let i = 0; i < mesh.tetrahedra.length; i++) this.starOf[mesh.tetrahedra[i]].push(i >> 2)
    this.nodeCount = this.starOf.filter((star) => star.length > 0).length
  }

  has(node: number): boolean {
    return this.starOf[node].length > 0
  }

  /** Nodes that share a tetrahedron with this one. */
  neighbours(node: number): number[] {
    const found = new Set<number>()
    for (const tet of this.starOf[node]) {
      for (let i = 4 * tet; i < 4 * tet + 4; i++) if (this.tetrahedra[i] !== node) found.add(this.tetrahedra[i])
    }
    return [...found]
  }

  /** The worst quality of the tetrahedra around a node. */
  worstAround(node: number): number {
    let worst = 1
    for (const tet of this.starOf[node]) worst = Math.min(worst, this.quality(4 * tet))
    return worst
  }

  /**
   * The worst quality of the tetrahedra that a collapse of a node into a neighbour would leave, or 0 as soon as it is
   * known to be below `floor`.
   */
  qualityAfterCollapse(node: number, into: number, floor: number): number {
    const { tetrahedra: t } = this
    let worst = 1
    for (const tet of this.starOf[node]) {
      const i = 4 * tet
      if (t[i] === into || t[i + 1] === into || t[i + 2] === into || t[i + 3] === into) continue
      const moved = (corner: number): number => 3 * (t[corner] === node ? into : t[corner])
      worst = Math.min(worst, tetQuality(this.positions, moved(i), moved(i + 1), moved(i + 2), moved(i + 3)))
      if (worst < floor) return 0
    }
    return worst
  }

  collapse(node: number, into: number): void {
    const { tetrahedra: t } = this
    for (const tet of this.starOf[node]) {
      const corners = t.subarray(4 * tet, 4 * tet + 4)
      if (corners.includes(into)) {
        this.alive[tet] = 0
        for (const corner of corners) {
          if (corner !== node) this.starOf[corner] = this.starOf[corner].filter((other) => other !== tet)
        }
      } else {
        corners[corners.indexOf(node)] = into
        this.starOf[into].push(tet)
      }
    }
    this.starOf[node] = []
    this.nodeCount--
  }

  /** Mean of the centroids of the tetrahedra around a node by volume, into `out`. */
  centreOfStar(node: number, out: Float64Array): void {
    const { positions: p, tetrahedra: t } = this
    out.fill(0)
    let total = 0
    for (const tet of this.starOf[node]) {
      const [a, b, c, d] = [3 * t[4 * tet], 3 * t[4 * tet + 1], 3 * t[4 * tet + 2], 3 * t[4 * tet + 3]]
      const volume = Math.abs(sixfoldVolume(p, a, b, c, d))
      total += volume
      for (let axis = 0; axis < 3; axis++) {
        out[axis] += (volume * (p[a + axis] + p[b + axis] + p[c + axis] + p[d + axis])) / 4
      }
    }
    for (let axis = 0; axis < 3; axis++) out[axis] /= total
  }

  /** Mean length [m] of the edges at a node. */
  meanEdge(node: number): number {
    const { positions: p } = this
    const ring = this.neighbours(node)
    let sum = 0
    for (const other of ring) {
      const [a, b] = [3 * node, 3 * other]
      sum += Math.hypot(p[a] - p[b], p[a + 1] - p[b + 1], p[a + 2] - p[b + 2])
    }
    return sum / ring.length
  }

  toMesh(): TetMesh {
    const tetrahedra = this.tetrahedra.filter((_, i) => this.alive[i >> 2] === 1)
    return dropUnusedNodes({ positions: this.positions, tetrahedra }).mesh
  }

  private quality(i: number): number {
    const { tetrahedra: t } = this
    return tetQuality(this.positions, 3 * t[i], 3 * t[i + 1], 3 * t[i + 2], 3 * t[i + 3])
  }
}

function sixfoldVolume(p: Float64Array, a: number, b: number, c: number, d: number): number {
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]]
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]]
  const [wx, wy, wz] = [p[d] - p[a], p[d + 1] - p[a + 1], p[d + 2] - p[a + 2]]
  return wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx)
}
