/**
 * `npm test`: installs what is missing, builds, runs every check and every test, and ends with one line
 * `N passed, N failed` (and `, N skipped`). Each check counts as one test.
 *
 * Words after `npm test --` go to vitest, to run a part of the tests.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { countTests, slowestFiles } from './count-tests.mjs'
import { ensureChromium } from './ensure-chromium.mjs'
import { ensureInstalled } from './ensure-installed.mjs'
import { build, root, runNode } from './run.mjs'

const total = { passed: 0, failed: 0, skipped: 0 }
/** What failed, repeated at the end where it is read. */
const failures = []

/** Files named as the slowest: all tests together should stay below 20 minutes. */
const SHOWN = 25

function fail(what) {
  total.failed++
  failures.push(what)
}

async function check(name, work) {
  const start = performance.now()
  console.log(`\n== ${name}`)
  const code = await work()
  console.log(`== ${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${((performance.now() - start) / 1000).toFixed(1)} s`)
  if (code === 0) total.passed++
  else fail(name)
  return code === 0
}

const node = (...words) => runNode(words).then(({ code }) => code)
const tsc = (...words) => node('node_modules/typescript/bin/tsc', ...words)

async function runChecks() {
  const built = await check('build', () => build({ studio: true }))
  await check('type check of the tests', () => tsc('-p', 'tsconfig.test.json'))
  if (built) await check('type check of the studio', () => tsc('--noEmit', '-p', 'apps/studio/tsconfig.json'))
  else fail('type check of the studio: not checked, because the build failed')
  await check('lint and format', () => node('node_modules/@biomejs/biome/bin/biome', 'check', '.'))
  await check('import directions', () => node('scripts/check-imports.mjs'))
  if (built) await check('figures in documents', () => node('scripts/figures.mjs', '--check'))
  else fail('figures in documents: not checked, because the build failed')
  if (built) await check('bundle size', () => node('scripts/check-bundle.mjs'))
  else fail('bundle size: not checked, because the build failed')
}

async function runTests(hasChromium) {
  const report = join(root, 'out', 'vitest.json')
  mkdirSync(join(root, 'out'), { recursive: true })
  rmSync(report, { force: true })
  const words = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  if (!hasChromium) {
    words.push('--project', 'shared', '--project', 'node')
    const files = browserTestFiles()
    total.skipped += files.length
    console.log(`\n${files.length} browser test files skipped, because there is no Chromium:\n  ${files.join('\n  ')}`)
  }
  console.log('\n== tests')
  const code = await node('node_modules/vitest/vitest.mjs', ...words, ...process.argv.slice(2))
  const told = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
  const slowest = slowestFiles(told, SHOWN).map(({ name, seconds }) => `${seconds.toFixed(0).padStart(6)} s  ${name}`)
  console.log(`\nSlowest files:\n${slowest.join('\n').replaceAll(`${root}/`, '')}`)
  const count = countTests(told, code)
  total.passed += count.passed
  total.skipped += count.skipped
  for (const failure of count.failures) fail(failure.replace(`${root}/`, ''))
}

function browserTestFiles() {
  return ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent), { recursive: true })
      .map((name) => `${parent}/${name}`)
      .filter((name) => name.endsWith('.browser.test.ts') && !name.includes('node_modules')),
  )
}

let ready = false
try {
  await ensureInstalled()
  ready = true
} catch (error) {
  fail(error.message)
}
if (ready) {
  const hasChromium = await ensureChromium()
  await runChecks()
  await runTests(hasChromium)
}
if (failures.length > 0) console.log(`\nFailed:\n  ${failures.join('\n  ')}`)
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`)
process.exitCode = total.failed > 0 ? 1 : 0
