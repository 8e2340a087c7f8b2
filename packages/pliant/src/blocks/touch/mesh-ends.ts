/** Nodes at an end of a body at rest: those that stand fast, or that a hand holds. */
import { boxOfPoints, type TetMesh } from '../../index.js'

/** @param axis  0 to 2 @param share  of the body's length along it, from its lower end, 0 to 1 */
export function nodesBelow({ positions }: Pick<TetMesh, 'positions'>, axis: number, share: number): number[] {
  const { lower, upper } = boxOfPoints(positions)
  const limit = lower[axis] + share * (upper[axis] - lower[axis])
  return nodesWhere(positions, axis, (value) => value < limit)
}

/** @param axis  0 to 2 @param share  of the body's length along it, from its upper end, 0 to 1 */
export function nodesAbove({ positions }: Pick<TetMesh, 'positions'>, axis: number, share: number): number[] {
  const { lower, upper } = boxOfPoints(positions)
  const limit = upper[axis] - share * (upper[axis] - lower[axis])
  return nodesWhere(positions, axis, (value) => value > limit)
}

function nodesWhere(positions: Float64Array, axis: number, holds: (value: number) => boolean): number[] {
  return Array.from({ length: positions.length / 3 }, (_, node) => node).filter((node) =>
    holds(positions[3 * node + axis]),
  )
}
