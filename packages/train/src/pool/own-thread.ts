/**
 * A long task on a thread of its own: the caller's stays free to hear Ctrl-C, which ends the task wherever it is, and to
 * say that work goes on.
 */
import type { OnProgress } from 'pliant/unstable'
import type { InputOf, ResultOf, TaskModule, TaskName, TellOf } from './task.js'
import { WorkerPool } from './worker-pool.js'

export interface OwnThreadOptions<Tell = OnProgress> {
  /** Ends the task at once; the promise then rejects with the signal's reason. */
  signal?: AbortSignal
  /** Hears what the task tells. */
  onProgress?: Tell
}

/**
 * @param module  address of a task module whose tasks need nothing at their start
 * @throws what the task throws; the signal's reason if it is aborted; Error that names the task if its thread dies
 */
export async function onOwnThread<Module extends TaskModule, Name extends TaskName<Module>>(
  module: URL,
  task: Name,
  input: InputOf<Module, Name>,
  { signal, onProgress }: OwnThreadOptions<TellOf<Module, Name>> = {},
): Promise<ResultOf<Module, Name>> {
  const pool = new WorkerPool<Module>(module, { name: task, threads: 1, signal })
  try {
    return await pool.run(task, input, { onTell: onProgress })
  } finally {
    await pool.dispose()
  }
}
