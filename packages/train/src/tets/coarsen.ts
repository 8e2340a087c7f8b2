/**
 * Fewer nodes for the same body: a lattice fine enough for the thinnest part has more than a simulation needs, on the
 * surface where it is flat and above all inside (the paper's bunny has 320 of its 1,883 nodes there). Nodes are collapsed
 * into neighbours: on the surface where that moves it least, inside where the best tetrahedra are left; in between, nodes
 * move to better places. Nodes of the surface that stay, stay on it.
 *
 * Inside, a collapse fills the same room when all its tetrahedra have positive volume: the tetrahedra around a node make
 * up a star, and those of the neighbour to the star's other faces fill it once.
 */
import type { TetMesh } from 'pliant'
import { surfaceOfTets } from 'pliant'
import { type Collapse, collapseNodes } from './collapse.js'
import { type OntoSurface, smoothBody } from './smooth.js'
import { SurfaceQuadrics } from './surface-quadrics.js'
import { TetStars } from './tet-stars.js'

export interface CoarsenOptions {
  /** Nodes to come down to, in all and on the surface; more are left where quality does not allow it. */
  nodes: number
  surfaceNodes: number
  /** If given, nodes of the surface may slide on it for better tetrahedra. */
  onto?: OntoSurface
  /** Called now and then with the share that is done; may throw to stop. */
  pause?: (fraction: number) => Promise<void>
}

/** Quality (see `tetQuality`) below which a collapse makes no tetrahedron. */
const FLOOR = 0.25
/** Each round leaves about this share of the nodes too many, so that surface and inside grow coarser together. */
const LEFT = 0.45
/** Rounds at most; the last ones only try again what smoothing may have made possible. */
const ROUNDS = 10
const SMOOTH_BETWEEN = 2
const SMOOTH_LAST = 6
/** Cosine between the normals of a surface triangle before and after. */
const TURN = 0.7
/** What quality counts against distance from the surface, in lengths of an edge. */
const QUALITY_WEIGHT = 0.01

/** @param mesh a valid body with a manifold surface, no element inverted */
export async function coarsenBody(mesh: TetMesh, options: CoarsenOptions): Promise<TetMesh> {
  const surface = surfaceOfTets(mesh)
  const inner = Uint8Array.from(surface.vertexOfNode, (vertex) => (vertex < 0 ? 1 : 0))
  const stars = new TetStars(mesh)
  const quadrics = new SurfaceQuadrics(surface, surface.nodeOfVertex, inner.length)
  const count = (kind: number): number[] => {
    const found: number[] = []
    for (let node = 0; node < inner.length; node++) if (inner[node] === kind && stars.has(node)) found.push(node)
    return found
  }
  const before = stars.nodeCount
  for (let round = 0; round < ROUNDS; round++) {
    const [outside, inside] = [count(0), count(1)]
    const tooMany = outside.length - options.surfaceNodes
    const innerTooMany = inside.length - Math.max(options.nodes - options.surfaceNodes, 0)
    const share = round < ROUNDS / 2 ? 1 - LEFT : 1
    let gone = 0
    const tell = (): Promise<void> | undefined =>
      options.pause?.((before - stars.nodeCount) / Math.max(1, before - options.nodes))
    if (innerTooMany > 0)
      gone += await collapseNodes(stars, inside, Math.ceil(share * innerTooMany), insideJudge(stars), { tell })
    if (tooMany > 0) {
      gone += await collapseNodes(stars, outside, Math.ceil(share * tooMany), surfaceJudge(stars, quadrics), {
        tell,
        before: (one) => quadrics.handOn(one.node, one.into),
      })
    }
    if (gone === 0) break
    smoothBody(stars, inner, SMOOTH_BETWEEN, options.onto)
  }
  smoothBody(stars, inner, SMOOTH_LAST, options.onto)
  return stars.toMesh()
}

function insideJudge(stars: TetStars): (node: number) => Collapse | undefined {
  return (node) => {
    let found: Collapse | undefined
    for (const into of stars.neighbours(node)) {
      const best = found ? 1 - found.cost : FLOOR
      const quality = stars.qualityAfterCollapse(node, into, best)
      if (quality > best) found = { node, into, cost: 1 - quality }
    }
    return found
  }
}

function surfaceJudge(stars: TetStars, quadrics: SurfaceQuadrics): (node: number) => Collapse | undefined {
  const { positions: p } = stars
  return (node) => {
    const ring = stars.surfaceRing(node)
    let found: Collapse | undefined
    for (const into of new Set(ring)) {
      const edge = Math.hypot(
        p[3 * node] - p[3 * into],
        p[3 * node + 1] - p[3 * into + 1],
        p[3 * node + 2] - p[3 * into + 2],
      )
      const away = quadrics.distance(node, into, p[3 * into], p[3 * into + 1], p[3 * into + 2])
      if (found && away > found.cost) continue
      if (!keepsFacing(p, node, into, ring)) continue
      const quality = stars.qualityAfterCollapse(node, into, FLOOR)
      const cost = away + QUALITY_WEIGHT * edge * (1 - quality)
      if (quality < FLOOR || (found && cost >= found.cost) || !stars.keepsTopology(node, into, ring)) continue
      found = { node, into, cost }
    }
    return found
  }
}

/** Whether no triangle around the node turns far when the node moves to a neighbour's place. */
function keepsFacing(p: Float64Array, node: number, into: number, ring: readonly number[]): boolean {
  for (let i = 0; i < ring.length; i += 2) {
    const a = 3 * ring[i]
    const b = 3 * ring[i + 1]
    if (a === 3 * into || b === 3 * into) continue
    const ux = p[b] - p[a]
    const uy = p[b + 1] - p[a + 1]
    const uz = p[b + 2] - p[a + 2]
    // Normals before and after: of the opposite side and the way to the node, or to the neighbour.
    const vx = p[3 * node] - p[a]
    const vy = p[3 * node + 1] - p[a + 1]
    const vz = p[3 * node + 2] - p[a + 2]
    const wx = p[3 * into] - p[a]
    const wy = p[3 * into + 1] - p[a + 1]
    const wz = p[3 * into + 2] - p[a + 2]
    const mx = uy * vz - uz * vy
    const my = uz * vx - ux * vz
    const mz = ux * vy - uy * vx
    const nx = uy * wz - uz * wy
    const ny = uz * wx - ux * wz
    const nz = ux * wy - uy * wx
    const lengths = (mx * mx + my * my + mz * mz) * (nx * nx + ny * ny + nz * nz)
    if (!(mx * nx + my * ny + mz * nz > TURN * Math.sqrt(lengths))) return false
  }
  return true
}
