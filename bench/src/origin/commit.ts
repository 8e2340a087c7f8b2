/** Which version of the code a figure is of. */
import { execFileSync } from 'node:child_process'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What measuring itself writes: it makes no other code. */
const WRITTEN = ['bench/results', 'bench/cells', 'README.md', 'docs/benchmarks.md']

/**
 * @param folder  in a working copy; this file's own if left out
 * @returns the commit's id, followed by ' dirty' if files differ from it, or null where there is no repository or only
 *          one that the package is installed in
 */
export function describeCommit(folder = fileURLToPath(new URL('.', import.meta.url))): string | null {
  const git = (...words: string[]): string =>
    execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  if (folder.split(sep).includes('node_modules')) return null
  try {
    const id = git('rev-parse', 'HEAD')
    const changed = git('status', '--porcelain', '--', ':/', ...WRITTEN.map((path) => `:(top,exclude)${path}`))
    return changed === '' ? id : `${id} dirty`
  } catch {
    return null
  }
}
