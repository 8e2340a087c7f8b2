/** Simulates off the main thread, so that drawing and touch never wait for each other. */
import { hostSimulation } from '../../shell/simulation/worker-host.js'
import { openPair } from './haptic-pair.js'
import type { HapticsSimulation } from './haptics-protocol.js'
import { TouchStage } from './touch-stage.js'

hostSimulation<HapticsSimulation>(async ({ body, tool }, settings) => {
  const pair = await openPair(body, tool)
  try {
    return new TouchStage(pair, settings)
  } catch (error) {
    pair.dispose()
    throw error
  }
})
