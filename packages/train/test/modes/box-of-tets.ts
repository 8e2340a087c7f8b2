/** A box cut into cells of six tetrahedra each, all around the cell's diagonal, so that neighbours fit. */
import type { TetMesh } from 'pliant'

/** @param cells  along x, y and z; @param sides  lengths [m]; the box begins at the origin */
export function boxOfTets(cells: readonly number[], sides: readonly number[]): TetMesh {
  const [nx, ny, nz] = cells.map((n) => n + 1)
  const positions: number[] = []
  for (let z = 0; z < nz; z++) {
    for (let y = 0; y < ny; y++) {
      for (let x = 0; x < nx; x++) {
        positions.push((x / cells[0]) * sides[0], (y / cells[1]) * sides[1], (z / cells[2]) * sides[2])
      }
    }
  }
  const steps = [1, nx, nx * ny]
  const tetrahedra: number[] = []
  for (let z = 0; z < cells[2]; z++) {
    for (let y = 0; y < cells[1]; y++) {
      for (let x = 0; x < cells[0]; x++) {
        const corner = x + nx * (y + ny * z)
        // Each path along the three axes, in every order, from the corner to the opposite one.
        for (const [a, b, c] of [
          [0, 1, 2],
          [1, 2, 0],
          [2, 0, 1],
        ]) {
          const far = corner + steps[a] + steps[b] + steps[c]
          tetrahedra.push(corner, corner + steps[a], corner + steps[a] + steps[b], far)
          tetrahedra.push(corner, corner + steps[b] + steps[a], corner + steps[b], far)
        }
      }
    }
  }
  return { positions: Float64Array.from(positions), tetrahedra: Uint32Array.from(tetrahedra) }
}

/** Both meshes as one, without a common node. */
export function besides(a: TetMesh, b: TetMesh): TetMesh {
  const nodes = a.positions.length / 3
  return {
    positions: Float64Array.of(...a.positions, ...b.positions),
    tetrahedra: Uint32Array.of(...a.tetrahedra, ...b.tetrahedra.map((node) => node + nodes)),
  }
}
