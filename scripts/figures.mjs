/**
 * Puts measured figures into documents, from the files that `pliant bench SUITE --save` wrote: nobody types them. All
 * tables are docs/benchmarks.md; the README has one, between its marks. Build first.
 * `--check` changes nothing and fails if it would.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchmarksPage, headlineTable, suites } from '../bench/dist/index.js'
import { root } from './run.mjs'

const START = '<!-- figures -->'
const END = '<!-- /figures -->'

function read(suite) {
  const path = join(root, 'bench', 'results', `${suite}.json`)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/** Files of a suite's cells, in the order of their names. */
function readCells(suite) {
  const folder = join(root, 'bench', 'cells', suite)
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  return names.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
}

function update(name, write) {
  const path = join(root, name)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const updated = write(text)
  if (!process.argv.includes('--check')) return writeFileSync(path, updated)
  if (updated === text) return console.log(`figures of ${name} match bench/results`)
  console.error(`figures of ${name} differ from bench/results; run \`node scripts/figures.mjs\`.`)
  process.exitCode = 1
}

update('docs/benchmarks.md', () => benchmarksPage(suites, read, readCells))
update('README.md', (text) => {
  const [before, rest] = text.split(START)
  return `${before}${START}\n${headlineTable(suites, read)}\n${END}${rest.split(END)[1]}`
})
