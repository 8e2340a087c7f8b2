/** Finding the modes of a body on a thread of its own: it looks at no signals, and may take minutes. */
import type { TetMesh } from 'pliant'
import type { FemMaterial } from 'pliant/sim'
import { lumpedMasses, type OnProgress, progressWithin, restStiffness } from 'pliant/unstable'
import { type OwnThreadOptions, onOwnThread } from '../pool/index.js'
import { poseModes } from './pose-modes.js'
import { vibrationModes } from './vibration-modes.js'

export interface ModesInput {
  mesh: TetMesh
  material: Required<Pick<FemMaterial, 'density' | 'young' | 'poisson'>>
  count: number
  /** Positions of all nodes, pose after pose, to take the modes from; vibrations if there are none. */
  poses?: Float32Array
}

/** @throws Error if the mesh is no single body that can be simulated; the signal's reason if it is aborted */
export function modesOnThread(input: ModesInput, options: OwnThreadOptions): Promise<Float64Array> {
  return onOwnThread<typeof import('./modes-on-thread.js'), 'modes'>(new URL(import.meta.url), 'modes', input, options)
}

/** What the thread does. */
export function tasks() {
  return {
    modes({ mesh, material, count, poses }: ModesInput, tell: OnProgress): Float64Array {
      const masses = lumpedMasses(mesh, material.density)
      tell({ fraction: 0, stage: 'modes' })
      if (poses) return poseModes(mesh.positions, masses, poses, count)
      const onProgress = progressWithin(tell, 0, 1, { stage: 'modes', detail: `${count} vibrations` })
      return vibrationModes(restStiffness(mesh, material), masses, { count, onProgress }).modes
    },
  }
}
