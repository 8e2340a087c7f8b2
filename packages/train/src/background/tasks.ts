/** Long work that looks neither at signals nor at the clock, and what it takes and gives: all of it can be copied. */
import type { TetMesh, TriangleMesh } from 'pliant'
import { type FemMaterial, lumpedMasses, restStiffness } from 'pliant/sim'
import { poseModes } from '../modes/pose-modes.js'
import { vibrationModes } from '../modes/vibration-modes.js'
import { type TetrahedraliseOptions, type TetrahedraliseReport, tetrahedralise } from '../tets/tetrahedralise.js'

/** @param fraction of the task, 0 to 1 */
export type Tell = (fraction: number, detail: string) => void

export interface FillInput {
  surface: TriangleMesh
  options: Pick<TetrahedraliseOptions, 'nodes' | 'selfIntersecting'>
  /** After so long no further number of nodes is tried [s]. */
  seconds: number
}

export interface ModesInput {
  mesh: TetMesh
  material: Required<Pick<FemMaterial, 'density' | 'young' | 'poisson'>>
  count: number
  /** Positions of all nodes, pose after pose, to take the modes from; vibrations if there are none. */
  poses?: Float32Array
}

export const TASKS = {
  fill({ surface, options, seconds }: FillInput, tell: Tell): Promise<{ mesh: TetMesh; report: TetrahedraliseReport }> {
    const end = performance.now() + 1000 * seconds
    return tetrahedralise(surface, { ...options, timeIsUp: () => performance.now() > end, onProgress: tell })
  },

  async modes({ mesh, material, count, poses }: ModesInput, tell: Tell): Promise<Float64Array> {
    const masses = lumpedMasses(mesh, material.density)
    tell(0, 'modes')
    if (poses) return poseModes(mesh.positions, masses, poses, count)
    const onProgress = (fraction: number): void => tell(fraction, `${count} vibrations`)
    return vibrationModes(restStiffness(mesh, material), masses, { count, onProgress }).modes
  },
} as const

export type TaskName = keyof typeof TASKS
export type TaskInput<Name extends TaskName> = Parameters<(typeof TASKS)[Name]>[0]
export type TaskResult<Name extends TaskName> = Awaited<ReturnType<(typeof TASKS)[Name]>>
