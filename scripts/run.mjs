/** Child processes for the scripts of this folder. Only node: imports, because it runs before anything is installed. */
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's root folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Runs a command with this terminal as its own, in the root folder unless told otherwise.
 * @param {string} command
 * @param {string[]} words
 * @param {{ cwd?: string, env?: Record<string, string>, capture?: boolean }} options  capture: collect stdout instead of
 *   showing it
 * @returns {Promise<{ code: number, output: string }>} code 130 if a signal ended it, 127 if it could not start
 */
export function run(command, words, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, words, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env },
      stdio: ['inherit', options.capture ? 'pipe' : 'inherit', 'inherit'],
    })
    let output = ''
    child.stdout?.on('data', (chunk) => {
      output += chunk
    })
    child.on('error', (error) => resolve({ code: 127, output: error.message }))
    child.on('close', (code, signal) => resolve({ code: signal ? 130 : (code ?? 1), output }))
  })
}

/** Runs a script with this very Node. */
export function runNode(words, options) {
  return run(process.execPath, words, options)
}

/** Runs npm: the one that started us, if one did. */
export function runNpm(words, options) {
  const npm = process.env.npm_execpath
  return npm ? runNode([npm, ...words], options) : run(process.platform === 'win32' ? 'npm.cmd' : 'npm', words, options)
}

/** Builds what changed: packages by project references, and the studio if asked for. */
export async function build({ studio }) {
  const packages = await runNode(['node_modules/typescript/bin/tsc', '-b'])
  if (packages.code !== 0 || !studio) return packages.code
  const page = await runNpm(['run', 'build', '--silent', '--workspace', 'apps/studio'])
  return page.code
}
