/** Runs the real command as a child process, as a user does. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const bin = fileURLToPath(new URL('../bin/pliant.mjs', import.meta.url))

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  cwd?: string
  /** A training's bad result is a failure, and its file is warned of, as for users. */
  judged?: boolean
  /** Called once it runs; may send signals. */
  onStart?: (kill: (signal: NodeJS.Signals) => void) => void
  /** Called with everything written to stderr so far; may send signals. */
  onStderr?: (text: string, kill: (signal: NodeJS.Signals) => void) => void
}

export function runPliant(words: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  // Tests train for a few steps; only those that ask for it are about how bad that is.
  const trial = words[0] === 'train' && !options.judged ? ['--trial'] : []
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...words, ...trial], {
      cwd: options.cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    options.onStart?.((signal) => child.kill(signal))
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      stderr += chunk
      options.onStderr?.(stderr, (signal) => child.kill(signal))
    })
    child.on('error', reject)
    const aside = options.judged ? /(?!)/ : /^pliant: '.*' was marked as bad when it was trained: .*\n/gm
    child.on('close', (code) => resolve({ code, stdout, stderr: stderr.replace(aside, '') }))
  })
}

/** The whole of stderr is one line that says what is wrong, and no stack. */
export function isOneLine(stderr: string): boolean {
  return /^pliant: [^\n]+\n$/.test(stderr)
}

/** A folder of its own for a test file; `remove` deletes it. */
export function temporaryFolder(): { path: string; file: (name: string) => string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'pliant-cli-'))
  return { path, file: (name) => join(path, name), remove: () => rmSync(path, { recursive: true, force: true }) }
}
