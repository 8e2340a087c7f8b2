/** Simulates off the main thread, so that drawing and cloth never wait for each other. */
import type { FromWorker, ToWorker } from './cloth-protocol.js'
import { DressedStage } from './dressed-stage.js'
import { openBody, type WornBody } from './worn-body.js'

/** The few members of a worker's global scope that are used; the DOM library types `self` as a window. */
const port = globalThis as unknown as {
  postMessage(message: FromWorker, transfer?: Transferable[]): void
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null
}

let body: WornBody | undefined
let stage: DressedStage | undefined

async function answer(message: ToWorker): Promise<void> {
  if (message.kind === 'open') {
    const opened = await openBody(message.collider, message.rig)
    stage = new DressedStage(opened, message.settings)
    body?.learned.dispose()
    body = opened
    port.postMessage(stage.opened)
    port.postMessage(stage.worn)
    return
  }
  if (!stage) return
  if (message.kind === 'set') {
    if (stage.set(message.settings)) port.postMessage(stage.worn)
  } else if (message.kind === 'dress') {
    stage.dress()
    port.postMessage(stage.worn)
  } else {
    const frame = stage.advance(message.steps, message.buffers)
    port.postMessage(frame, [frame.body.buffer, frame.cloth.buffer])
  }
}

port.onmessage = ({ data }) => {
  answer(data).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    port.postMessage({ kind: 'failed', message, opening: data.kind === 'open' })
  })
}
