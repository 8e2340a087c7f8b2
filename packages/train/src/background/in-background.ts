/**
 * A long task on a thread of its own: the caller's stays free to hear Ctrl-C, which ends the task wherever it is, and to say
 * that work goes on, whatever the size of the mesh.
 */
import { Worker } from 'node:worker_threads'
import { BadInput } from '../bad-input.js'
import type { BackgroundStart, FromBackground } from './background-worker.js'
import type { TaskInput, TaskName, TaskResult, Tell } from './tasks.js'

export interface BackgroundOptions {
  /** Ends the task at once; the promise then rejects with the signal's reason. */
  signal?: AbortSignal
  onProgress?: Tell
}

/** @throws what the task throws; the signal's reason if it is aborted */
export async function inBackground<Name extends TaskName>(
  task: Name,
  input: TaskInput<Name>,
  { signal, onProgress }: BackgroundOptions = {},
): Promise<TaskResult<Name>> {
  signal?.throwIfAborted()
  const start: BackgroundStart = { task, input }
  const worker = new Worker(new URL('./background-worker.js', import.meta.url), { workerData: start })
  let onAbort: (() => void) | undefined
  try {
    return await new Promise((resolve, reject) => {
      onAbort = () => reject(signal!.reason)
      signal?.addEventListener('abort', onAbort)
      worker.on('message', (message: FromBackground) => {
        if (message.kind === 'done') resolve(message.result as TaskResult<Name>)
        else if (message.kind === 'failed') reject(errorOf(message))
        else {
          try {
            onProgress?.(message.fraction, message.detail)
          } catch (error) {
            reject(error)
          }
        }
      })
      worker.on('error', reject)
      worker.on('exit', (code) => reject(new Error(`${task}: its thread ended with code ${code}; try it again.`)))
    })
  } finally {
    if (onAbort) signal?.removeEventListener('abort', onAbort)
    await worker.terminate()
  }
}

/** As it was thrown: who is to blame is told by its kind. */
function errorOf({ name, message }: { name: string; message: string }): Error {
  if (name === 'BadInput') return new BadInput(message)
  return name === 'RangeError' ? new RangeError(message) : new Error(message)
}
