/**
 * Isosurface stuffing (Labelle and Shewchuk 2007): the inside of a surface filled with tetrahedra of a lattice. Edges
 * that the surface crosses are cut there; a lattice node too near a cut is moved onto it, the others' tetrahedra are cut
 * by stencils. With the two thresholds of the paper's safe set no dihedral angle is below 10.7 or above 164.8 degrees,
 * whatever the surface. Cuts are closest points of the surface itself, so every node of the result's surface lies on it.
 */
import type { Box, TetMesh } from 'pliant'
import type { ExactMeshField } from 'pliant/exact'
import { Lattice } from './lattice.js'
import { type CutLattice, stuffTet } from './stencils.js'

export interface StuffedBody {
  mesh: TetMesh
  /** 1 for nodes that were placed on the surface. */
  onSurface: Uint8Array
}

/** A node moves onto a cut nearer than this share of the edge: paper, table 2. */
const NEAR_LONG = 0.24999
const NEAR_SHORT = 0.41189

/** Lattice nodes between pauses: some milliseconds. */
const PAUSE_EVERY = 4096
/** A cut is found when its distance is below this share of a cube; the closest point does the rest. */
const CUT_TOLERANCE = 1e-4
/** Steps of the search for a cut; the distance is nearly linear along an edge, three or four do. */
const CUT_STEPS = 40

/**
 * @param field  exact distance of the surface, negative inside
 * @param box    around the surface
 * @param cube   side of a lattice cube [m]
 * @param pause  called now and then; may throw to stop
 */
export async function stuffSurface(
  field: ExactMeshField,
  box: Box,
  cube: number,
  pause: () => Promise<void>,
): Promise<StuffedBody> {
  const lattice = new Lattice(box, cube)
  const positions = lattice.positions()
  const distances = new Float64Array(lattice.nodeCount)
  for (let from = 0; from < lattice.nodeCount; from += PAUSE_EVERY) {
    const count = Math.min(PAUSE_EVERY, lattice.nodeCount - from)
    field.query(positions.subarray(3 * from), count, distances.subarray(from))
    await pause()
  }
  const cuts = findCuts(lattice, positions, distances, field)
  await pause()
  const side = Int8Array.from(distances, Math.sign)
  warp(lattice, positions, side, cuts)
  return new Stuffing(lattice, positions, side, cuts).run()
}

/** Where the surface crosses edges. */
interface Cuts {
  /** Nodes of each cut edge, two each. */
  nodes: number[]
  /** Positions [m], xyz triples. */
  points: Float64Array
  /** Cut of an edge by `edgeKey`. */
  ofEdge: Map<number, number>
}

/** A number for the pair, whatever its order. Exact up to some 90 million nodes. */
function edgeKey(lattice: Lattice, a: number, b: number): number {
  return a < b ? a * lattice.nodeCount + b : b * lattice.nodeCount + a
}

function findCuts(lattice: Lattice, positions: Float64Array, distances: Float64Array, field: ExactMeshField): Cuts {
  const nodes: number[] = []
  const ofEdge = new Map<number, number>()
  lattice.eachEdge((a, b) => {
    if (distances[a] * distances[b] >= 0) return
    ofEdge.set(edgeKey(lattice, a, b), nodes.length / 2)
    nodes.push(a, b)
  })
  const points = new Float64Array((3 * nodes.length) / 2)
  const point = new Float64Array(3)
  const found = { distances: new Float64Array(1), closestPoints: new Float64Array(3) }
  for (let i = 0; i < nodes.length; i += 2) {
    const [a, b] = [3 * nodes[i], 3 * nodes[i + 1]]
    // Regula falsi after Illinois: the end that stays has its value halved.
    let [from, to] = [0, 1]
    let [atFrom, atTo] = [distances[nodes[i]], distances[nodes[i + 1]]]
    for (let step = 0; step < CUT_STEPS; step++) {
      const t = (from * atTo - to * atFrom) / (atTo - atFrom)
      for (let axis = 0; axis < 3; axis++) {
        point[axis] = positions[a + axis] + t * (positions[b + axis] - positions[a + axis])
      }
      field.closest(point, 1, found)
      const value = found.distances[0]
      if (Math.abs(value) <= CUT_TOLERANCE * lattice.cube) break
      if (value * atTo < 0) {
        from = to
        atFrom = atTo
      } else atFrom /= 2
      to = t
      atTo = value
    }
    points.set(found.closestPoints, (3 * i) / 2)
  }
  return { nodes, points, ofEdge }
}

/** Moves nodes that cuts come too near onto the nearest of them. They are on the surface then, their edges uncut. */
function warp(lattice: Lattice, positions: Float64Array, side: Int8Array, cuts: Cuts): void {
  const { nodes, points } = cuts
  const nearest = new Map<number, [share: number, cut: number][]>()
  for (let i = 0; i < nodes.length; i++) {
    const [node, other, cut] = [nodes[i], nodes[i ^ 1], i >> 1]
    const long = (node & 1) === (other & 1)
    const length = lattice.cube * (long ? 1 : Math.sqrt(0.75))
    const share = distanceBetween(positions, 3 * node, points, 3 * cut) / length
    if (share >= (long ? NEAR_LONG : NEAR_SHORT)) continue
    const list = nearest.get(node)
    if (list) list.push([share, i])
    else nearest.set(node, [[share, i]])
  }
  for (const [node, list] of [...nearest].sort(([a], [b]) => a - b)) {
    // Cuts of edges whose other node has been moved are gone.
    const left = list.filter(([, end]) => side[nodes[end ^ 1]] !== 0)
    if (left.length === 0) continue
    const [, end] = left.reduce((best, one) => (one[0] < best[0] ? one : best))
    positions.set(points.subarray(3 * (end >> 1), 3 * (end >> 1) + 3), 3 * node)
    side[node] = 0
  }
}

function distanceBetween(p: Float64Array, a: number, q: Float64Array, b: number): number {
  return Math.hypot(p[a] - q[b], p[a + 1] - q[b + 1], p[a + 2] - q[b + 2])
}

/** Collects the tetrahedra and numbers their nodes in the order in which they come up. */
class Stuffing implements CutLattice {
  private readonly nodeOfCorner: Int32Array
  private readonly nodeOfCut: Int32Array
  private readonly made: number[] = []
  private readonly surface: number[] = []
  private readonly tetrahedra: number[] = []

  constructor(
    private readonly lattice: Lattice,
    private readonly positions: Float64Array,
    private readonly sides: Int8Array,
    private readonly cuts: Cuts,
  ) {
    this.nodeOfCorner = new Int32Array(lattice.nodeCount).fill(-1)
    this.nodeOfCut = new Int32Array(cuts.nodes.length / 2).fill(-1)
  }

  run(): StuffedBody {
    const { sides } = this
    this.lattice.eachTet((a, b, c, d) => {
      if (sides[a] < 0 || sides[b] < 0 || sides[c] < 0 || sides[d] < 0) stuffTet(this, [a, b, c, d])
    })
    return {
      mesh: { positions: Float64Array.from(this.made), tetrahedra: Uint32Array.from(this.tetrahedra) },
      onSurface: Uint8Array.from(this.surface),
    }
  }

  side(node: number): number {
    return this.sides[node]
  }

  isLong(a: number, b: number): boolean {
    return (a & 1) === (b & 1)
  }

  isEven(a: number, b: number): boolean {
    let larger = 0
    for (let axis = 0; axis < 3; axis++) if (this.lattice.half(a, axis) > this.lattice.half(b, axis)) larger++
    return larger % 2 === 0
  }

  corner(node: number): number {
    if (this.nodeOfCorner[node] < 0) {
      this.nodeOfCorner[node] = this.add(this.positions, node, this.sides[node] === 0 ? 1 : 0)
    }
    return this.nodeOfCorner[node]
  }

  cut(inside: number, outside: number): number {
    const cut = this.cuts.ofEdge.get(edgeKey(this.lattice, inside, outside))!
    if (this.nodeOfCut[cut] < 0) this.nodeOfCut[cut] = this.add(this.cuts.points, cut, 1)
    return this.nodeOfCut[cut]
  }

  emit(a: number, b: number, c: number, d: number): void {
    const { made: p } = this
    const edge = (to: number, axis: number): number => p[3 * to + axis] - p[3 * a + axis]
    const [ux, uy, uz] = [edge(b, 0), edge(b, 1), edge(b, 2)]
    const [vx, vy, vz] = [edge(c, 0), edge(c, 1), edge(c, 2)]
    const volume =
      edge(d, 0) * (uy * vz - uz * vy) + edge(d, 1) * (uz * vx - ux * vz) + edge(d, 2) * (ux * vy - uy * vx)
    if (volume < 0) this.tetrahedra.push(a, b, d, c)
    else this.tetrahedra.push(a, b, c, d)
  }

  private add(points: Float64Array, at: number, onSurface: number): number {
    this.made.push(points[3 * at], points[3 * at + 1], points[3 * at + 2])
    return this.surface.push(onSurface) - 1
  }
}
