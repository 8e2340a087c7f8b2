/** Bars of tetrahedra for tests: boxes of cells, six tetrahedra each. */
import type { TetMesh } from '../../../src/index.js'
import { FemBody } from '../../../src/sim/index.js'

/** The six ways from one corner of a cell to the opposite one along edges (Kuhn); neighbours' faces agree. */
const PATHS = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [2, 1, 0],
  [1, 0, 2],
] as const

/** A box [0, size] of cells[0] x cells[1] x cells[2] cells; node numbers go by z, then y, then x. */
export function bar(size: readonly number[], cells: readonly number[]): TetMesh {
  const [nx, ny, nz] = cells.map((n) => n + 1)
  const positions = new Float64Array(3 * nx * ny * nz)
  const node = (i: number, j: number, k: number): number => (i * ny + j) * nz + k
  for (let i = 0; i < nx; i++) {
    for (let j = 0; j < ny; j++) {
      for (let k = 0; k < nz; k++) {
        positions.set([(size[0] * i) / cells[0], (size[1] * j) / cells[1], (size[2] * k) / cells[2]], 3 * node(i, j, k))
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

/** Nodes whose coordinate along an axis is that value. */
export function nodesAt(mesh: TetMesh, axis: number, value: number): number[] {
  return Array.from({ length: mesh.positions.length / 3 }, (_, node) => node).filter(
    (node) => Math.abs(mesh.positions[3 * node + axis] - value) < 1e-9,
  )
}

/** A bar in flight that spins and is stretched. */
export function tumblingBar(): FemBody {
  const body = new FemBody(bar([0.3, 0.2, 0.1], [3, 2, 1]), {
    gravity: [0, 0, 0],
    material: { young: 5e4, poisson: 0.4, stiffnessDamping: 0.002 },
  })
  for (let i = 0; i < body.positions.length; i += 3) {
    const [x, y, z] = body.positions.subarray(i, i + 3)
    body.velocities.set([1 - 3 * y, 0.5 + 3 * x, 2 * z], i)
    body.positions[i] *= 1.1
  }
  return body
}
