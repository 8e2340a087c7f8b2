/** A body of tetrahedra that can be changed: which ones lie around a node, how good they are, and would be. */

import type { TetMesh } from 'pliant'
import { dropUnusedNodes } from 'pliant/unstable'

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

/** The faces of a tetrahedron as its corners, counter-clockwise from outside. */
const FACES = [
  [1, 2, 3],
  [0, 3, 2],
  [0, 1, 3],
  [0, 2, 1],
] as const

export class TetStars {
  nodeCount: number
  readonly positions: Float64Array
  private readonly tetrahedra: Uint32Array
  private readonly alive: Uint8Array
  private readonly starOf: number[][]
  /** Nodes marked with the last stamp have been met in the present search. */
  private readonly stamps: Uint32Array
  private stamp = 0

  /** Takes a copy. */
  constructor(mesh: TetMesh) {
    this.positions = mesh.positions.slice()
    this.tetrahedra = mesh.tetrahedra.slice()
    this.alive = new Uint8Array(mesh.tetrahedra.length / 4).fill(1)
    this.starOf = Array.from({ length: mesh.positions.length / 3 }, () => [])
    for (let i = 0; i < mesh.tetrahedra.length; i++) this.starOf[mesh.tetrahedra[i]].push(i >> 2)
    this.stamps = new Uint32Array(this.starOf.length)
    this.nodeCount = this.starOf.filter((star) => star.length > 0).length
  }

  has(node: number): boolean {
    return this.starOf[node].length > 0
  }

  /** The surface triangles at a node: the two other corners of each, in order seen from outside. Empty inside. */
  surfaceRing(node: number): number[] {
    const ring: number[] = []
    const { tetrahedra: t } = this
    for (const tet of this.starOf[node]) {
      for (const face of FACES) {
        const own = face.findIndex((corner) => t[4 * tet + corner] === node)
        if (own < 0) continue
        const a = t[4 * tet + face[(own + 1) % 3]]
        const b = t[4 * tet + face[(own + 2) % 3]]
        if (!this.starOf[node].some((other) => other !== tet && this.uses(other, a) && this.uses(other, b))) {
          ring.push(a, b)
        }
      }
    }
    return ring
  }

  /**
   * Whether a surface node can be collapsed into a neighbour on the surface without two parts growing together: all
   * that both are joined to is joined to the edge between them (Dey et al. 1999), within the body and on its surface.
   */
  keepsTopology(node: number, into: number, ring: readonly number[]): boolean {
    const { tetrahedra: t } = this
    const onEdge = new Set<number>()
    for (const tet of this.starOf[node]) {
      if (this.uses(tet, into)) for (let i = 4 * tet; i < 4 * tet + 4; i++) onEdge.add(t[i])
    }
    const nearInto = this.neighbours(into)
    const near = new Set(this.neighbours(node))
    if (nearInto.some((other) => other !== node && near.has(other) && !onEdge.has(other))) return false
    const other = new Set(this.surfaceRing(into))
    const shared = new Set(ring.filter((corner) => corner !== into && other.has(corner)))
    if (shared.size !== 2) return false
    // A face with `into` and one with `node` over the same edge, but no tetrahedron of all four between them.
    for (const tet of this.starOf[node]) {
      if (this.uses(tet, into)) continue
      const link = [0, 1, 2, 3].map((k) => t[4 * tet + k]).filter((corner) => corner !== node && onEdge.has(corner))
      for (let i = 0; i < link.length; i++) {
        for (let j = i + 1; j < link.length; j++) {
          const both = (one: number): boolean => this.uses(one, link[i]) && this.uses(one, link[j])
          if (!this.starOf[into].some(both)) continue
          if (!this.starOf[into].some((one) => this.uses(one, node) && both(one))) return false
        }
      }
    }
    return true
  }

  /** Nodes that share a tetrahedron with this one. */
  neighbours(node: number): number[] {
    const { tetrahedra: t, stamps } = this
    const found: number[] = []
    const stamp = ++this.stamp
    stamps[node] = stamp
    for (const tet of this.starOf[node]) {
      for (let i = 4 * tet; i < 4 * tet + 4; i++) {
        if (stamps[t[i]] === stamp) continue
        stamps[t[i]] = stamp
        found.push(t[i])
      }
    }
    return found
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
      if (this.uses(tet, into)) continue
      const a = t[i] === node ? into : t[i]
      const b = t[i + 1] === node ? into : t[i + 1]
      const c = t[i + 2] === node ? into : t[i + 2]
      const d = t[i + 3] === node ? into : t[i + 3]
      worst = Math.min(worst, tetQuality(this.positions, 3 * a, 3 * b, 3 * c, 3 * d))
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

  private uses(tet: number, node: number): boolean {
    const { tetrahedra: t } = this
    const i = 4 * tet
    return t[i] === node || t[i + 1] === node || t[i + 2] === node || t[i + 3] === node
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
