/** What a search for candidates goes through: done once per shape, the same for all codes. */
import type { LinearShape } from './linear-shape.js'
import { buildPairTree, type PairTree } from './pair-tree.js'
import { prunePairs } from './prune-pairs.js'
import { type Rounding, roundingOf } from './rounding.js'
import { type LinearVertices, SeparatedPairs } from './separated-pairs.js'
import { type TriangleNodes, triangleNodes } from './triangle-nodes.js'

export interface CandidatePlan {
  codeSize: number
  /** What codes are divided by. */
  codeSizes: Float64Array
  /** Of each vertex: x, y, z at rest, then by each mode, in the unit of `rounding.ts`. */
  table: Float32Array
  /** Vertex index triples. */
  triangles: Uint32Array
  nodes: TriangleNodes
  pairs: PairTree
  /** As in `Rounding`. */
  slabSlack: number
  gapSlack: number
}

/** Triangles of the nodes at which far parts end in the tree of pairs. */
const FAR_SIZE = 16

/** What must be left of a gap that is to last for good, as a share of the size. */
const MARGIN = 1e-9

/** @param shape  valid (`requireLinearShape`) */
export function planCandidates(shape: LinearShape): CandidatePlan {
  const { triangles } = shape
  const rounding = roundingOf(shape)
  const vertices = aboutMiddle(shape)
  const nodes = triangleNodes({ positions: vertices.middle, triangles })
  const separated = separateNodes(vertices, nodes, triangles, rounding)
  const pairs = buildPairTree(nodes, triangles, separated, FAR_SIZE)
  const { codeSizes, slabSlack, gapSlack } = rounding
  const table = vertexTable(shape, rounding)
  const plan = { codeSize: codeSizes.length, codeSizes, table, triangles, nodes, pairs, slabSlack, gapSlack }
  return { ...plan, pairs: prunePairs(plan, shape.bounds) }
}

function aboutMiddle({ rest, modes, bounds: { lower, upper } }: LinearShape): LinearVertices {
  const middle = Float64Array.from(rest)
  const reach = new Float64Array(modes.length)
  for (let k = 0; k < lower.length; k++) {
    const centre = (lower[k] + upper[k]) / 2
    const half = (upper[k] - lower[k]) / 2
    for (let i = 0, o = k * rest.length; i < rest.length; i++, o++) {
      middle[i] += centre * modes[o]
      reach[o] = half * modes[o]
    }
  }
  return { middle, reach, codeSize: lower.length }
}

function separateNodes(
  vertices: LinearVertices,
  { right, triangle }: TriangleNodes,
  triangles: Uint32Array,
  { size, double }: Rounding,
): SeparatedPairs {
  // A gap is made of sums of three coordinates, at the middle and by every mode: off by less than 32 times one of them.
  const separated = new SeparatedPairs(vertices, right.length, MARGIN * size + 32 * double)
  // Children come after their parent: backward, they are done before it.
  for (let node = right.length - 1; node >= 0; node--) {
    if (right[node] === 0) {
      for (let k = 0; k < 3; k++) separated.addVertex(node, triangles[3 * triangle[node] + k])
    } else {
      separated.addSet(node, node + 1)
      separated.addSet(node, right[node])
    }
  }
  return separated
}

function vertexTable({ rest, modes }: LinearShape, { centre, size, codeSizes }: Rounding): Float32Array {
  const width = codeSizes.length + 1
  const table = new Float32Array(width * rest.length)
  for (let i = 0; i < rest.length; i++) {
    const axis = i % 3
    const at = (i - axis) * width + axis
    table[at] = (rest[i] - centre[axis]) / size
    for (let k = 1; k < width; k++) {
      table[at + 3 * k] = (modes[(k - 1) * rest.length + i] * codeSizes[k - 1]) / size
    }
  }
  return table
}
