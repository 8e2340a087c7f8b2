/** Does one task, tells how far it is, answers with its result. */
import { parentPort, workerData } from 'node:worker_threads'
import { TASKS, type TaskInput, type TaskName, type Tell } from './tasks.js'

export interface BackgroundStart {
  task: TaskName
  input: TaskInput<TaskName>
}

export type FromBackground =
  | { kind: 'progress'; fraction: number; detail: string }
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; name: string; message: string }

const { task, input } = workerData as BackgroundStart
const say = (message: FromBackground): void => parentPort!.postMessage(message)
const tell: Tell = (fraction, detail) => say({ kind: 'progress', fraction, detail })

try {
  const work = TASKS[task] as (input: BackgroundStart['input'], tell: Tell) => Promise<unknown>
  say({ kind: 'done', result: await work(input, tell) })
} catch (error) {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  say({ kind: 'failed', name, message })
}
