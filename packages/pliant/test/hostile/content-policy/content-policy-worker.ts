/** The same in a worker. */
import { artifactOfServer } from './artifact-of-server.js'
import { runEverything } from './everything-wasm.js'

self.onmessage = async ({ data }) => {
  self.postMessage(await runEverything(artifactOfServer, data))
}
