/** Simulates off the main thread, so that drawing and dragging never wait for each other. */
import { hostSimulation } from '../../shell/simulation/worker-host.js'
import { PileBodies } from './pile-bodies.js'
import type { PileSimulation } from './pile-protocol.js'
import { PileStage } from './pile-stage.js'

hostSimulation<PileSimulation>(async (files, settings) => new PileStage(await PileBodies.open(files), files, settings))
