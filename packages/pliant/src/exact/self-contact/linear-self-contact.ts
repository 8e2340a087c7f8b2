/**
 * Whether the shape x0 + U q touches itself, exactly, for one code after another (Cai et al., section 3: "sign"; touching
 * counts as colliding). What is the same for all codes is done once: pairs of triangles that cannot meet in the box of
 * codes are ruled out for good (`separated-pairs.ts`), the others lie in a tree of pairs (`pair-tree.ts`). A query moves
 * the vertices, tries the pairs that met lately, then bounds the nodes by 14 planes each and goes through the tree.
 * The answer is that of `SelfIntersection` at the same positions; codes outside the box are handed to it.
 */
import { boxDiagonal, boxOfPoints } from '../../math/box.js'
import { requireNumbers } from '../../math/require.js'
import { requireValidMesh } from '../../mesh/validate.js'
import { SelfIntersection } from '../self-intersection.js'
import { TriangleTree } from '../triangle-tree.js'
import { trianglesMeet } from '../triangle-triangle.js'
import { buildPairTree, type PairTree } from './pair-tree.js'
import { type LinearVertices, SeparatedPairs } from './separated-pairs.js'

/** A surface that bends by linear modes, and the codes it is asked at. `LinearModes` is one. */
export interface LinearShape {
  /** Rest positions [m], xyz triples. */
  rest: Float64Array
  /** One displacement field [m per unit of code] after the other, each as long as `rest`. */
  modes: Float64Array
  /** Vertex index triples. */
  triangles: Uint32Array
  /** Box of the codes. */
  bounds: { readonly lower: Float64Array; readonly upper: Float64Array }
}

/** Triangles per leaf: more make the tree of pairs smaller and its entries dearer. */
const LEAF_SIZE = 4

/** Pairs that met lately, tried before all others. */
const LIKELY_PAIRS = 24

/** Planes on either side: axes, then the diagonals x + y + z, x + y - z, x - y + z, -x + y + z. */
const SLABS = 7

/** Sums of three coordinates round; boxes are this share of the size wider. */
const ROUNDING = 1e-12

export class LinearSelfContact {
  readonly codeSize: number
  /** How often it was asked: exact tests are what labels cost. */
  tests = 0
  /** Triangle numbers of the pair that last made `touches` say yes. */
  readonly witness = new Uint32Array(2)
  /** Positions [m] at the code that was last asked. */
  readonly positions: Float64Array
  private readonly tree: TriangleTree
  private readonly pairTree: PairTree
  /** Sums of coordinates of each vertex, four each. */
  private readonly diagonals: Float64Array
  /** Lower and upper end of each node along each slab. */
  private readonly slabs: Float64Array
  /** Vertices of each leaf, each once: those of leaf i from firstVertex[i]. */
  private readonly leafVertices: Uint32Array
  private readonly firstVertex: Int32Array
  private readonly likely: number[] = []
  private readonly corners = new Float64Array(18)
  private readonly slack: number
  private outside: SelfIntersection | undefined

  /** @throws RangeError if the mesh is broken, or sizes disagree */
  constructor(readonly shape: LinearShape) {
    const { rest, modes, triangles, bounds } = shape
    requireValidMesh({ positions: rest, triangles })
    this.codeSize = bounds.lower.length
    if (modes.length !== this.codeSize * rest.length) {
      throw new RangeError(
        `self-contact: ${modes.length} mode values for ${this.codeSize} codes and ${rest.length / 3} vertices; give ${this.codeSize * rest.length}.`,
      )
    }
    const vertices = aboutMiddle(shape)
    this.positions = Float64Array.from(rest)
    this.tree = new TriangleTree({ positions: vertices.middle, triangles }, LEAF_SIZE)
    const size = boxDiagonal(boxOfPoints(rest))
    this.slack = ROUNDING * size
    this.diagonals = new Float64Array((4 * rest.length) / 3)
    this.slabs = new Float64Array(2 * SLABS * this.tree.nodeCount)
    const separated = new SeparatedPairs(vertices, size)
    const leafVertices: number[] = []
    this.firstVertex = new Int32Array(this.tree.nodeCount + 1)
    for (let node = 0; node < this.tree.nodeCount; node++) {
      const slots = this.tree.vertices.subarray(3 * this.tree.first[node], 3 * this.tree.end[node])
      const once = [...new Set(slots)]
      separated.addSet(once)
      if (this.tree.right[node] === 0) leafVertices.push(...once)
      this.firstVertex[node + 1] = leafVertices.length
    }
    this.leafVertices = Uint32Array.from(leafVertices)
    this.pairTree = buildPairTree(this.tree, separated)
  }

  /** Pairs of triangles that may meet somewhere in the box; none of the others is ever looked at. */
  get possiblePairs(): number {
    const { nodeA, nodeB, isWhole, pairs } = this.pairTree
    const { first, end } = this.tree
    const between = (a: number, b: number): number => (end[a] - first[a]) * (end[b] - first[b])
    return isWhole.reduce((sum, whole, i) => sum + (whole ? between(nodeA[i], nodeB[i]) : 0), pairs.length / 2)
  }

  /**
   * Whether any two triangles that share no vertex have a point in common.
   * @throws RangeError if the code has another length or is not finite
   */
  touches(code: ArrayLike<number>): boolean {
    requireNumbers('self-contact', code, 'code value', this.codeSize)
    this.tests++
    this.moveTo(code)
    if (!this.isInBox(code)) return this.touchesOutside()
    if (this.someLikelyPairMeets()) return true
    this.fitSlabs()
    return this.search()
  }

  /** Whether two triangles, by their numbers, meet at the positions of the code that was last asked. */
  pairMeets(a: number, b: number): boolean {
    this.writeCorners(a, b)
    return trianglesMeet(this.corners, 0, this.corners, 9)
  }

  /** Moves the vertices to a code; `touches` does it too. */
  moveTo(code: ArrayLike<number>): void {
    const { rest, modes } = this.shape
    const { positions, codeSize } = this
    positions.set(rest)
    for (let k = 0; k < codeSize; k++) {
      const weight = code[k]
      for (let i = 0, o = k * rest.length; i < rest.length; i++, o++) positions[i] += weight * modes[o]
    }
  }

  private isInBox(code: ArrayLike<number>): boolean {
    const { lower, upper } = this.shape.bounds
    for (let k = 0; k < this.codeSize; k++) if (!(code[k] >= lower[k] && code[k] <= upper[k])) return false
    return true
  }

  private touchesOutside(): boolean {
    const { triangles } = this.shape
    this.outside ??= new SelfIntersection({ positions: this.positions, triangles })
    this.outside.update(this.positions)
    if (!this.outside.any()) return false
    const { pairs } = this.outside.pairs({ limit: 1 })
    this.witness.set(pairs.subarray(0, 2))
    return true
  }

  private someLikelyPairMeets(): boolean {
    const { likely } = this
    for (let i = 0; i < likely.length; i += 2) {
      if (!this.slotsMeet(likely[i], likely[i + 1])) continue
      this.keepWitness(likely[i], likely[i + 1])
      // One place forward: pairs that meet often come to the front.
      if (i > 0)
        [likely[i - 2], likely[i - 1], likely[i], likely[i + 1]] = [
          likely[i],
          likely[i + 1],
          likely[i - 2],
          likely[i - 1],
        ]
      return true
    }
    return false
  }

  private search(): boolean {
    const { nodeA, nodeB, next, isWhole, firstPair, pairs } = this.pairTree
    const { first, end } = this.tree
    const { slabs, slack } = this
    for (let entry = 0; entry < nodeA.length; ) {
      const a = 2 * SLABS * nodeA[entry]
      const b = 2 * SLABS * nodeB[entry]
      if (a !== b && areSlabsApart(slabs, a, b, slack)) {
        entry = next[entry]
        continue
      }
      if (isWhole[entry] === 1) {
        const [from, to] = [first[nodeB[entry]], end[nodeB[entry]]]
        for (let s = first[nodeA[entry]]; s < end[nodeA[entry]]; s++) {
          for (let t = from; t < to; t++) if (this.slotsMeet(s, t)) return this.found(s, t)
        }
      }
      for (let pair = 2 * firstPair[entry]; pair < 2 * firstPair[entry + 1]; pair += 2) {
        if (this.slotsMeet(pairs[pair], pairs[pair + 1])) return this.found(pairs[pair], pairs[pair + 1])
      }
      entry++
    }
    return false
  }

  private found(s: number, t: number): true {
    this.keepWitness(s, t)
    this.likely.push(s, t)
    // From the middle: those in front have met often, the last ones lately.
    if (this.likely.length > 2 * LIKELY_PAIRS) this.likely.splice(LIKELY_PAIRS, 2)
    return true
  }

  private keepWitness(s: number, t: number): void {
    this.witness[0] = this.tree.triangleOfSlot[s]
    this.witness[1] = this.tree.triangleOfSlot[t]
  }

  /** Boxes of the two triangles first: nearly all pairs end there. */
  private slotsMeet(s: number, t: number): boolean {
    const { vertices } = this.tree
    const p = this.positions
    const a = 3 * vertices[3 * s]
    const b = 3 * vertices[3 * s + 1]
    const c = 3 * vertices[3 * s + 2]
    const d = 3 * vertices[3 * t]
    const e = 3 * vertices[3 * t + 1]
    const f = 3 * vertices[3 * t + 2]
    for (let axis = 0; axis < 3; axis++) {
      const x = p[a + axis]
      const y = p[b + axis]
      const z = p[c + axis]
      const u = p[d + axis]
      const v = p[e + axis]
      const w = p[f + axis]
      // Compared one by one, most pairs end after a few.
      if (x < u) {
        if (x < v && x < w && y < u && y < v && y < w && z < u && z < v && z < w) return false
      } else if (x > u) {
        if (x > v && x > w && y > u && y > v && y > w && z > u && z > v && z > w) return false
      }
    }
    const { corners } = this
    for (let axis = 0; axis < 3; axis++) {
      corners[axis] = p[a + axis]
      corners[3 + axis] = p[b + axis]
      corners[6 + axis] = p[c + axis]
      corners[9 + axis] = p[d + axis]
      corners[12 + axis] = p[e + axis]
      corners[15 + axis] = p[f + axis]
    }
    return trianglesMeet(corners, 0, corners, 9)
  }

  private writeCorners(a: number, b: number): void {
    const { triangles } = this.shape
    for (let k = 0; k < 6; k++) {
      const vertex = 3 * (k < 3 ? triangles[3 * a + k] : triangles[3 * b + k - 3])
      for (let axis = 0; axis < 3; axis++) this.corners[3 * k + axis] = this.positions[vertex + axis]
    }
  }

  private fitSlabs(): void {
    const { positions: p, diagonals, slabs, leafVertices, firstVertex } = this
    const { nodeCount, right } = this.tree
    for (let i = 0, o = 0; i < p.length; i += 3, o += 4) {
      const x = p[i]
      const y = p[i + 1]
      const z = p[i + 2]
      diagonals[o] = x + y + z
      diagonals[o + 1] = x + y - z
      diagonals[o + 2] = x - y + z
      diagonals[o + 3] = y + z - x
    }
    // Children come after their parent: backward, they are done before it.
    for (let node = nodeCount - 1; node >= 0; node--) {
      const o = 2 * SLABS * node
      if (right[node] === 0) fitLeaf(slabs, o, p, diagonals, leafVertices, firstVertex[node], firstVertex[node + 1])
      else {
        const l = o + 2 * SLABS
        const r = 2 * SLABS * right[node]
        for (let k = 0; k < SLABS; k++) {
          slabs[o + k] = Math.min(slabs[l + k], slabs[r + k])
          const u = k + SLABS
          slabs[o + u] = Math.max(slabs[l + u], slabs[r + u])
        }
      }
    }
  }
}

function fitLeaf(
  slabs: Float64Array,
  o: number,
  p: Float64Array,
  diagonals: Float64Array,
  vertices: Uint32Array,
  from: number,
  to: number,
): void {
  fitSlab(slabs, o, p, 3, 0, vertices, from, to)
  fitSlab(slabs, o + 1, p, 3, 1, vertices, from, to)
  fitSlab(slabs, o + 2, p, 3, 2, vertices, from, to)
  for (let k = 0; k < 4; k++) fitSlab(slabs, o + 3 + k, diagonals, 4, k, vertices, from, to)
}

function fitSlab(
  slabs: Float64Array,
  o: number,
  values: Float64Array,
  stride: number,
  offset: number,
  vertices: Uint32Array,
  from: number,
  to: number,
): void {
  let low = Infinity
  let high = -Infinity
  for (let i = from; i < to; i++) {
    const value = values[stride * vertices[i] + offset]
    if (value < low) low = value
    if (value > high) high = value
  }
  slabs[o] = low
  slabs[o + SLABS] = high
}

function areSlabsApart(slabs: Float64Array, a: number, b: number, slack: number): boolean {
  for (let k = 0; k < SLABS; k++) {
    if (slabs[a + k] > slabs[b + SLABS + k] + slack || slabs[b + k] > slabs[a + SLABS + k] + slack) return true
  }
  return false
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
