/** Simulates off the main thread, so that drawing and cloth never wait for each other. */
import { hostSimulation } from '../../shell/simulation/worker-host.js'
import type { ClothSimulation } from './cloth-protocol.js'
import { DressedStage } from './dressed-stage.js'
import { openBody } from './worn-body.js'

hostSimulation<ClothSimulation>(
  async ({ collider, rig }, settings) => new DressedStage(await openBody(collider, rig), settings),
)
