/**
 * What a page pays for the runtime. Production builds by Vite without any configuration: examples/minimal-page must
 * build as it stands, and everything the "." entry exports, minified and gzipped, must stay below the limit; kernels in
 * the frames of parts are fetched with the first elastic body. Beside it
 * what 'pliant/three' brings to a page that has three.js already; its example is built by its test.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { root } from './run.mjs'

/** Issue 2, part 1 [bytes]. */
const LIMIT = 40_000

const quiet = { configFile: false, logLevel: 'warn' }

/** Builds the example page into memory. @returns bytes of its scripts, gzipped */
async function buildPage() {
  const built = await build({ ...quiet, root: join(root, 'examples', 'minimal-page'), build: { write: false } })
  return gzippedScripts(built)
}

/** Builds a module that re-exports a whole entry, so that nothing is shaken off. */
async function buildEntry(name, external = []) {
  // Inside the repository, so that 'pliant' resolves as it does for a user.
  const folder = mkdtempSync(join(root, 'node_modules', '.pliant-bundle-'))
  try {
    const entry = join(folder, 'entry.js')
    writeFileSync(entry, `export * from '${name}'\n`)
    const rolldownOptions = { input: entry, preserveEntrySignatures: 'strict', external }
    const built = await build({
      ...quiet,
      root: folder,
      build: { write: false, modulePreload: false, rolldownOptions },
    })
    return gzippedScripts(built)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a page loads at once: entries and what they import; what is imported when it is needed does not count. */
function gzippedScripts(built) {
  const chunks = [built].flat().flatMap(({ output }) => output)
  const all = chunks.filter(({ type }) => type === 'chunk')
  const scripts = new Set(all.filter(({ isEntry }) => isEntry))
  for (const { imports } of scripts) {
    for (const chunk of all) if (imports.includes(chunk.fileName)) scripts.add(chunk)
  }
  if (scripts.size === 0) throw new Error('bundle: the build made no script; does the page import anything?')
  return [...scripts].reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)
}

const page = await buildPage()
const runtime = await buildEntry('pliant')
const inThree = await buildEntry('pliant/three', ['three'])
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`
console.log(
  `runtime entry ${kilobytes(runtime)} gzipped (limit ${kilobytes(LIMIT)}), example page ${kilobytes(page)}, pliant/three ${kilobytes(inThree)} beside three.js`,
)
if (runtime >= LIMIT) {
  console.error(`bundle: the runtime entry is ${runtime} bytes, the limit ${LIMIT}; see what src/index.ts pulls in.`)
  process.exitCode = 1
}
