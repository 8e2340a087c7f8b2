/** Filling a surface on a thread of its own: it looks neither at signals nor at the clock, and may take minutes. */
import type { TetMesh, TriangleMesh } from 'pliant'
import type { OnProgress } from 'pliant/unstable'
import { type OwnThreadOptions, onOwnThread } from '../pool/index.js'
import { type TetrahedraliseOptions, type TetrahedraliseReport, tetrahedralise } from './tetrahedralise.js'

export interface FillInput {
  surface: TriangleMesh
  options: Pick<TetrahedraliseOptions, 'nodes' | 'selfIntersecting'>
  /** After so long no further number of nodes is tried [s]. */
  seconds: number
}

export interface FilledSurface {
  mesh: TetMesh
  report: TetrahedraliseReport
}

/** @throws what `tetrahedralise` throws; the signal's reason if it is aborted */
export function fillOnThread(input: FillInput, options: OwnThreadOptions): Promise<FilledSurface> {
  return onOwnThread<typeof import('./fill-on-thread.js'), 'fill'>(new URL(import.meta.url), 'fill', input, options)
}

/** What the thread does. */
export function tasks() {
  return {
    fill({ surface, options, seconds }: FillInput, tell: OnProgress): Promise<FilledSurface> {
      const end = performance.now() + 1000 * seconds
      return tetrahedralise(surface, { ...options, timeIsUp: () => performance.now() > end, onProgress: tell })
    },
  }
}
