/** One worker of a pool: serves the functions of its task module, one task after the other in the order they come. */
import { parentPort, workerData } from 'node:worker_threads'
import { type FromWorker, sentError, type ToWorker, type WorkerStart } from './messages.js'
import { Moved, type Task, type TaskModule } from './task.js'

const port = parentPort!
const say = (message: FromWorker, buffers: ArrayBuffer[] = []): void => port.postMessage(message, buffers)

try {
  const { module, start } = workerData as WorkerStart
  const { tasks } = (await import(module)) as TaskModule
  const served = await tasks(start)
  let last: Promise<void> = Promise.resolve()
  port.on('message', (order: ToWorker) => {
    last = last.then(() => serve(served, order))
  })
  say({ kind: 'ready' })
} catch (error) {
  say({ kind: 'unusable', error: sentError(error) })
}

async function serve(served: Record<string, Task>, { id, task, input }: ToWorker): Promise<void> {
  // Whoever waits for something that cannot come any more ends the thread, which the pool hears of.
  port.unref()
  try {
    const result = await served[task](input, (...told) => say({ kind: 'told', id, told }))
    if (result instanceof Moved) say({ kind: 'done', result: result.value }, result.buffers)
    else say({ kind: 'done', result })
  } catch (error) {
    say({ kind: 'failed', error: sentError(error) })
  } finally {
    port.ref()
  }
}
