/**
 * The body-centred cubic lattice of isosurface stuffing (Labelle and Shewchuk 2007, section 3): corners and centres of
 * cubes, joined by long edges along the axes and short ones between a corner and a centre. Every tetrahedron has two
 * long edges, opposite each other, and four short ones; its dihedral angles are 60 and 90 degrees.
 */
import { type Box, boxExpand } from 'pliant'

/** Lattice planes would else lie in the faces of boxes at round coordinates. Shares of a cube. */
const OFF_THE_ROUND = [0.1234, 0.2718, 0.1414] as const

export class Lattice {
  readonly nodeCount: number
  /** Cubes along each axis; there are as many corners as centres, the last ones beyond the last cube. */
  readonly size: readonly [number, number, number]
  private readonly origin: readonly number[]

  /**
   * @param box   around the body; the lattice leaves at least one cube beyond it
   * @param cube  side of a cube, the length of a long edge [m]
   */
  constructor(
    box: Box,
    readonly cube: number,
  ) {
    const room = boxExpand(box, 1.5 * cube)
    this.origin = room.lower.map((value, axis) => value - OFF_THE_ROUND[axis] * cube)
    const cubes = (axis: number): number => Math.ceil((room.upper[axis] - this.origin[axis]) / cube) + 1
    this.size = [cubes(0), cubes(1), cubes(2)]
    this.nodeCount = 2 * this.size[0] * this.size[1] * this.size[2]
  }

  /** Number of the corner (`centre` 0) or centre (1) of the cube at x, y, z. */
  node(x: number, y: number, z: number, centre: number): number {
    return 2 * (x + this.size[0] * (y + this.size[1] * z)) + centre
  }

  /** Twice the place in units of cubes along an axis: whole numbers, all even for a corner, all odd for a centre. */
  half(node: number, axis: number): number {
    const cube = node >> 1
    const [sx, sy] = this.size
    const at = axis === 0 ? cube % sx : axis === 1 ? Math.floor(cube / sx) % sy : Math.floor(cube / (sx * sy))
    return 2 * at + (node & 1)
  }

  /** Position [m] of each node, xyz triples. */
  positions(): Float64Array {
    const out = new Float64Array(3 * this.nodeCount)
    for (let node = 0; node < this.nodeCount; node++) {
      for (let axis = 0; axis < 3; axis++) {
        out[3 * node + axis] = this.origin[axis] + (this.cube / 2) * this.half(node, axis)
      }
    }
    return out
  }

  /** Calls back with the two nodes of every edge; long ones join nodes of the same parity. */
  eachEdge(visit: (a: number, b: number) => void): void {
    this.eachCube((x, y, z) => {
      for (let centre = 0; centre < 2; centre++) {
        const from = this.node(x, y, z, centre)
        if (x + 1 < this.size[0]) visit(from, this.node(x + 1, y, z, centre))
        if (y + 1 < this.size[1]) visit(from, this.node(x, y + 1, z, centre))
        if (z + 1 < this.size[2]) visit(from, this.node(x, y, z + 1, centre))
      }
      for (let corner = 0; corner < 8; corner++) {
        const [cx, cy, cz] = [x + (corner & 1), y + ((corner >> 1) & 1), z + (corner >> 2)]
        if (cx < this.size[0] && cy < this.size[1] && cz < this.size[2]) {
          visit(this.node(x, y, z, 1), this.node(cx, cy, cz, 0))
        }
      }
    })
  }

  /** Calls back with the four nodes of every tetrahedron: two centres, then two corners. */
  eachTet(visit: (a: number, b: number, c: number, d: number) => void): void {
    const at = [0, 0, 0]
    this.eachCube((x, y, z) => {
      for (let axis = 0; axis < 3; axis++) {
        const [u, v] = [(axis + 1) % 3, (axis + 2) % 3]
        at[0] = x
        at[1] = y
        at[2] = z
        if (at[axis] + 1 >= this.size[axis] || at[u] + 1 >= this.size[u] || at[v] + 1 >= this.size[v]) continue
        const first = this.node(x, y, z, 1)
        at[axis]++
        const second = this.node(at[0], at[1], at[2], 1)
        // Round the face between the two cubes; every side of it makes one tetrahedron with both centres.
        const corner = (du: number, dv: number): number => {
          at[u] += du
          at[v] += dv
          const node = this.node(at[0], at[1], at[2], 0)
          at[u] -= du
          at[v] -= dv
          return node
        }
        const round = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)]
        for (let k = 0; k < 4; k++) visit(first, second, round[k], round[(k + 1) % 4])
      }
    })
  }

  private eachCube(visit: (x: number, y: number, z: number) => void): void {
    for (let z = 0; z < this.size[2]; z++) {
      for (let y = 0; y < this.size[1]; y++) for (let x = 0; x < this.size[0]; x++) visit(x, y, z)
    }
  }
}
