/** Poses, looks and repairs off the main thread, so that drawing never waits for an exact test. */
import { hostSimulation } from '../../shell/simulation/worker-host.js'
import type { PoseSimulation } from './pose-protocol.js'
import { PoseStage } from './pose-stage.js'
import { openSubject } from './subjects/index.js'

hostSimulation<PoseSimulation>(async ({ name, bytes, motions, pose }, settings) => {
  const subject = await openSubject(name, bytes, motions)
  try {
    return new PoseStage(subject, { code: pose, ...settings })
  } catch (error) {
    subject.dispose()
    throw error
  }
})
