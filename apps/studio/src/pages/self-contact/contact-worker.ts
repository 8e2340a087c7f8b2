/** Simulates off the main thread, so that drawing and pulling never wait for each other. */
import { hostSimulation } from '../../shell/simulation/worker-host.js'
import { openContactBody } from './contact-body.js'
import type { ContactSimulation } from './contact-protocol.js'
import { PulledStage } from './pulled-stage.js'

hostSimulation<ContactSimulation>(async (files, settings) => {
  const body = await openContactBody(files)
  try {
    return new PulledStage(body, settings)
  } catch (error) {
    body.field.dispose()
    throw error
  }
})
