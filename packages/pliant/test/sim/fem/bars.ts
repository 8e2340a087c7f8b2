/** Bars of tetrahedra for tests. */
import type { TetMesh } from '../../../src/index.js'
import { FemBody } from '../../../src/sim/index.js'
import { boxOfTets } from '../../mesh/box-of-tets.js'

/** A box [0, size] of cells[0] x cells[1] x cells[2] cells. */
export const bar = (size: readonly number[], cells: readonly number[]): TetMesh => boxOfTets(cells, size)

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
