/** What a worker that drops the body does: a run by its number, told of pose by pose. */
import type { TetMesh } from 'pliant'
import { type Moved, moved } from '../pool/index.js'
import type { DropSettings } from './drop-options.js'
import { type DropRun, dropRun } from './drop-run.js'

export interface DropStart {
  mesh: TetMesh
  settings: DropSettings
}

export function tasks({ mesh, settings }: DropStart) {
  return {
    /** @param tell told after every pose how many there are */
    drop(run: number, tell: (poses: number) => void): Moved<DropRun> {
      try {
        const result = dropRun(mesh, settings, run, tell)
        return moved(result, result.positions)
      } catch (error) {
        throw new Error(`drop poses: run ${run}: ${(error as Error).message}`)
      }
    },
  }
}
