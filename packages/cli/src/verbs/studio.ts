/** `pliant studio`: serves the built web app. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { FailedRun } from '../errors.js'
import { STUDIO } from '../shipped.js'
import { serveFolder } from '../static-server.js'
import type { Verb } from '../verb.js'

const DEFAULT_PORT = 4173

export const studio: Verb = {
  name: 'studio',
  summary: 'serves the web app on this machine and opens it in the browser',
  operands: [],
  options: {
    port: { value: 'N', help: `port to listen on (default: ${DEFAULT_PORT} or the next free one)` },
    'no-open': { help: 'do not open a browser' },
  },
  examples: ['pliant studio --port 8080 --no-open'],
  json: { url: 'address of the studio; printed once it answers' },
  notes: 'Runs until Ctrl-C, which ends it with exit code 0.',
  async run({ args, signal }) {
    const port = args.integer('port', { lower: 0, upper: 65535 })
    const folder = fileURLToPath(STUDIO)
    if (!existsSync(`${folder}index.html`)) {
      throw new FailedRun('studio: packages/cli/studio is missing; run `npm run build` in the repository first.')
    }
    const server = await serveFolder(folder, port ?? DEFAULT_PORT, port !== undefined)
    if (!args.has('no-open')) openBrowser(server.url)
    const until = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(server.close()), { once: true })
    })
    return { json: { url: server.url }, text: `The studio is at ${server.url} (Ctrl-C ends it).`, until }
  },
}

/** Best effort: without a desktop there is nothing to open, and the address stands on the screen anyway. */
function openBrowser(url: string): void {
  const desktop = process.platform !== 'linux' || process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']
  if (!desktop) return
  const openers: Partial<Record<NodeJS.Platform, [string, string[]]>> = {
    darwin: ['open', [url]],
    win32: ['cmd', ['/c', 'start', '', url]],
  }
  const [command, words] = openers[process.platform] ?? ['xdg-open', [url]]
  spawn(command, words, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
