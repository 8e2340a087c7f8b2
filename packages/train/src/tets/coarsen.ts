/**
 * Fewer nodes inside a body, its surface kept as it is: inner nodes are collapsed into a neighbour, the one that leaves
 * the best tetrahedra first, then the rest is moved to better places. A lattice fine enough for the surface has more
 * nodes inside than a simulation needs; the paper's bunny has 320 of 1,883 there.
 *
 * A collapse fills the same room when all its tetrahedra have positive volume: the tetrahedra around an inner node make
 * up a star, and those of the neighbour to the star's other faces fill it once.
 */
import type { TetMesh } from 'pliant'
import { surfaceOfTets } from 'pliant'
import { type OntoSurface, smoothBody } from './smooth.js'
import { TetStars } from './tet-stars.js'

export interface CoarsenOptions {
  /** Quality (see `tetQuality`) below which no tetrahedron is made. */
  floor?: number
  /** If given, nodes of the surface may slide on it for better tetrahedra; else they stay. */
  onto?: OntoSurface
}
export const COARSEN_DEFAULTS = { floor: 0.3 } as const

/** Share of the nodes to lose that each round of collapses goes for; smoothing in between helps the later ones. */
const SHARES = [0.5, 0.8, 1, 1, 1]
/** Rounds of smoothing between collapses, and at the end. */
const SMOOTH_BETWEEN = 2
const SMOOTH_LAST = 6

/**
 * @param mesh   a valid body, no element inverted
 * @param nodes  how many to come down to; more are left where quality does not allow it
 */
export function coarsenInside(mesh: TetMesh, nodes: number, options: CoarsenOptions = {}): TetMesh {
  const floor = options.floor ?? COARSEN_DEFAULTS.floor
  const inner = Uint8Array.from(surfaceOfTets(mesh).vertexOfNode, (vertex) => (vertex < 0 ? 1 : 0))
  const stars = new TetStars(mesh)
  const excess = stars.nodeCount - nodes
  for (const share of SHARES) {
    if (stars.nodeCount <= nodes) break
    collapse(stars, inner, nodes + Math.floor(excess * (1 - share)), floor)
    smoothBody(stars, inner, SMOOTH_BETWEEN)
  }
  smoothBody(stars, inner, SMOOTH_LAST, options.onto)
  return stars.toMesh()
}

interface Candidate {
  node: number
  into: number
  quality: number
}

/** Collapses in order of what is left; a node whose surroundings have changed is judged anew when its turn comes. */
function collapse(stars: TetStars, inner: Uint8Array, target: number, floor: number): void {
  const best = (node: number): Candidate | undefined => {
    let found: Candidate | undefined
    for (const into of stars.neighbours(node)) {
      const quality = stars.qualityAfterCollapse(node, into, found?.quality ?? floor)
      if (quality > (found?.quality ?? floor)) found = { node, into, quality }
    }
    return found
  }
  const queue = new Map<number, Candidate>()
  for (let node = 0; node < inner.length; node++) {
    if (inner[node] === 0 || !stars.has(node)) continue
    const candidate = best(node)
    if (candidate) queue.set(node, candidate)
  }
  while (stars.nodeCount > target && queue.size > 0) {
    // Sorted batches: the best tenth, each only if nothing near it has changed in this batch.
    const order = [...queue.values()].sort((a, b) => b.quality - a.quality || a.node - b.node)
    const touched = new Set<number>()
    let done = 0
    for (const { node, into } of order.slice(0, Math.ceil(order.length / 10))) {
      if (stars.nodeCount <= target) return
      const ring = stars.neighbours(node)
      if (touched.has(node) || ring.some((other) => touched.has(other))) continue
      stars.collapse(node, into)
      queue.delete(node)
      done++
      for (const other of ring) touched.add(other)
    }
    if (done === 0) return
    for (const node of touched) {
      if (inner[node] === 0) continue
      const candidate = best(node)
      if (candidate) queue.set(node, candidate)
      else queue.delete(node)
    }
  }
}
