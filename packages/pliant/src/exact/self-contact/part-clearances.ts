/**
 * How far parts of a surface are from each other, and how deep in each other. Apart, it is the distance of their triangles;
 * where some of them meet, less than nothing: as deep as two of these triangles are in each other, or as a vertex is behind the
 * other part's surface, whichever is more. So the least of all pairs has the sign that the exact test tells, and goes through
 * zero as parts come to touch. Pairs of triangles that a rule leaves alone do not count.
 * One pose tells this of every pair of parts, where a test of self-contact tells one bit.
 */
import type { Floats } from '../../math/floats.js'
import { POSITIVE, type Rules, settingsOf } from '../../math/settings.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'
import { ClosestPoint } from '../closest-point.js'
import { FeatureNormals } from '../feature-normals.js'
import { FEATURE_FACE } from '../point-triangle.js'
import { ABOVE_CELLS, cellsOf, type TreeCells } from '../tree-cells.js'
import { type TriangleGap, triangleGap } from '../triangle-gap.js'
import { triangleOverlap } from '../triangle-overlap.js'
import { TriangleTree } from '../triangle-tree.js'
import { trianglesMeet } from '../triangle-triangle.js'
import type { NeighbourRule } from './neighbour-rule.js'

export interface ClearanceOptions {
  /** Clearances end here, on either side [m]. */
  reach: number
  /** Vertices whose depth is looked at, of all parts together, about. */
  samples?: number
}
export const CLEARANCE_DEFAULTS = { samples: 4000 } as const

const RULES: Rules<Required<ClearanceOptions>> = { reach: POSITIVE, samples: POSITIVE }

/** Triangles that only just meet are so deep, as a share of the reach: the sign must not be lost. */
const LEAST_DEPTH = 1e-6

/** Pairs of triangles that are looked at once some meet. */
const MOST_MET = 64

/** Triangles of a leaf, as for every nearest point. */
const LEAF_SIZE = 2

/**
 * Triangles of a cell, at most. Of two cells it is remembered which of their triangles are neighbours: patches next to each other
 * are always within reach, and half of their work was to find that out again.
 */
const CELL_SIZE = 16
/** What is known of two cells: nothing yet, that all or none of their triangles are neighbours, or, above, where it is told of each. */
const UNKNOWN = 0
const ALL_LEFT_ALONE = -1
const NONE_LEFT_ALONE = -2

/** Where two parts are nearest to each other, or in each other. */
export interface NearestOfParts {
  /** A triangle of either at that place; -1 if they are beyond reach. */
  triangles: [number, number]
  /** Weights of their corners, three and three. */
  weights: Float64Array
}

export class PartClearances {
  readonly reach: number
  /** Parts of each pair, two numbers: all pairs that the rule does not leave alone as a whole. */
  readonly pairs: Uint16Array
  readonly #parts: readonly (Part | undefined)[]
  readonly #partOf: Uint16Array
  readonly #normals: FeatureNormals
  readonly #normal = new Float64Array(3)
  readonly #rule: NeighbourRule
  /**
   * Of each pair whether one lies behind the other's surface at rest, as the nape does behind the chin: that it is there says
   * nothing, then.
   */
  readonly #isBacked: Uint8Array
  /** Of each triangle those of other parts that it is left alone with, once somebody has asked. */
  readonly #close: (Set<number> | undefined)[]
  /** Of each pair of parts what is known of their cells, once two of them have come near each other. */
  readonly #cells: (Int32Array | undefined)[]
  /** Of two cells some of whose triangles are neighbours: 1 for each two that are. */
  readonly #neighbours: Uint8Array[] = [new Uint8Array(0)]
  readonly #corners = new Float64Array(18)
  readonly #gap: TriangleGap = { distance: 0, pointA: new Float64Array(3), pointB: new Float64Array(3) }
  readonly #stack: number[] = []
  readonly #place: NearestOfParts = { triangles: [-1, -1], weights: new Float64Array(6) }
  #positions: Floats

  /**
   * @param mesh  at rest, valid
   * @param rule  made of it; its parts are those that are asked about
   * @throws RangeError if an option is no number above zero
   */
  constructor(mesh: TriangleMesh, rule: NeighbourRule, options: ClearanceOptions) {
    const { reach, samples } = settingsOf('clearances', options, { reach: 0, ...CLEARANCE_DEFAULTS }, RULES)
    const { partCount, leavesParts } = rule
    this.reach = reach
    this.#partOf = rule.parts
    this.#rule = rule
    this.#close = new Array(rule.parts.length)
    this.#normals = new FeatureNormals(mesh)
    this.#positions = mesh.positions
    const every = Math.ceil(mesh.positions.length / 3 / samples)
    this.#parts = Array.from({ length: partCount }, (_, part) => makePart(mesh, rule.parts, part, every))
    const pairs: number[] = []
    for (let a = 0; a < partCount; a++) {
      for (let b = a + 1; b < partCount; b++) {
        if (leavesParts[a * partCount + b] === 0 && this.#parts[a] && this.#parts[b]) pairs.push(a, b)
      }
    }
    this.pairs = Uint16Array.from(pairs)
    this.#cells = new Array(pairs.length / 2)
    this.#isBacked = Uint8Array.from({ length: pairs.length / 2 }, (_, pair) =>
      this.#behind(pair, Infinity) < 0 ? 1 : 0,
    )
  }

  /** Moves all parts. @param positions  of the mesh's vertices; read until the next move */
  moveTo(positions: Floats): void {
    this.#positions = positions
    for (const part of this.#parts) {
      if (!part) continue
      gather(positions, part.vertices, part.positions)
      part.tree.refit(part.positions)
    }
  }

  /**
   * Clearances of some pairs [m], from -reach to reach.
   * @param asked    pairs, by their places in `pairs`
   * @param nearest  if given, is told of each pair within reach where it is nearest or deepest
   */
  write(asked: ArrayLike<number>, out: Floats, nearest?: (i: number, place: NearestOfParts) => void): void {
    let isTouching = false
    for (let i = 0; i < asked.length; i++) {
      out[i] = this.#apart(asked[i])
      if (out[i] <= 0) isTouching = true
      if (nearest && this.#place.triangles[0] >= 0) nearest(i, this.#place)
    }
    if (!isTouching) return
    // What has passed through a surface is behind it without meeting it; in a free pose that cannot be.
    for (let i = 0; i < asked.length; i++) {
      if (!(out[i] < this.reach) || this.#isBacked[asked[i]] === 1) continue
      out[i] = Math.max(-this.reach, Math.min(out[i], this.#behind(asked[i], this.reach)))
    }
  }

  /** Distance of the triangles of two parts, or less than nothing if some meet: as deep as any two are in each other. */
  #apart(pair: number): number {
    const [a, b] = [this.#parts[this.pairs[2 * pair]]!, this.#parts[this.pairs[2 * pair + 1]]!]
    this.#place.triangles = [-1, -1]
    const stack = this.#stack
    let least = this.reach
    let met = 0
    stack.push(0, 0, squaredBoxGap(a.tree.bounds, 0, b.tree.bounds, 0))
    while (stack.length > 0) {
      const [squared, n, m] = [stack.pop()!, stack.pop()!, stack.pop()!]
      // Once some meet, others that do may be deeper; after many, vertices tell the depth better than all of them.
      if (squared > Math.max(0, least) ** 2 || met > MOST_MET) continue
      const [cellA, cellB] = [a.cells.cellOf[m], b.cells.cellOf[n]]
      const known = cellA < 0 || cellB < 0 ? UNKNOWN : this.#known(pair, a, cellA, b, cellB)
      if (known === ALL_LEFT_ALONE) continue
      const [isLeafA, isLeafB] = [a.tree.right[m] === 0, b.tree.right[n] === 0]
      if (isLeafA && isLeafB) {
        const [beginA, beginB, width] = [a.cells.slots[cellA], b.cells.slots[cellB], widthOf(b, cellB)]
        for (let s = a.tree.first[m]; s < a.tree.end[m]; s++) {
          for (let t = b.tree.first[n]; t < b.tree.end[n]; t++) {
            if (known > 0 && this.#neighbours[known][(s - beginA) * width + t - beginB] === 1) continue
            least = this.#nearer(a, s, b, t, least)
            if (least < 0) met++
          }
        }
      } else if (isLeafB || (!isLeafA && isSplitFirst(a, m, cellA, b, n, cellB))) {
        this.#pushBoth(a, m + 1, b, n, a.tree.right[m], n)
      } else {
        this.#pushBoth(a, m, b, n + 1, m, b.tree.right[n])
      }
    }
    return least
  }

  /** The nearer of two pairs of nodes is looked at first: what is found there rules out more of the rest. */
  #pushBoth(a: Part, m: number, b: Part, n: number, m2: number, n2: number): void {
    const first = squaredBoxGap(a.tree.bounds, 6 * m, b.tree.bounds, 6 * n)
    const second = squaredBoxGap(a.tree.bounds, 6 * m2, b.tree.bounds, 6 * n2)
    if (first < second) this.#stack.push(m2, n2, second, m, n, first)
    else this.#stack.push(m, n, first, m2, n2, second)
  }

  /** The clearance with one more pair of triangles looked at, by their slots; no neighbours. */
  #nearer(a: Part, s: number, b: Part, t: number, least: number): number {
    const c = this.#corners
    if (areApart(a.tree.corners, 9 * s, b.tree.corners, 9 * t, Math.max(0, least))) return least
    const [own, other] = [a.triangles[a.tree.triangleOfSlot[s]], b.triangles[b.tree.triangleOfSlot[t]]]
    for (let k = 0; k < 9; k++) {
      c[k] = a.tree.corners[9 * s + k]
      c[9 + k] = b.tree.corners[9 * t + k]
    }
    if (trianglesMeet(c, 0, c, 9)) {
      const depth = -Math.max(LEAST_DEPTH * this.reach, triangleOverlap(c, 0, c, 9))
      if (!(depth < least)) return least
      this.#place.triangles = [own, other]
      this.#place.weights.fill(1 / 3)
      return depth
    }
    if (least <= 0) return least
    triangleGap(c, 0, 9, this.#gap)
    if (!(this.#gap.distance < least)) return least
    this.#place.triangles = [own, other]
    writeWeights(c, 0, this.#gap.pointA, this.#place.weights, 0)
    writeWeights(c, 9, this.#gap.pointB, this.#place.weights, 3)
    return this.#gap.distance
  }

  /** What is known of two cells, found out if nothing is. */
  #known(pair: number, a: Part, cellA: number, b: Part, cellB: number): number {
    this.#cells[pair] ??= new Int32Array((a.cells.slots.length - 1) * (b.cells.slots.length - 1))
    const known = this.#cells[pair]
    const at = cellA * (b.cells.slots.length - 1) + cellB
    if (known[at] === UNKNOWN) known[at] = this.#findOut(a, cellA, b, cellB)
    return known[at]
  }

  #findOut(a: Part, cellA: number, b: Part, cellB: number): number {
    const width = widthOf(b, cellB)
    const neighbours = new Uint8Array(widthOf(a, cellA) * width)
    for (let i = 0; i < neighbours.length; i++) {
      const [s, t] = [a.cells.slots[cellA] + Math.trunc(i / width), b.cells.slots[cellB] + (i % width)]
      const [own, other] = [a.triangles[a.tree.triangleOfSlot[s]], b.triangles[b.tree.triangleOfSlot[t]]]
      if (this.#isLeftAlone(own, other)) neighbours[i] = 1
    }
    if (!neighbours.includes(1)) return NONE_LEFT_ALONE
    return neighbours.includes(0) ? this.#neighbours.push(neighbours) - 1 : ALL_LEFT_ALONE
  }

  #isLeftAlone(a: number, b: number): boolean {
    this.#close[a] ??= this.#rule.closeTo(a)
    return this.#close[a].has(b)
  }

  /** Least signed distance of a vertex of either part from the other's surface; the reach if none within it is behind. */
  #behind(pair: number, reach: number): number {
    const [a, b] = [this.#parts[this.pairs[2 * pair]]!, this.#parts[this.pairs[2 * pair + 1]]!]
    return Math.min(this.#deepest(a, b, reach), this.#deepest(b, a, reach))
  }

  /** Of the vertices of one part that are behind the surface of another the deepest, as less than nothing. */
  #deepest(part: Part, other: Part, reach: number): number {
    const { bounds } = other.tree
    const x = part.positions
    const { closest } = other
    let least = reach
    for (let i = 0; i < part.samples.length; i++) {
      const v = 3 * part.samples[i]
      if (isOutside(bounds, x[v], x[v + 1], x[v + 2], reach)) continue
      closest.find(x[v], x[v + 1], x[v + 2], reach * reach)
      if (closest.slot < 0 || -Math.sqrt(closest.squared) >= least) continue
      // Which side of the rest it lies on, a neighbour's nearest point does not tell.
      const triangle = other.triangles[other.tree.triangleOfSlot[closest.slot]]
      if (this.#isLeftAlone(part.trianglesOfSamples[i], triangle)) continue
      if (this.#isBehind(other, x[v], x[v + 1], x[v + 2])) least = -Math.sqrt(closest.squared)
    }
    return least
  }

  /** At the rim of a part, where the surface goes on, nobody knows. */
  #isBehind({ closest, tree, triangles }: Part, px: number, py: number, pz: number): boolean {
    const triangle = triangles[tree.triangleOfSlot[closest.slot]]
    if (closest.feature !== FEATURE_FACE && this.#isRim(triangle, closest.feature)) return false
    this.#normals.write(this.#positions, triangle, closest.feature, this.#normal)
    const [nx, ny, nz] = this.#normal
    return (px - closest.x) * nx + (py - closest.y) * ny + (pz - closest.z) * nz < 0
  }

  #isRim(triangle: number, feature: number): boolean {
    const around = this.#normals.trianglesAt(triangle, feature)
    return around.length < 2 || around.some((other) => this.#partOf[other] !== this.#partOf[triangle])
  }
}

/** Triangles of one part, and the vertices that stand for it. */
interface Part {
  tree: TriangleTree
  cells: TreeCells
  closest: ClosestPoint
  /** Its triangles by their numbers in the mesh; the tree counts them from zero, and its vertices too. */
  triangles: Uint32Array
  vertices: Uint32Array
  /** Where these are. */
  positions: Float64Array
  /** Of its vertices those that are looked at, by their numbers in the part, and a triangle of it at each. */
  samples: Uint32Array
  trianglesOfSamples: Uint32Array
}

function makePart(mesh: TriangleMesh, parts: Uint16Array, part: number, every: number): Part | undefined {
  const triangles = Uint32Array.from(parts.keys()).filter((triangle) => parts[triangle] === part)
  if (triangles.length === 0) return undefined
  const numbers = new Map<number, number>()
  const trianglesOfVertices: number[] = []
  const corners = Uint32Array.from({ length: 3 * triangles.length }, (_, i) => {
    const triangle = triangles[Math.trunc(i / 3)]
    const vertex = mesh.triangles[3 * triangle + (i % 3)]
    if (!numbers.has(vertex)) {
      numbers.set(vertex, numbers.size)
      trianglesOfVertices.push(triangle)
    }
    return numbers.get(vertex)!
  })
  const vertices = Uint32Array.from(numbers.keys())
  const positions = new Float64Array(3 * vertices.length)
  gather(mesh.positions, vertices, positions)
  const samples = Uint32Array.from(vertices.keys()).filter((vertex) => vertex % every === 0)
  const tree = new TriangleTree({ positions, triangles: corners }, LEAF_SIZE)
  const trianglesOfSamples = samples.map((vertex) => trianglesOfVertices[vertex])
  const closest = new ClosestPoint(tree)
  return { tree, cells: cellsOf(tree, CELL_SIZE), closest, triangles, vertices, positions, samples, trianglesOfSamples }
}

function widthOf({ cells: { slots } }: Part, cell: number): number {
  return slots[cell + 1] - slots[cell]
}

/** Whether a node of the first part is split before one of the second: down to cells on either side, then by size. */
function isSplitFirst(a: Part, m: number, cellA: number, b: Part, n: number, cellB: number): boolean {
  if ((cellA === ABOVE_CELLS) !== (cellB === ABOVE_CELLS)) return cellA === ABOVE_CELLS
  return sizeOf(a.tree.bounds, 6 * m) > sizeOf(b.tree.bounds, 6 * n)
}

function gather(from: Floats, vertices: Uint32Array, out: Float64Array): void {
  for (let i = 0; i < vertices.length; i++) {
    for (let axis = 0; axis < 3; axis++) out[3 * i + axis] = from[3 * vertices[i] + axis]
  }
}

/** How far two boxes are apart, squared, by their places in two lists. */
function squaredBoxGap(a: Float64Array, i: number, b: Float64Array, j: number): number {
  const x = Math.max(a[i] - b[j + 3], b[j] - a[i + 3], 0)
  const y = Math.max(a[i + 1] - b[j + 4], b[j + 1] - a[i + 4], 0)
  const z = Math.max(a[i + 2] - b[j + 5], b[j + 2] - a[i + 5], 0)
  return x * x + y * y + z * z
}

/** Whether two triangles are further apart than so far along an axis. */
function areApart(c: Float64Array, s: number, d: Float64Array, t: number, reach: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const [i, j] = [s + axis, t + axis]
    if (Math.min(c[i], c[i + 3], c[i + 6]) - Math.max(d[j], d[j + 3], d[j + 6]) > reach) return true
    if (Math.min(d[j], d[j + 3], d[j + 6]) - Math.max(c[i], c[i + 3], c[i + 6]) > reach) return true
  }
  return false
}

function sizeOf(b: Float64Array, o: number): number {
  return b[o + 3] - b[o] + b[o + 4] - b[o + 1] + b[o + 5] - b[o + 2]
}

function isOutside(b: Float64Array, px: number, py: number, pz: number, reach: number): boolean {
  const [x, y, z] = [Math.max(b[0] - px, px - b[3]), Math.max(b[1] - py, py - b[4]), Math.max(b[2] - pz, pz - b[5])]
  return Math.max(x, y, z) > reach
}

/** Of a point in a triangle, by areas; of one without area those of its middle. */
function writeWeights(c: Float64Array, o: number, p: ArrayLike<number>, out: Float64Array, at: number): void {
  const corner = (k: number): number[] => [0, 1, 2].map((axis) => c[o + 3 * (k % 3) + axis])
  const whole = areaOf(corner(0), corner(1), corner(2))
  const square = dot(whole, whole)
  for (let k = 0; k < 3; k++) {
    out[at + k] = square > 0 ? dot(areaOf(p, corner(k + 1), corner(k + 2)), whole) / square : 1 / 3
  }
}

function areaOf(a: ArrayLike<number>, b: readonly number[], c: readonly number[]): number[] {
  const [u, v] = [b, c].map((end) => end.map((value, axis) => value - a[axis]))
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
