/**
 * The surface of a field as triangles: dual contouring (Ju et al. 2002) over the cells of a grid that the surface passes. A
 * cell has one vertex, where the planes through the crossings of its edges meet best; so edges and corners of the body are
 * sharp, and its corners are vertices. For showing a field, and for the points that a solid is met with.
 *
 * Cells are found from coarse to fine: one is dropped where the field's bounds, or the way to the surface from its centre,
 * say that the surface is elsewhere.
 */
import { type Box, boxCentre, type Vec3 } from '../math/box.js'
import { invertPositive } from '../math/dense-inverse.js'
import { POSITIVE, settingsOf } from '../math/settings.js'
import type { TriangleMesh } from '../mesh/triangle-mesh.js'
import type { SignedField } from './signed-field.js'

/** How finely a field is contoured. */
export interface ContourOptions {
  /** Cells along the longest side of the box. */
  cells?: number
}
/** What is shown; contact takes fewer. */
export const CONTOUR_DEFAULTS = { cells: 48 } as const

/** Cells of a level at most: of a field that is flat all of them are kept. */
const MOST_CELLS = 1_000_000
/** How much faster than distances a field may change that does not say by how much. */
export const STEEPEST = 2
/** Halvings and secants of an edge: to 1e-6 of a cell. */
const CROSSING_STEPS = 12
const NEWTON_STEPS = 3
/** Added to planes of a cell, of one: where they leave a direction open, the vertex stays at the middle of its crossings. */
const MIDDLE_WEIGHT = 1e-3
/** Corners are off by so many powers of it. */
const ROUNDS = 3

/**
 * Triangles of the surface within a box, outward; open where it leaves the box.
 * @param box  around the solid [m]; the field is asked a cell beyond it
 * @throws RangeError if the box has no end or no size, or there is no surface in it
 */
export function contourField(field: SignedField, box: Box, options: ContourOptions = {}): TriangleMesh {
  const { cells } = settingsOf<Required<ContourOptions>>('contour', options, CONTOUR_DEFAULTS, { cells: POSITIVE })
  const grid = gridAround(box, Math.ceil(cells))
  const leaves = surfaceCells(field, grid)
  const nodes = new NodeValues(field, grid, leaves)
  const edges = crossedEdges(field, grid, nodes, leaves)
  const vertices = cellVertices(grid, edges)
  const triangles = facesOf(grid, edges, vertices.ofCell)
  if (triangles.length === 0) throw new RangeError(`contour: ${whyNoSurface(field, box)}.`)
  ontoSurface(field, vertices.positions, grid.cell)
  return { positions: vertices.positions, triangles }
}

/** Points of a side of the box that a field without a surface is asked at. */
const ASKED = 9

/** What is wrong with a field, and what to do. */
function whyNoSurface(field: SignedField, { lower, upper }: Box): string {
  const points = Float64Array.from({ length: 3 * ASKED ** 3 }, (_, i) => {
    const [axis, n] = [i % 3, Math.trunc(i / 3)]
    const share = (Math.trunc(n / ASKED ** axis) % ASKED) / (ASKED - 1)
    return lower[axis] + share * (upper[axis] - lower[axis])
  })
  const values = new Float64Array(ASKED ** 3)
  field.query(points, values.length, values)
  const wrong = values.findIndex((value) => !Number.isFinite(value))
  if (wrong >= 0) {
    const place = [...points.subarray(3 * wrong, 3 * wrong + 3)].map((value) => Number(value.toPrecision(4))).join(', ')
    return `the field answers ${values[wrong]} at ${place}; give one that answers finite numbers in its box`
  }
  const inside = values.filter((value) => value <= 0).length
  if (inside === 0)
    return 'the field has no surface in the box, all of which is outside; give the box that holds the body'
  if (inside === values.length) return 'the field has no surface in the box, all of which is inside; give a larger box'
  return "the field's values change sign in the box, but are far larger than distances are; divide them by their slope"
}

/** Cells are named by their first node; so are edges, with their axis. */
interface Grid {
  origin: Vec3
  cell: number
  /** A power of two, of which all levels are halves. */
  side: number
}

function gridAround(box: Box, cells: number): Grid {
  const longest = Math.max(...[0, 1, 2].map((axis) => box.upper[axis] - box.lower[axis]))
  if (!(longest > 0 && longest < Infinity)) {
    throw new RangeError(`contour: the box is ${longest} m long; give one with a size and an end.`)
  }
  const cell = longest / cells
  const side = 2 ** Math.ceil(Math.log2(cells + 2))
  // Off the round: planes of the grid would else lie in the faces of boxes, where the sign is a matter of rounding.
  const shift = [0.318, 0.271, 0.439]
  const centre = boxCentre(box)
  return { origin: centre.map((c, axis) => c - (side / 2 - 0.5 + shift[axis]) * cell) as unknown as Vec3, cell, side }
}

const nodeNumber = ({ side }: Grid, i: number, j: number, k: number): number => i + (side + 1) * (j + (side + 1) * k)
const nodePlace = ({ side }: Grid, node: number): Vec3 => [
  node % (side + 1),
  Math.trunc(node / (side + 1)) % (side + 1),
  Math.trunc(node / (side + 1) ** 2),
]

/** First nodes of all cells that the surface may pass. */
function surfaceCells(field: SignedField, grid: Grid): number[] {
  const { origin, cell } = grid
  // Of one that only knows that it may be steeper its bounds alone decide.
  const steepest = Math.max(STEEPEST, (field as { slope?: number }).slope ?? 0)
  let level: [number, number, number][] = [[0, 0, 0]]
  for (let size = grid.side; ; size /= 2) {
    const kept: [number, number, number][] = []
    const centres = Float64Array.from(level.flatMap((at) => at.map((i, k) => origin[k] + cell * (i + size / 2))))
    const distances = new Float64Array(level.length)
    field.query(centres, level.length, distances)
    const reach = (steepest * Math.sqrt(3) * size * cell) / 2
    level.forEach((at, i) => {
      if (Math.abs(distances[i]) > reach) return
      const lower = at.map((index, k) => origin[k] + cell * index) as unknown as Vec3
      const bounds = field.bounds({ lower, upper: lower.map((low) => low + cell * size) as unknown as Vec3 })
      if (!bounds || (bounds[0] <= 0 && bounds[1] >= 0)) kept.push(at)
    })
    if (size === 1) return kept.map(([i, j, k]) => nodeNumber(grid, i, j, k))
    if (8 * kept.length > MOST_CELLS) {
      throw new RangeError(`contour: more than ${MOST_CELLS} cells; give fewer along the longest side.`)
    }
    const half = size / 2
    level = kept.flatMap(([i, j, k]) =>
      Array.from({ length: 8 }, (_, octant): [number, number, number] => [
        i + (octant & 1) * half,
        j + ((octant >> 1) & 1) * half,
        k + ((octant >> 2) & 1) * half,
      ]),
    )
  }
}

/** Distances at the corners of cells. */
class NodeValues {
  readonly #values = new Map<number, number>()

  constructor(field: SignedField, grid: Grid, cells: readonly number[]) {
    const nodes = new Set<number>()
    for (const cell of cells) for (const step of cornerSteps(grid)) nodes.add(cell + step)
    const all = [...nodes]
    const places = new Float64Array(3 * all.length)
    all.forEach((node, i) => {
      places.set(
        nodePlace(grid, node).map((index, axis) => grid.origin[axis] + grid.cell * index),
        3 * i,
      )
    })
    const distances = new Float64Array(all.length)
    field.query(places, all.length, distances)
    all.forEach((node, i) => {
      this.#values.set(node, distances[i])
    })
  }

  of(node: number): number {
    return this.#values.get(node)!
  }
}

/** Edges whose ends are on different sides. */
interface Edges {
  /** First node and axis of each. */
  nodes: number[]
  axes: number[]
  /** Whether the first end is inside. */
  isOutward: boolean[]
  /** Where they cross [m], and the normals there. */
  points: Float64Array
  normals: Float64Array
}

function crossedEdges(field: SignedField, grid: Grid, values: NodeValues, cells: readonly number[]): Edges {
  const strides = stridesOf(grid)
  const found = new Map<number, { node: number; axis: number }>()
  for (const cell of cells) {
    for (let axis = 0; axis < 3; axis++) {
      const [u, v] = [strides[(axis + 1) % 3], strides[(axis + 2) % 3]]
      for (const step of [0, u, v, u + v]) {
        const node = cell + step
        if (values.of(node) < 0 !== values.of(node + strides[axis]) < 0) found.set(3 * node + axis, { node, axis })
      }
    }
  }
  const all = [...found.values()]
  const count = all.length
  const ends = [0, 1].map((end) => Float64Array.from(all, ({ node, axis }) => values.of(node + end * strides[axis])))
  const shares = [new Float64Array(count), new Float64Array(count).fill(1)]
  const points = new Float64Array(3 * count)
  const distances = new Float64Array(count)
  const bases = all.map(({ node }) => nodePlace(grid, node))
  const write = (share: (i: number) => number): void => {
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) {
        points[3 * i + k] = grid.origin[k] + grid.cell * (bases[i][k] + (k === all[i].axis ? share(i) : 0))
      }
    }
  }
  const between = (i: number, isHalving: boolean): number => {
    const [a, b] = [shares[0][i], shares[1][i]]
    if (isHalving) return (a + b) / 2
    const share = ends[0][i] / (ends[0][i] - ends[1][i])
    return Number.isFinite(share) ? a + (b - a) * share : (a + b) / 2
  }
  for (let step = 0; step < CROSSING_STEPS; step++) {
    // Secants alone creep where a field is bent; every third step halves.
    const tried = Float64Array.from({ length: count }, (_, i) => between(i, step % 3 === 2))
    write((i) => tried[i])
    field.query(points, count, distances)
    for (let i = 0; i < count; i++) {
      const end = distances[i] < 0 === ends[0][i] < 0 ? 0 : 1
      ends[end][i] = distances[i]
      shares[end][i] = tried[i]
    }
  }
  write((i) => between(i, false))
  const normals = new Float64Array(3 * count)
  field.query(points, count, distances, normals)
  for (let i = 0; i < 3 * count; i += 3) {
    const size = Math.hypot(normals[i], normals[i + 1], normals[i + 2])
    for (let k = i; k < i + 3; k++) normals[k] = size > 0 ? normals[k] / size : 0
  }
  return {
    nodes: all.map(({ node }) => node),
    axes: all.map(({ axis }) => axis),
    isOutward: all.map(({ node }) => values.of(node) < 0),
    points,
    normals,
  }
}

/** One vertex for each cell with a crossed edge: the least squares of the planes through its crossings. */
function cellVertices(grid: Grid, edges: Edges): { positions: Float64Array; ofCell: Map<number, number> } {
  const crossings = new Map<number, number[]>()
  edges.nodes.forEach((_, edge) => {
    for (const cell of cellsAround(grid, edges, edge)) {
      const list = crossings.get(cell)
      if (list) list.push(edge)
      else crossings.set(cell, [edge])
    }
  })
  const positions = new Float64Array(3 * crossings.size)
  const ofCell = new Map<number, number>()
  for (const [cell, list] of crossings) {
    const vertex = ofCell.size
    ofCell.set(cell, vertex)
    positions.set(meetingPlace(grid, cell, edges, list), 3 * vertex)
  }
  return { positions, ofCell }
}

const _matrix = new Float64Array(9)
const _inverse = new Float64Array(9)

function meetingPlace(grid: Grid, cell: number, { points, normals }: Edges, list: readonly number[]): Vec3 {
  const at = nodePlace(grid, cell)
  let place = [0, 1, 2].map((k) => list.reduce((sum, edge) => sum + points[3 * edge + k], 0) / list.length)
  _matrix.fill(0)
  for (const edge of list) {
    const normal = normals.subarray(3 * edge, 3 * edge + 3)
    for (let i = 0; i < 9; i++) _matrix[i] += normal[Math.trunc(i / 3)] * normal[i % 3]
  }
  for (let i = 0; i < 9; i += 4) _matrix[i] += MIDDLE_WEIGHT
  if (!invertPositive(_matrix, 3, _inverse)) return place as unknown as Vec3
  // Again from where it came to: what holds a vertex in the middle holds it less each time, but along open directions.
  for (let round = 0; round < ROUNDS; round++) {
    const right = [0, 0, 0]
    for (const edge of list) {
      const normal = normals.subarray(3 * edge, 3 * edge + 3)
      const along = normal.reduce((sum, n, k) => sum + n * (points[3 * edge + k] - place[k]), 0)
      for (let i = 0; i < 3; i++) right[i] += normal[i] * along
    }
    place = place.map((value, i) => {
      const low = grid.origin[i] + grid.cell * at[i]
      const moved = value + right.reduce((sum, r, j) => sum + _inverse[3 * i + j] * r, 0)
      // Beyond its cell it would cross its neighbours.
      return Math.min(Math.max(moved, low), low + grid.cell)
    })
  }
  return place as unknown as Vec3
}

/** Newton steps x - f g / |g|^2: planes are only near a surface that is bent. */
function ontoSurface(field: SignedField, positions: Float64Array, cell: number): void {
  const count = positions.length / 3
  const [distances, gradients] = [new Float64Array(count), new Float64Array(3 * count)]
  for (let step = 0; step < NEWTON_STEPS; step++) {
    field.query(positions, count, distances, gradients)
    for (let i = 0; i < count; i++) {
      const [x, y, z] = gradients.subarray(3 * i, 3 * i + 3)
      const squared = x * x + y * y + z * z
      // A tip that planes overshot is at most a cell away; where a field is flat, they knew better.
      if (!(distances[i] ** 2 < squared * (2 * cell) ** 2)) continue
      for (let k = 0; k < 3; k++) positions[3 * i + k] -= (distances[i] * gradients[3 * i + k]) / squared
    }
  }
}

/** Two triangles around each crossed edge; none where a cell beyond the grid is missing. */
function facesOf(grid: Grid, edges: Edges, ofCell: ReadonlyMap<number, number>): Uint32Array {
  const triangles: number[] = []
  edges.nodes.forEach((_, edge) => {
    const [a, b, c, d] = cellsAround(grid, edges, edge).map((cell) => ofCell.get(cell)!)
    if (edges.isOutward[edge]) triangles.push(a, b, c, a, c, d)
    else triangles.push(a, c, b, a, d, c)
  })
  return Uint32Array.from(triangles)
}

/** The four cells of an edge, counterclockwise about its axis. */
function cellsAround(grid: Grid, { nodes, axes }: Edges, edge: number): number[] {
  const strides = stridesOf(grid)
  const [u, v] = [strides[(axes[edge] + 1) % 3], strides[(axes[edge] + 2) % 3]]
  return [nodes[edge] - u - v, nodes[edge] - v, nodes[edge], nodes[edge] - u]
}

function stridesOf({ side }: Grid): Vec3 {
  return [1, side + 1, (side + 1) ** 2]
}

function cornerSteps(grid: Grid): number[] {
  const [x, y, z] = stridesOf(grid)
  return [0, x, y, x + y, z, x + z, y + z, x + y + z]
}
