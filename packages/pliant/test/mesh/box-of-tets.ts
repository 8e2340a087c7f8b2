/** A box cut into cells of six tetrahedra each, all around the cell's diagonal, so that neighbours fit. */
import type { TetMesh } from '../../src/index.js'

/** The six ways from one corner of a cell to the opposite one along edges (Kuhn). */
const PATHS = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [2, 1, 0],
  [1, 0, 2],
] as const

/**
 * Node numbers go by z, then y, then x.
 * @param cells  along x, y and z; @param sides  lengths [m]; the box begins at the origin
 */
export function boxOfTets(cells: readonly number[], sides: readonly number[]): TetMesh {
  const [nx, ny, nz] = cells.map((n) => n + 1)
  const positions = new Float64Array(3 * nx * ny * nz)
  const node = (i: number, j: number, k: number): number => (i * ny + j) * nz + k
  for (let i = 0; i < nx; i++) {
    for (let j = 0; j < ny; j++) {
      for (let k = 0; k < nz; k++) {
        const at = [(sides[0] * i) / cells[0], (sides[1] * j) / cells[1], (sides[2] * k) / cells[2]]
        positions.set(at, 3 * node(i, j, k))
      }
    }
  }
  const tetrahedra: number[] = []
  for (let cell = 0; cell < cells[0] * cells[1] * cells[2]; cell++) {
    const at = [
      Math.floor(cell / (cells[1] * cells[2])),
      Math.floor(cell / cells[2]) % cells[1],
      cell % cells[2],
    ] as const
    PATHS.forEach((path, p) => {
      const here: [number, number, number] = [...at]
      const corners = [node(...here)]
      for (const axis of path) {
        here[axis]++
        corners.push(node(...here))
      }
      // The last three paths turn the other way.
      if (p >= 3) corners.push(corners.splice(2, 1)[0])
      tetrahedra.push(...corners)
    })
  }
  return { positions, tetrahedra: Uint32Array.from(tetrahedra) }
}
