/**
 * Installs the dependencies if package-lock.json changed since the last time. Needs nothing but Node and npm.
 *
 * No package's install script runs: the only one of weight, onnxruntime-node's, downloads CUDA files that nobody here
 * uses and fails without internet. Its CPU library comes with the package itself, and that it loads is checked here.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, runNode, runNpm } from './run.mjs'

const LEAST_NODE = [20, 19]

/** @throws Error in one line if the machine or the installation is not up to it */
export async function ensureInstalled() {
  checkNode()
  const modules = join(root, 'node_modules')
  const stampPath = join(modules, '.pliant-installed')
  const stamp = stampOf(readFileSync(join(root, 'package-lock.json')))
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp) return

  // Not `npm ci`, which works as well but deletes the tree first, under a running studio. The locked versions are taken
  // all the same, and --no-save keeps package-lock.json as it is.
  console.error('Installing dependencies ...')
  const words = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { code } = await runNpm(words, { env: { ONNXRUNTIME_NODE_INSTALL: 'skip' } })
  if (code !== 0) throw new Error(`install: npm ended with code ${code}; see its message above.`)
  await checkEngine()
  writeFileSync(stampPath, stamp)
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1])) {
    throw new Error(`install: Node is ${process.versions.node}; Pliant needs ${LEAST_NODE.join('.')} or newer.`)
  }
}

/** Native packages differ by machine and Node line, so the stamp names these too. */
function stampOf(lock) {
  const hash = createHash('sha256').update(lock).digest('hex')
  return `${hash} ${process.platform}-${process.arch} node ${process.versions.node.split('.')[0]}\n`
}

/** In a process of its own: a native library that fails to load may take its process with it. */
async function checkEngine() {
  const { code } = await runNode(['--input-type=module', '-e', "await import('onnxruntime-node')"])
  if (code !== 0) {
    throw new Error(
      `install: onnxruntime-node does not load on ${process.platform}-${process.arch}; its message above says why.`,
    )
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await ensureInstalled()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
