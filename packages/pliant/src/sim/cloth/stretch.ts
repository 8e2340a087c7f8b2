/**
 * Stretch and shear: one XPBD distance constraint per edge (Macklin et al. 2016, Eq. 18 with one iteration, so that
 * the multiplier starts at zero). Edges of a triangle mesh fix all in-plane strain; diagonals of grid-like meshes get
 * their own stiffness, since woven cloth shears more easily than it stretches along its threads.
 */
import type { Floats } from '../../math/floats.js'
import type { ClothSettings } from './cloth-options.js'
import { colourOrder } from './colouring.js'
import type { ClothEdges } from './hinges.js'

/** An edge longer than this multiple of every other side of its triangles is a diagonal: 1.2 lies between 1 of an
 * equilateral and 1.41 of a right triangle. */
const DIAGONAL_RATIO = 1.2

export interface Stretch {
  readonly count: number
  /** First coordinates (3 x vertex number) of both ends, two per edge. */
  readonly ends: Int32Array
  /** [m] */
  readonly lengths: Float64Array
  /** [m/N] */
  readonly compliances: Float64Array
  /** Share of the error that each end takes, two per edge: w / (w_a + w_b + compliance / dt^2). */
  readonly shares: Float64Array
}

/**
 * An edge stands for the width (area of its triangles) / length, so that a right-angled grid pulled along its lines
 * stretches as a sheet of the given stiffness does; on other meshes this holds up to a factor near one.
 * @param areas  area of the triangles beside each edge [m^2]
 */
export function createStretch(rest: Floats, edges: ClothEdges, areas: Float64Array, settings: ClothSettings): Stretch {
  const vertexCount = rest.length / 3
  const order = colourOrder(edges.vertices, 2, vertexCount)
  const { count } = edges
  const stretch: Stretch = {
    count,
    ends: new Int32Array(2 * count),
    lengths: new Float64Array(count),
    compliances: new Float64Array(count),
    shares: new Float64Array(2 * count),
  }
  for (let k = 0; k < count; k++) {
    const edge = order[k]
    const a = edges.vertices[2 * edge]
    const b = edges.vertices[2 * edge + 1]
    const length = distance(rest, a, b)
    const stiffness = isDiagonal(rest, edges, edge) ? settings.shearStiffness : settings.stretchStiffness
    stretch.ends[2 * k] = 3 * a
    stretch.ends[2 * k + 1] = 3 * b
    stretch.lengths[k] = length
    stretch.compliances[k] = length > 0 && areas[edge] > 0 ? (length * length) / (stiffness * areas[edge]) : 0
  }
  return stretch
}

/** Whether an edge is clearly the longest side of all its triangles. */
export function isDiagonal(rest: Floats, edges: ClothEdges, edge: number): boolean {
  const a = edges.vertices[2 * edge]
  const b = edges.vertices[2 * edge + 1]
  const length = distance(rest, a, b)
  for (let side = 0; side < 2; side++) {
    const apex = edges.opposite[2 * edge + side]
    if (apex < 0) return false
    if (length < DIAGONAL_RATIO * Math.max(distance(rest, a, apex), distance(rest, b, apex))) return false
  }
  return true
}

/** To be called when the substep or an inverse mass changes. */
export function prepareStretch(stretch: Stretch, inverseMasses: Float64Array, dt: number): void {
  const { ends, shares, compliances } = stretch
  for (let k = 0; k < stretch.count; k++) {
    const wa = inverseMasses[ends[2 * k] / 3]
    const wb = inverseMasses[ends[2 * k + 1] / 3]
    const scale = wa + wb > 0 ? 1 / (wa + wb + compliances[k] / (dt * dt)) : 0
    shares[2 * k] = wa * scale
    shares[2 * k + 1] = wb * scale
  }
}

/**
 * Strains of release at which cloth at a moving limb is let go, squeezed or not: the limb has caught it on its far side. Without, a hand
 * that swept past a skirt left 99 J in it instead of 4 (docs/notes/cloth.md).
 */
const TORN = 3

/** What an edge's (length - rest) / length must exceed for a strain of release, and its length / rest to be torn. */
export function releaseAt(strain: number): { limit: number; torn: number } {
  return { limit: strain / (1 + strain), torn: 1 + TORN * strain }
}

/**
 * One Gauss-Seidel pass over all edges. Releases squeezed ends of edges that are stretched beyond a strain, and, at moving
 * limbs, all ends far beyond it: no place outside the body is near then, and cloth held there would tear.
 * @param isSqueezed  1 for vertices that may be released (squeezed.ts)
 * @param swept       1 for vertices at a moving part of the body, released when they are torn
 * @param released  receives 1 for those that are
 */
export function solveStretch(
  stretch: Stretch,
  x: Float64Array,
  strain: number,
  isSqueezed: Uint8Array,
  swept: Uint8Array,
  released: Uint8Array,
): void {
  const { count, ends, lengths, shares } = stretch
  released.fill(0)
  const { limit, torn } = releaseAt(strain)
  for (let k = 0; k < count; k++) {
    const a = ends[2 * k]
    const b = ends[2 * k + 1]
    const dx = x[b] - x[a]
    const dy = x[b + 1] - x[a + 1]
    const dz = x[b + 2] - x[a + 2]
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
    // Ends at one place have no direction; the next substep will have moved them apart.
    if (length === 0) continue
    const error = (length - lengths[k]) / length
    if (error > limit) {
      const isTorn = length > torn * lengths[k]
      if (isSqueezed[a / 3] === 1 || (isTorn && swept[a / 3] === 1)) released[a / 3] = 1
      if (isSqueezed[b / 3] === 1 || (isTorn && swept[b / 3] === 1)) released[b / 3] = 1
    }
    const toA = error * shares[2 * k]
    const toB = error * shares[2 * k + 1]
    x[a] += toA * dx
    x[a + 1] += toA * dy
    x[a + 2] += toA * dz
    x[b] -= toB * dx
    x[b + 1] -= toB * dy
    x[b + 2] -= toB * dz
  }
}

/** Elastic energy [J] of all edges with a finite stiffness. */
export function stretchEnergy({ count, ends, lengths, compliances }: Stretch, x: Floats): number {
  let energy = 0
  for (let k = 0; k < count; k++) {
    const error = distance(x, ends[2 * k] / 3, ends[2 * k + 1] / 3) - lengths[k]
    if (compliances[k] > 0) energy += (error * error) / (2 * compliances[k])
  }
  return energy
}

function distance(p: Floats, a: number, b: number): number {
  return Math.hypot(p[3 * a] - p[3 * b], p[3 * a + 1] - p[3 * b + 1], p[3 * a + 2] - p[3 * b + 2])
}
