/**
 * `npm start`: from a fresh clone to the running studio. Installs what is missing, builds, trains the default object,
 * prints how good and how fast it is, and serves the studio. `npm start -- --no-serve` stops after the table.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled } from './ensure-installed.mjs'
import { build, root, runNode } from './run.mjs'

const PRESET = 'bar'
const ARTIFACT = join('out', `${PRESET}.safetensors`)

const words = process.argv.slice(2)
const unknown = words.find((word) => word !== '--no-serve')

/** Runs `pliant`; on a failure ends with its exit code, after its own message. */
async function pliant(call, options) {
  const { code } = await runNode([join('packages', 'cli', 'bin', 'pliant.mjs'), ...call], options)
  if (code !== 0) process.exit(code)
}

async function start() {
  if (unknown !== undefined) throw new Error(`start: there is no flag ${unknown}; the only one is --no-serve.`)
  await ensureInstalled()
  console.log('Building ...')
  if ((await build({ studio: true })) !== 0) throw new Error('start: the build failed; see its messages above.')

  mkdirSync(join(root, 'out'), { recursive: true })
  console.log(`\nTraining '${PRESET}' into ${ARTIFACT} ...`)
  // Its own report is not shown: the bench measures quality and speed together, in one run.
  await pliant(['train', PRESET, '--out', ARTIFACT], { capture: true })
  console.log('\nIts quality against exact geometry, and its speed against a refitted tree over the exact mesh:\n')
  await pliant(['bench', PRESET, '--file', ARTIFACT, '--quick'])
  if (!words.includes('--no-serve')) await pliant(['studio'])
}

// Ctrl-C reaches the child as well; it ends in order and its exit code becomes ours.
process.on('SIGINT', () => {})

start().catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})
