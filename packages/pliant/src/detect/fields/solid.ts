/**
 * A field made ready to meet others: points of its surface, each for a share of the area, in groups that are near each
 * other. Found once per field, in its own frame, by contouring (field/contour.ts): corners and edges are among the points, so
 * that a box rests on its corners.
 *
 * It stands in for what Liu et al. choose by hand, detection points on protrusions (section 4.2): a body that reaches no
 * further between its points than `reach` cannot be in another whose distance at all of them is more than that.
 */
import { contourField, STEEPEST } from '../../field/contour.js'
import type { SignedField } from '../../field/signed-field.js'
import { type Box, boxDiagonal, boxExpand } from '../../math/box.js'
import { shown } from '../../math/require.js'
import { POSITIVE, POSITIVE_OR_INFINITE, settingsOf } from '../../math/settings.js'
import { edgeTable } from '../../mesh/adjacency.js'
import { requireHeld } from './held-by-box.js'
import { innerPoints } from './shared-room.js'

/** How finely a solid is met. */
export interface SolidOptions {
  /** Points of its surface along its longest side, about: 20 of a simple shape, 40 of one with claws, ears or horns. */
  cells?: number
  /** How far from the surface the field tells distances [m]: `truncation` of a trained file, half the width of a narrow band. */
  band?: number
}
/** A body 20 points long has some 1,500; what lies between them is found from them. */
export const SOLID_DEFAULTS = { cells: 20, band: Infinity } as const

/** A field with points of its surface. */
export interface Solid {
  /** In its own frame. */
  readonly field: SignedField
  /** A box that holds it [m]; infinite where it is, and then it has no points. */
  readonly box: Box
  /** Diagonal of the box [m]. */
  readonly size: number
  /** Points of its surface [m], xyz triples. */
  readonly points: Float64Array
  /** Area that each point stands for [m^2], as a vector along its outward normal, xyz triples. */
  readonly facings: Float64Array
  /** How far from the surface the field tells distances [m]. */
  readonly band: number
  /** Most that it changes by per metre of way, as far as is known: 1 of distances. */
  readonly slope: number
  /** Points deep inside [m], xyz triples, and how deep each is [m]. */
  readonly inner: { readonly points: Float64Array; readonly depths: Float64Array }
  /** Every part of the surface that was seen is nearer to a point than this [m]. */
  readonly reach: number
  /** Points next to each one on the surface: those of `i` from `starts[i]` to `starts[i + 1]`. */
  readonly neighbours: { readonly starts: Uint32Array; readonly points: Uint32Array }
  /** Groups of points that lie together, one after the other: centre and radius [m], and where each begins. */
  readonly groups: { readonly centres: Float64Array; readonly radii: Float64Array; readonly starts: Uint32Array }
}

/** Points of a group, about: a group is ruled out by one question. */
const GROUP = 16
/** Share of a surface's points at which a field may be steeper than its slope: networks are, here and there. */
const STEEP_SHARE = 0.1
/** What is taken for the slope of fields that say they do not know it: twisted and bent ones change by 2, about. */
const LEAST_OF_UNKNOWN = 4

/**
 * Finds the points of a solid.
 * @param box  holds the body; without an end, as of a half-space, the solid has no points, and meets others by theirs
 * @throws RangeError if there is no surface in the box or the body goes on beyond it, the field's values are far from
 *         distances, or an option is wrong
 */
export function solidOf(field: SignedField, box: Box, options: SolidOptions = {}): Solid {
  const rules = { cells: POSITIVE, band: POSITIVE_OR_INFINITE }
  const { cells, band } = settingsOf<Required<SolidOptions>>('solid', options, SOLID_DEFAULTS, rules)
  requireBox(box)
  if (![...box.lower, ...box.upper].every(Number.isFinite)) return endless(field, box, band)
  const size = boxDiagonal(box)
  const around = boxExpand(box, 1e-3 * size)
  const { positions, triangles } = contourField(field, around, { cells })
  requireHeld(field, around, size, cells, band)
  const order = groupedOrder(positions as Float64Array)
  const place = new Uint32Array(order.length)
  order.forEach((vertex, i) => {
    place[vertex] = i
  })
  const corners = triangles.map((vertex) => place[vertex])
  const points = Float64Array.from(order.flatMap((vertex) => [...positions.subarray(3 * vertex, 3 * vertex + 3)]))
  const facings = pointFacings(points, corners)
  const reach = reachOf(field, points, corners)
  return {
    ...{ field, box, size, points, facings, reach, band },
    slope: slopeAt(field, points),
    inner: innerPoints(field, points, facings, reach, size),
    neighbours: neighboursOf(corners, order.length),
    groups: groupsOf(points),
  }
}

function requireBox({ lower, upper }: Box): void {
  for (let k = 0; k < 3; k++) {
    if (lower[k] <= upper[k]) continue
    throw new RangeError(`solid: the box goes from ${shown(lower[k])} to ${shown(upper[k])}; give its lower end first.`)
  }
}

/** Most that a field changes by per metre of way, as it says itself or as it does at its surface. */
function slopeAt(field: SignedField, points: Float64Array): number {
  const told = (field as { slope?: number }).slope
  if (told !== undefined && told < Infinity) return Math.max(1, told)
  const count = points.length / 3
  const [values, gradients] = [new Float64Array(count), new Float64Array(3 * count)]
  field.query(points, count, values, gradients)
  const slopes = values.map((_, i) => Math.hypot(gradients[3 * i], gradients[3 * i + 1], gradients[3 * i + 2]))
  const seen = slopes.sort()[Math.floor((1 - STEEP_SHARE) * count)] || 0
  if (told !== undefined) return Math.max(LEAST_OF_UNKNOWN, seen)
  if (seen <= STEEPEST) return Math.max(1, seen)
  throw new RangeError(
    `solid: the field changes by ${Number(seen.toPrecision(3))} m per metre at its surface; give distances, or say its slope.`,
  )
}

function endless(field: SignedField, box: Box, band: number): Solid {
  const none = new Float64Array(0)
  return {
    ...{ field, box, size: Infinity, points: none, facings: none, reach: 0, band },
    slope: Math.min(Math.max((field as { slope?: number }).slope ?? 1, 1), LEAST_OF_UNKNOWN),
    inner: { points: none, depths: none },
    neighbours: { starts: new Uint32Array(1), points: new Uint32Array(0) },
    groups: { centres: none, radii: none, starts: new Uint32Array(1) },
  }
}

/** Vertices in an order in which every `GROUP` of them lie together: halved along the longest side, again and again. */
function groupedOrder(positions: Float64Array): number[] {
  const halve = (vertices: number[]): number[] => {
    if (vertices.length <= GROUP) return vertices
    const [low, high] = [Math.min, Math.max].map((pick) =>
      [0, 1, 2].map((k) =>
        vertices.reduce((end, vertex) => pick(end, positions[3 * vertex + k]), positions[3 * vertices[0] + k]),
      ),
    )
    const sides = [0, 1, 2].map((k) => high[k] - low[k])
    const axis = sides.indexOf(Math.max(...sides))
    const sorted = vertices.sort((a, b) => positions[3 * a + axis] - positions[3 * b + axis] || a - b)
    // Whole groups to the left, so that groups can be told by their number.
    const left = GROUP * Math.ceil(sorted.length / GROUP / 2)
    return [...halve(sorted.slice(0, left)), ...halve(sorted.slice(left))]
  }
  return halve(Array.from({ length: positions.length / 3 }, (_, i) => i))
}

function groupsOf(points: Float64Array): Solid['groups'] {
  const count = points.length / 3
  const groups = Math.ceil(count / GROUP)
  const starts = Uint32Array.from({ length: groups + 1 }, (_, group) => Math.min(group * GROUP, count))
  const centres = new Float64Array(3 * groups)
  const radii = new Float64Array(groups)
  for (let group = 0; group < groups; group++) {
    const [first, last] = [starts[group], starts[group + 1]]
    for (let i = first; i < last; i++) {
      for (let k = 0; k < 3; k++) centres[3 * group + k] += points[3 * i + k] / (last - first)
    }
    for (let i = first; i < last; i++) {
      radii[group] = Math.max(radii[group], way(points, i, centres, group))
    }
  }
  return { centres, radii, starts }
}

function neighboursOf(corners: Uint32Array, count: number): Solid['neighbours'] {
  const ends = edgeTable(corners, count).vertices
  const starts = new Uint32Array(count + 1)
  for (const end of ends) starts[end + 1]++
  for (let i = 0; i < count; i++) starts[i + 1] += starts[i]
  const next = starts.slice()
  const points = new Uint32Array(ends.length)
  for (let edge = 0; edge < ends.length; edge += 2) {
    points[next[ends[edge]]++] = ends[edge + 1]
    points[next[ends[edge + 1]]++] = ends[edge]
  }
  return { starts, points }
}

/** A third of every triangle for each of its corners. */
function pointFacings(points: Float64Array, corners: Uint32Array): Float64Array {
  const facings = new Float64Array(points.length)
  for (let t = 0; t < corners.length; t += 3) {
    const [a, b, c] = [corners[t], corners[t + 1], corners[t + 2]]
    const [u, v] = [b, c].map((end) => [0, 1, 2].map((k) => points[3 * end + k] - points[3 * a + k]))
    const six = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    for (const corner of [a, b, c]) for (let k = 0; k < 3; k++) facings[3 * corner + k] += six[k] / 6
  }
  return facings
}

/** How far a triangle reaches from its corners at most, and how far the surface is from it, told by its middle. */
function reachOf(field: SignedField, points: Float64Array, corners: Uint32Array): number {
  const count = corners.length / 3
  const middles = Float64Array.from({ length: 3 * count }, (_, i) => {
    const [t, k] = [Math.trunc(i / 3), i % 3]
    return (
      (points[3 * corners[3 * t] + k] + points[3 * corners[3 * t + 1] + k] + points[3 * corners[3 * t + 2] + k]) / 3
    )
  })
  const distances = new Float64Array(count)
  field.query(middles, count, distances)
  let reach = 0
  for (let t = 0; t < count; t++) {
    let spread = Math.abs(distances[t])
    for (let k = 0; k < 3; k++) spread = Math.max(spread, way(points, corners[3 * t + k], middles, t))
    reach = Math.max(reach, spread + Math.abs(distances[t]))
  }
  return reach
}

function way(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return Math.hypot(a[3 * i] - b[3 * j], a[3 * i + 1] - b[3 * j + 1], a[3 * i + 2] - b[3 * j + 2])
}
