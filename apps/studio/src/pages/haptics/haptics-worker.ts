/** Simulates off the main thread, so that drawing and touch never wait for each other. */
import { type HapticPair, openPair } from './haptic-pair.js'
import type { FromWorker, ToWorker } from './haptics-protocol.js'
import { TouchStage } from './touch-stage.js'

/** The few members of a worker's global scope that are used; the DOM library types `self` as a window. */
const port = globalThis as unknown as {
  postMessage(message: FromWorker, transfer?: Transferable[]): void
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null
}

let pair: HapticPair | undefined
let stage: TouchStage | undefined

async function answer(message: ToWorker): Promise<void> {
  if (message.kind === 'open') {
    const opened = await openPair(message.body, message.tool)
    try {
      stage = new TouchStage(opened, message.settings)
    } catch (error) {
      opened.dispose()
      throw error
    }
    pair?.dispose()
    pair = opened
    port.postMessage(stage.opened)
    return
  }
  if (!stage) return
  if (message.kind === 'set') stage.set(message.settings)
  else if (message.kind === 'reset') stage.reset()
  else if (message.kind === 'play') stage.play(message.on)
  else {
    const frame = stage.advance(message.steps, message.pose, message.buffers)
    port.postMessage(frame, [frame.body.buffer, frame.tool.buffer])
  }
}

port.onmessage = ({ data }) => {
  answer(data).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    port.postMessage({ kind: 'failed', message, opening: data.kind === 'open' })
  })
}
