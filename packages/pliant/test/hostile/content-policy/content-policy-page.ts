/** A page that runs everything on its own thread and in a worker, and leaves what came of it on its window. */
import type { NetworkOptions } from '../../../src/net/create-network.js'
import { artifactOfServer } from './artifact-of-server.js'
import { type Outcome, runEverything } from './everything-wasm.js'

declare global {
  interface Window {
    /** How often the policy was broken, each a line in the page's console. */
    violations: number
    onPage(options: NetworkOptions): Promise<Record<string, Outcome>>
    inWorker(options: NetworkOptions): Promise<Record<string, Outcome>>
  }
}

window.violations = 0
document.addEventListener('securitypolicyviolation', () => window.violations++)
window.onPage = (options) => runEverything(artifactOfServer, options)
window.inWorker = (options) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./content-policy-worker.ts', import.meta.url), { type: 'module' })
    worker.onerror = (event) => reject(new Error(event.message))
    worker.onmessage = ({ data }) => resolve(data)
    worker.postMessage(options)
  })
