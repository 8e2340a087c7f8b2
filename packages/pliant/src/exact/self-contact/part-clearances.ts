/**
 * How far parts of a surface are from each other, and how deep in each other: for two parts the least signed distance of a
 * vertex of either from the other's surface, negative inside. Pairs of triangles that a rule leaves alone do not count.
 * One pose tells this of every pair of parts, where a test of self-contact tells one bit. Vertices stand for the surface,
 * so parts whose edges cross between vertices are seen a little late: whether shapes touch is for the exact test to say.
 */
import type { Floats } from '../../math/floats.js'
import { POSITIVE, type Rules, settingsOf } from '../../math/settings.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'
import { ClosestPoint } from '../closest-point.js'
import { FeatureNormals } from '../feature-normals.js'
import { FEATURE_FACE } from '../point-triangle.js'
import { TriangleTree } from '../triangle-tree.js'
import type { NeighbourRule } from './neighbour-rule.js'

export interface ClearanceOptions {
  /** Clearances end here, on either side [m]. */
  reach: number
  /** Vertices that are looked at, of all parts together, about. */
  samples?: number
}
export const CLEARANCE_DEFAULTS = { samples: 4000 } as const

const RULES: Rules<Required<ClearanceOptions>> = { reach: POSITIVE, samples: POSITIVE }

/** Triangles of a leaf, as for every nearest point. */
const LEAF_SIZE = 2

/** Where two parts are nearest to each other, or deepest in each other. */
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
  readonly #triangles: Uint32Array
  readonly #parts: readonly (Part | undefined)[]
  readonly #partOf: Uint16Array
  readonly #normals: FeatureNormals
  readonly #normal = new Float64Array(3)
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
    this.#triangles = mesh.triangles
    this.#partOf = rule.parts
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
    leaveAlone(this.#parts, rule)
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
   * @param pair     by its place in `pairs`
   * @param nearest  receives where it is
   * @returns clearance [m], from -reach to reach
   */
  of(pair: number, nearest?: NearestOfParts): number {
    const [a, b] = [this.#parts[this.pairs[2 * pair]]!, this.#parts[this.pairs[2 * pair + 1]]!]
    if (nearest) nearest.triangles = [-1, -1]
    if (isApart(a.tree.bounds, b.tree.bounds, this.reach)) return this.reach
    const least = this.#least(a, b, this.reach, nearest)
    const turned = nearest && { triangles: [-1, -1] as [number, number], weights: new Float64Array(6) }
    const both = this.#least(b, a, least, turned)
    if (nearest && turned && turned.triangles[0] >= 0) {
      nearest.triangles = [turned.triangles[1], turned.triangles[0]]
      nearest.weights.set([...turned.weights.subarray(3), ...turned.weights.subarray(0, 3)])
    }
    return Math.max(-this.reach, both)
  }

  /** Least signed distance of vertices of one part from another, if it is less than `least`. */
  #least(part: Part, other: Part, least: number, nearest: NearestOfParts | undefined): number {
    const { reach } = this
    const { bounds } = other.tree
    const x = part.positions
    const { closest } = other
    const skipped = part.skipped.get(other)
    for (let i = 0; i < part.samples.length; i++) {
      const v = 3 * part.samples[i]
      if (isOutside(bounds, x[v], x[v + 1], x[v + 2], reach)) continue
      closest.find(x[v], x[v + 1], x[v + 2], reach * reach)
      if (closest.slot < 0) continue
      let isInside = false
      if (skipped?.[i]?.[closest.slot] === 1) {
        // Which side of the rest it lies on, a neighbour's nearest point does not tell.
        closest.find(x[v], x[v + 1], x[v + 2], reach * reach, skipped[i])
        if (closest.slot < 0) continue
      } else isInside = this.#isBehind(other, x[v], x[v + 1], x[v + 2])
      const signed = isInside ? -Math.sqrt(closest.squared) : Math.sqrt(closest.squared)
      if (!(signed < least)) continue
      least = signed
      if (nearest) this.#writeNearest(part, i, other, nearest)
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

  #writeNearest(part: Part, sample: number, { closest, tree, triangles }: Part, out: NearestOfParts): void {
    const own = part.trianglesOfSamples[sample]
    const vertex = part.vertices[part.samples[sample]]
    out.triangles = [own, triangles[tree.triangleOfSlot[closest.slot]]]
    for (let k = 0; k < 3; k++) out.weights[k] = this.#triangles[3 * own + k] === vertex ? 1 : 0
    writeWeights(tree.corners, 9 * closest.slot, [closest.x, closest.y, closest.z], out.weights, 3)
  }
}

/** Triangles of one part, and the vertices that stand for it. */
interface Part {
  tree: TriangleTree
  closest: ClosestPoint
  /** Its triangles by their numbers in the mesh; the tree counts them from zero, and its vertices too. */
  triangles: Uint32Array
  vertices: Uint32Array
  /** Where these are. */
  positions: Float64Array
  /** Of its vertices those that are looked at, by their numbers in the part, and a triangle of it at each. */
  samples: Uint32Array
  trianglesOfSamples: Uint32Array
  /** For each sample 1 for each slot of another part that it is left alone with; undefined if there is none. */
  skipped: Map<Part, (Uint8Array | undefined)[]>
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
  return { tree, closest, triangles, vertices, positions, samples, trianglesOfSamples, skipped: new Map() }
}

function gather(from: Floats, vertices: Uint32Array, out: Float64Array): void {
  for (let i = 0; i < vertices.length; i++) {
    for (let axis = 0; axis < 3; axis++) out[3 * i + axis] = from[3 * vertices[i] + axis]
  }
}

/** Fills `skipped` of all parts. */
function leaveAlone(parts: readonly (Part | undefined)[], rule: NeighbourRule): void {
  const slotOf = new Uint32Array(rule.parts.length)
  for (const part of parts)
    part?.tree.triangleOfSlot.forEach((own, slot) => {
      slotOf[part.triangles[own]] = slot
    })
  for (const part of parts) {
    part?.trianglesOfSamples.forEach((triangle, sample) => {
      for (const close of rule.closeTo(triangle)) {
        const other = parts[rule.parts[close]]!
        if (!part.skipped.has(other)) part.skipped.set(other, new Array(part.samples.length))
        const lists = part.skipped.get(other)!
        lists[sample] ??= new Uint8Array(other.triangles.length)
        lists[sample][slotOf[close]] = 1
      }
    })
  }
}

function isApart(a: Float64Array, b: Float64Array, reach: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (a[axis] - b[axis + 3] > reach || b[axis] - a[axis + 3] > reach) return true
  }
  return false
}

function isOutside(b: Float64Array, px: number, py: number, pz: number, reach: number): boolean {
  const [x, y, z] = [Math.max(b[0] - px, px - b[3]), Math.max(b[1] - py, py - b[4]), Math.max(b[2] - pz, pz - b[5])]
  return Math.max(x, y, z) > reach
}

/** Of a point in a triangle, by areas; of one without area those of its middle. */
function writeWeights(c: Float64Array, o: number, p: readonly number[], out: Float64Array, at: number): void {
  const corner = (k: number): number[] => [0, 1, 2].map((axis) => c[o + 3 * (k % 3) + axis])
  const whole = areaOf(corner(0), corner(1), corner(2))
  const square = dot(whole, whole)
  for (let k = 0; k < 3; k++) {
    out[at + k] = square > 0 ? dot(areaOf(p, corner(k + 1), corner(k + 2)), whole) / square : 1 / 3
  }
}

function areaOf(a: readonly number[], b: readonly number[], c: readonly number[]): number[] {
  const [u, v] = [b, c].map((end) => end.map((value, axis) => value - a[axis]))
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
