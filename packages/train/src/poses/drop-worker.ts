/** One worker that drops the body: runs by number, answers with their poses. */
import { parentPort, workerData } from 'node:worker_threads'
import type { TetMesh } from 'pliant'
import type { DropSettings } from './drop-options.js'
import { type DropRun, dropRun } from './drop-run.js'

export interface DropWorkerStart {
  mesh: TetMesh
  settings: DropSettings
}

export type FromDropWorker =
  | { kind: 'snapshot'; run: number; count: number }
  | { kind: 'done'; result: DropRun }
  | { kind: 'failed'; run: number; message: string }

const { mesh, settings } = workerData as DropWorkerStart

parentPort!.on('message', (run: number) => {
  const say = (message: FromDropWorker, moved: ArrayBuffer[] = []): void => parentPort!.postMessage(message, moved)
  // An error becomes a message, so that the caller can say which run it was.
  try {
    const result = dropRun(mesh, settings, run, (count) => say({ kind: 'snapshot', run, count }))
    say({ kind: 'done', result }, [result.positions.buffer as ArrayBuffer])
  } catch (error) {
    say({ kind: 'failed', run, message: error instanceof Error ? error.message : String(error) })
  }
})
