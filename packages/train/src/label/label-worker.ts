/** One worker of a label pool: holds the mesh, refits it to each pose and answers that pose's points. */
import { parentPort, workerData } from 'node:worker_threads'
import { ExactMeshField } from 'pliant/exact'
import type { FromWorker, LabelSlot, ToWorker, WorkerStart } from './label-messages.js'

const { positions, triangles, sign } = workerData as WorkerStart
const say = (message: FromWorker): void => parentPort!.postMessage(message)

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function serve(field: ExactMeshField): void {
  let slots: LabelSlot[] = []
  parentPort!.on('message', (message: ToWorker) => {
    if (message.kind === 'slots') {
      slots = message.slots
      return
    }
    // An error becomes a message: the pool can say which pose it was, and the worker lives on.
    try {
      label(field, slots[message.slot])
      say({ kind: 'done', slot: message.slot })
    } catch (error) {
      say({ kind: 'failed', slot: message.slot, message: reason(error) })
    }
  })
}

function label(field: ExactMeshField, slot: LabelSlot): void {
  field.update({ vertices: slot.positions })
  field.closest(slot.points, slot.distances.length, {
    distances: slot.distances,
    normals: slot.normals.length > 0 ? slot.normals : undefined,
  })
}

try {
  serve(new ExactMeshField({ positions, triangles }, { sign }))
  say({ kind: 'ready' })
} catch (error) {
  say({ kind: 'unusable', message: reason(error) })
}
