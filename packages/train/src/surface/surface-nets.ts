/**
 * The boundary of a solid that is given by an inside test: a closed mesh with one vertex in each cell of a grid for
 * each sheet of surface that passes through it (surface nets, split so that every edge has two triangles).
 *
 * Only cells near the surface are looked at: from seeds, the surface is followed from cell to cell. Where inside
 * corners of a cell's face meet only across its diagonal, an outside corner is filled: no face is ambiguous then, two
 * cells share at most one edge of the mesh, and the mesh is a manifold.
 */
import { type Box, boxExpand } from 'pliant'

export interface NetsOptions {
  /** Side of a cell [m]. */
  cell: number
  /** Called now and then; may throw to stop. */
  pause?: () => Promise<void>
}

export interface NetsMesh {
  positions: Float64Array
  triangles: Uint32Array
  /** Lower corner of each vertex's cell [m], xyz triples: vertices may be moved within their cells. */
  cells: Float64Array
  /** Corners filled because of a face that met itself across a diagonal. */
  filled: number
}

/** Where along a grid edge the surface may lie: not so near a node that vertices of its cells coincide. */
const NODE_CLEARANCE = 0.04
/** Halvings of a grid edge: 1/128 of a cell. */
const HALVINGS = 7
/** Cells between pauses. */
const PAUSE_EVERY = 4096

/**
 * @param box     around the solid
 * @param inside  the solid
 * @param seeds   points [m] such that every part of the surface passes through the cell of one of them
 */
export async function surfaceNets(
  box: Box,
  inside: (x: number, y: number, z: number) => boolean,
  seeds: Float64Array,
  options: NetsOptions,
): Promise<NetsMesh> {
  const grid = new Grid(box, inside, options.cell)
  for (let i = 0; i < seeds.length; i += 3) grid.seed(seeds[i], seeds[i + 1], seeds[i + 2])
  for (let count = 1; grid.follow(); count++) if (count % PAUSE_EVERY === 0) await options.pause?.()
  const mesh = new NetsBuilder(grid)
  let count = 0
  for (const cell of grid.surfaceCells()) {
    mesh.addCell(cell)
    if (++count % PAUSE_EVERY === 0) await options.pause?.()
  }
  mesh.addFaces()
  return mesh.finish()
}

const OUTSIDE = 1
const INSIDE = 2

/** Signs of nodes, known where they were needed. Corner c of a cell has bits x, y, z; so have all offsets below. */
class Grid {
  readonly size: [number, number, number]
  readonly origin: number[]
  readonly strides: [number, number, number]
  /** Step from a cell's first node to corner c. */
  readonly cornerSteps: Int32Array
  filled = 0
  readonly #nodes: Uint8Array
  /** 1 if waiting, 2 if looked at. Cells are named by their first node. */
  readonly #cells: Uint8Array
  readonly #waiting: number[] = []

  constructor(
    box: Box,
    readonly inside: (x: number, y: number, z: number) => boolean,
    readonly cell: number,
  ) {
    const room = boxExpand(box, 3 * cell)
    // Off the round: grid planes would else lie in the faces of boxes, where inside is a matter of rounding.
    this.origin = [0.318, 0.271, 0.439].map((share, axis) => room.lower[axis] - share * cell)
    this.size = [0, 1, 2].map((axis) => Math.ceil((room.upper[axis] - this.origin[axis]) / cell) + 2) as never
    this.strides = [1, this.size[0], this.size[0] * this.size[1]]
    const count = this.strides[2] * this.size[2]
    this.#nodes = new Uint8Array(count)
    this.#cells = new Uint8Array(count)
    this.cornerSteps = Int32Array.from({ length: 8 }, (_, c) =>
      this.strides.reduce((sum, stride, axis) => sum + ((c >> axis) & 1) * stride, 0),
    )
  }

  seed(x: number, y: number, z: number): void {
    const at = [x, y, z].map((value, axis) => Math.floor((value - this.origin[axis]) / this.cell))
    if (at.every((i, axis) => i >= 1 && i < this.size[axis] - 2)) this.#wait(this.#number(at[0], at[1], at[2]))
  }

  /** Looks at one waiting cell; false if there is none. */
  follow(): boolean {
    const cell = this.#waiting.pop()
    if (cell === undefined) return false
    this.#cells[cell] = 2
    const mask = this.maskOf(cell)
    if (mask === 0 || mask === 255) return true
    for (let face = 0; face < 6; face++) {
      const [a, b, c, d] = FACES[face]
      const corners = [a, b, c, d].map((corner) => (mask >> corner) & 1)
      if (corners.every((bit) => bit === corners[0])) continue
      if (corners[0] === corners[2] && corners[1] === corners[3]) {
        this.#fill(cell + this.cornerSteps[corners[0] === 0 ? a : b])
        return true
      }
      const axis = face >> 1
      const neighbour = cell + (face & 1 ? this.strides[axis] : -this.strides[axis])
      if (this.#cells[neighbour] === 0 && !this.#atEdge(neighbour)) this.#wait(neighbour)
    }
    return true
  }

  /** Bit c: corner c is inside. */
  maskOf(cell: number): number {
    let mask = 0
    for (let corner = 0; corner < 8; corner++) if (this.isInside(cell + this.cornerSteps[corner])) mask |= 1 << corner
    return mask
  }

  isInside(node: number): boolean {
    if (this.#nodes[node] === 0) {
      this.#nodes[node] = this.inside(this.place(node, 0), this.place(node, 1), this.place(node, 2)) ? INSIDE : OUTSIDE
    }
    return this.#nodes[node] === INSIDE
  }

  place(node: number, axis: number): number {
    return this.origin[axis] + this.cell * (Math.floor(node / this.strides[axis]) % this.size[axis])
  }

  *surfaceCells(): Generator<number> {
    for (let cell = 0; cell < this.#cells.length; cell++) {
      if (this.#cells[cell] !== 2) continue
      const mask = this.maskOf(cell)
      if (mask !== 0 && mask !== 255) yield cell
    }
  }

  #fill(node: number): void {
    this.#nodes[node] = INSIDE
    this.filled++
    for (const step of this.cornerSteps) if (!this.#atEdge(node - step)) this.#wait(node - step)
  }

  #wait(cell: number): void {
    if (this.#cells[cell] === 1) return
    this.#cells[cell] = 1
    this.#waiting.push(cell)
  }

  /** Cells at the border of the grid are never entered: a margin of outside keeps the surface away from them. */
  #atEdge(cell: number): boolean {
    return this.size.some((size, axis) => {
      const i = Math.floor(cell / this.strides[axis]) % size
      return i < 1 || i >= size - 2
    })
  }

  #number(i: number, j: number, k: number): number {
    return i + this.strides[1] * j + this.strides[2] * k
  }
}

class NetsBuilder {
  readonly #positions: number[] = []
  readonly #cells: number[] = []
  readonly #triangles: number[] = []
  readonly #firstVertex = new Map<number, number>()
  readonly #masks = new Map<number, number>()
  /** Crossings by 3 * node + axis: the place on the edge, in cells from the node. */
  readonly #crossings = new Map<number, number>()

  constructor(private readonly grid: Grid) {}

  /** A vertex for each loop of crossed edges: the mean of where the surface crosses them. */
  addCell(cell: number): void {
    const { grid } = this
    const mask = grid.maskOf(cell)
    const { loops, loopOfEdge } = LOOPS[mask]
    this.#firstVertex.set(cell, this.#positions.length / 3)
    this.#masks.set(cell, mask)
    for (let loop = 0; loop < loops; loop++) {
      const mean = [0, 0, 0]
      let count = 0
      for (let edge = 0; edge < 12; edge++) {
        if (loopOfEdge[edge] !== loop) continue
        const node = cell + grid.cornerSteps[EDGE_CORNERS[edge][0]]
        const axis = edge >> 2
        for (let k = 0; k < 3; k++) mean[k] += grid.place(node, k)
        mean[axis] += grid.cell * this.#crossing(node, axis)
        count++
      }
      for (let k = 0; k < 3; k++) {
        this.#positions.push(mean[k] / count)
        this.#cells.push(grid.place(cell, k))
      }
    }
  }

  /** Two triangles for each crossed edge, among the vertices of the four cells around it. */
  addFaces(): void {
    const { grid } = this
    const quad = [0, 0, 0, 0]
    for (const key of this.#crossings.keys()) {
      const node = Math.floor(key / 3)
      const axis = key % 3
      const [b, c] = [grid.strides[(axis + 1) % 3], grid.strides[(axis + 2) % 3]]
      for (let k = 0; k < 4; k++) {
        const [back, down] = AROUND[k]
        const cell = node - back * b - down * c
        const loop = LOOPS[this.#masks.get(cell)!].loopOfEdge[4 * axis + back + 2 * down]
        quad[k] = this.#firstVertex.get(cell)! + loop
      }
      if (!grid.isInside(node)) [quad[1], quad[3]] = [quad[3], quad[1]]
      const [p, q, r, s] = quad
      // Across the shorter diagonal.
      if (this.#apart(p, r) <= this.#apart(q, s)) this.#triangles.push(p, q, r, p, r, s)
      else this.#triangles.push(q, r, s, q, s, p)
    }
  }

  finish(): NetsMesh {
    return {
      positions: Float64Array.from(this.#positions),
      triangles: Uint32Array.from(this.#triangles),
      cells: Float64Array.from(this.#cells),
      filled: this.grid.filled,
    }
  }

  #crossing(node: number, axis: number): number {
    const key = 3 * node + axis
    const known = this.#crossings.get(key)
    if (known !== undefined) return known
    const { grid } = this
    const [x, y, z] = [grid.place(node, 0), grid.place(node, 1), grid.place(node, 2)]
    const fromInside = grid.isInside(node)
    let low = 0
    let high = 1
    for (let i = 0; i < HALVINGS; i++) {
      const middle = (low + high) / 2
      const step = grid.cell * middle
      const within = grid.inside(x + (axis === 0 ? step : 0), y + (axis === 1 ? step : 0), z + (axis === 2 ? step : 0))
      if (within === fromInside) low = middle
      else high = middle
    }
    const crossing = Math.min(Math.max((low + high) / 2, NODE_CLEARANCE), 1 - NODE_CLEARANCE)
    this.#crossings.set(key, crossing)
    return crossing
  }

  #apart(a: number, b: number): number {
    const p = this.#positions
    return (p[3 * a] - p[3 * b]) ** 2 + (p[3 * a + 1] - p[3 * b + 1]) ** 2 + (p[3 * a + 2] - p[3 * b + 2]) ** 2
  }
}

/** Corners of the faces in cyclic order: below and above along x, then y, then z. */
const FACES = [0, 1, 2].flatMap((axis) => {
  const [b, c] = [1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)]
  return [0, 1 << axis].map((side) => [side, side + b, side + b + c, side + c])
})

/** Edge 4 * axis + b + 2 c: along an axis, at bits b and c of the two axes after it. */
const EDGE_CORNERS = Array.from({ length: 12 }, (_, edge) => {
  const axis = edge >> 2
  const from = (edge & 1 ? 1 << ((axis + 1) % 3) : 0) + (edge & 2 ? 1 << ((axis + 2) % 3) : 0)
  return [from, from + (1 << axis)]
})

/** Cells around an edge, counter-clockwise seen from its far end: how far back along the two axes after its own. */
const AROUND = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
]

/** For each mask of inside corners, without ambiguous faces: the loops that its crossed edges form, -1 if not crossed. */
const LOOPS = Array.from({ length: 256 }, (_, mask) => loopsOf(mask))

function loopsOf(mask: number): { loops: number; loopOfEdge: Int8Array } {
  const loopOfEdge = new Int8Array(12).fill(-1)
  const crossed = EDGE_CORNERS.map(([a, b]) => ((mask >> a) & 1) !== ((mask >> b) & 1))
  const faceHolds = (face: number[], edge: number): boolean => EDGE_CORNERS[edge].every((c) => face.includes(c))
  let loops = 0
  for (let first = 0; first < 12; first++) {
    if (!crossed[first] || loopOfEdge[first] >= 0) continue
    const members = [first]
    loopOfEdge[first] = loops
    for (const edge of members) {
      for (const face of FACES) {
        if (!faceHolds(face, edge)) continue
        for (let other = 0; other < 12; other++) {
          if (!crossed[other] || loopOfEdge[other] >= 0 || !faceHolds(face, other)) continue
          loopOfEdge[other] = loops
          members.push(other)
        }
      }
    }
    loops++
  }
  return { loops, loopOfEdge }
}
