/** Files say nothing of their unit: a spec does, by `scale`. */
import type { TetMesh, TriangleMesh } from 'pliant'
import { z } from 'zod'

/** Metres per unit of the file: 0.001 for millimetres. */
export const scale = z.number().positive().optional()

/** @param metres  per unit of the file */
export function inMetres<M extends TriangleMesh | TetMesh>(mesh: M, metres = 1): M {
  return metres === 1 ? mesh : { ...mesh, positions: mesh.positions.map((value) => metres * value) }
}
