/**
 * An elastic body cut into parts that lie well together: nodes are as far from each other as the way through the body is
 * long, so that an ear and the back it lies on are never one part.
 */
import type { TetMesh } from 'pliant'

/** Nodes of the parts overlap over this share of the mean distance between their middles. */
const OVERLAP = 0.5
/** Rounds in which middles move to the middle of their part. */
const ROUNDS = 4

export interface PartRegions {
  /** For each part, the weight of every node, 0 to 1. */
  weights: Float64Array[]
  /** For each part, distances through the body from its middle to the other parts' middles [m]. */
  between: number[][]
}

export function partRegions(mesh: TetMesh, masses: Float64Array, count: number): PartRegions {
  const graph = edgesOf(mesh)
  const nodes = masses.length
  let middles = spreadOut(graph, nodes, Math.min(count, nodes))
  for (let round = 0; round < ROUNDS; round++) {
    middles = centred(mesh.positions, masses, nearestMiddle(middles.map((m) => waysFrom(graph, nodes, m))), middles)
  }
  const ways = middles.map((middle) => waysFrom(graph, nodes, middle))
  const between = ways.map((way) => middles.map((middle) => way[middle]))
  const nextOf = between.map((row, part) => Math.min(...row.filter((_, other) => other !== part)))
  const width = middles.length > 1 ? (OVERLAP * nextOf.reduce((sum, next) => sum + next, 0)) / nextOf.length : 1
  const nearest = new Float64Array(nodes).map((_, node) => Math.min(...ways.map((way) => way[node])))
  const weights = ways.map((way) => way.map((length, node) => Math.max(0, 1 - (length - nearest[node]) / width)))
  return { weights, between }
}

/** Edges of the tetrahedra in compressed rows: neighbours of each node, and how long the edges are. */
interface Graph {
  starts: Uint32Array
  ends: Uint32Array
  lengths: Float64Array
}

const EDGES = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
] as const

function edgesOf({ positions, tetrahedra }: TetMesh): Graph {
  const neighbours = Array.from({ length: positions.length / 3 }, () => new Set<number>())
  for (let t = 0; t < tetrahedra.length; t += 4) {
    for (const [i, j] of EDGES) {
      neighbours[tetrahedra[t + i]].add(tetrahedra[t + j])
      neighbours[tetrahedra[t + j]].add(tetrahedra[t + i])
    }
  }
  const starts = new Uint32Array(neighbours.length + 1)
  neighbours.forEach((set, node) => {
    starts[node + 1] = starts[node] + set.size
  })
  const ends = Uint32Array.from(neighbours.flatMap((set) => [...set].sort((a, b) => a - b)))
  const lengths = new Float64Array(ends.length)
  for (let node = 0; node < neighbours.length; node++) {
    for (let e = starts[node]; e < starts[node + 1]; e++) lengths[e] = distance(positions, node, ends[e])
  }
  return { starts, ends, lengths }
}

function distance(positions: ArrayLike<number>, a: number, b: number): number {
  return Math.hypot(
    positions[3 * a] - positions[3 * b],
    positions[3 * a + 1] - positions[3 * b + 1],
    positions[3 * a + 2] - positions[3 * b + 2],
  )
}

/** Lengths of the shortest ways along edges from one node to all; far away where there is none. */
function waysFrom({ starts, ends, lengths }: Graph, nodes: number, from: number): Float64Array {
  const ways = new Float64Array(nodes).fill(FAR)
  ways[from] = 0
  // Nodes whose way became shorter are looked at again: without a heap, as ways are long where few nodes wait.
  const waiting: number[] = [from]
  const waits = new Uint8Array(nodes)
  for (let head = 0; head < waiting.length; head++) {
    const node = waiting[head]
    waits[node] = 0
    for (let e = starts[node]; e < starts[node + 1]; e++) {
      const way = ways[node] + lengths[e]
      if (way >= ways[ends[e]]) continue
      ways[ends[e]] = way
      if (waits[ends[e]] === 0) waiting.push(ends[e])
      waits[ends[e]] = 1
    }
  }
  return ways
}

/** For nodes that no edge leads to; a number, as it is multiplied. */
const FAR = 1e30

/** Each next middle as far as can be from those before; the first at an end of the body. */
function spreadOut(graph: Graph, nodes: number, count: number): number[] {
  const middles = [furthest(waysFrom(graph, nodes, 0))]
  const nearest = waysFrom(graph, nodes, middles[0])
  while (middles.length < count) {
    const next = furthest(nearest)
    middles.push(next)
    waysFrom(graph, nodes, next).forEach((way, node) => {
      nearest[node] = Math.min(nearest[node], way)
    })
  }
  return middles
}

function furthest(ways: Float64Array): number {
  return ways.reduce((best, way, node) => (way > ways[best] ? node : best), 0)
}

function nearestMiddle(ways: Float64Array[]): Uint32Array {
  return Uint32Array.from(ways[0], (_, node) =>
    ways.reduce((best, way, part) => (way[node] < ways[best][node] ? part : best), 0),
  )
}

/** The node nearest to each part's centre of mass. */
function centred(positions: Float64Array, masses: Float64Array, partOf: Uint32Array, middles: number[]): number[] {
  return middles.map((middle, part) => {
    const own = [...partOf.keys()].filter((node) => partOf[node] === part)
    if (own.length === 0) return middle
    const mass = own.reduce((sum, node) => sum + masses[node], 0)
    const centre = [0, 1, 2].map((axis) => own.reduce((s, n) => s + masses[n] * positions[3 * n + axis], 0) / mass)
    const far = (n: number): number =>
      [0, 1, 2].reduce((s, axis) => s + (positions[3 * n + axis] - centre[axis]) ** 2, 0)
    return own.reduce((best, node) => (far(node) < far(best) ? node : best), own[0])
  })
}
