/** Chromium for the browser tests: the system's own, installed by apt where we may. */
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { run } from './run.mjs'

/** Where vitest.config.ts looks for it. */
export const CHROMIUM = '/usr/bin/chromium'

/** @returns {Promise<boolean>} whether Chromium is there now; if not, says on stderr how to get it */
export async function ensureChromium() {
  if (existsSync(CHROMIUM)) return true
  const isRoot = process.getuid?.() === 0
  if (isRoot && existsSync('/usr/bin/apt-get')) {
    console.error('Installing Chromium for the browser tests (apt-get) ...')
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    const quiet = { env, capture: true }
    const updated = await run('apt-get', ['update', '-qq'], quiet)
    const installed = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], quiet)
    if (existsSync(CHROMIUM)) return true
    console.error(`chromium: apt-get ended with ${updated.code} and ${installed.code}; install chromium by hand.`)
    return false
  }
  console.error(`chromium: ${CHROMIUM} is missing; on Debian run 'sudo apt-get install chromium'.`)
  return false
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href && !(await ensureChromium())) process.exitCode = 1
