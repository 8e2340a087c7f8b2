/**
 * Times of two checkouts' bench suites, run in turns on one machine that does nothing else. A row is a time that both print
 * under the same name; it is the best of the runs, and is called slower only if it is in either half of them, as single
 * rows swing by more than what is asked about.
 *
 * Usage: node scripts/compare-suites.mjs BEFORE AFTER [--suite NAME]... [--runs N] [--beyond SHARE] [--quick] [--keep FOLDER]
 *   BEFORE, AFTER  roots of built checkouts
 *   --runs    turns of each suite (default: 4)
 *   --beyond  share by which a row has to be slower to be named (default: 0.05)
 *   --keep    a folder for what each run printed; runs that are there already are not run again
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    suite: { type: 'string', multiple: true, default: ['exact', 'train', 'kernels', 'haptics', 'cloth'] },
    runs: { type: 'string', default: '4' },
    beyond: { type: 'string', default: '0.05' },
    quick: { type: 'boolean', default: false },
    keep: { type: 'string', default: 'out/compare-suites' },
  },
})
if (positionals.length !== 2)
  throw new RangeError('compare-suites: give two checkouts, the one before and the one after.')
const roots = { before: resolve(positionals[0]), after: resolve(positionals[1]) }
const [runs, beyond] = [Number(options.runs), Number(options.beyond)]
mkdirSync(options.keep, { recursive: true })

/** Times of suite exact, whose names do not say so. */
const EXACT = /^\/(distance|refit|selfIntersection)\/(\d+\/)?(?!ratio|pairs)\w+$/

for (const suite of options.suite) {
  const times = { before: [], after: [] }
  for (let run = 0; run < runs; run++) {
    // Who goes first changes, so that neither always follows a rest.
    for (const side of run % 2 === 0 ? ['before', 'after'] : ['after', 'before']) {
      times[side].push(timesOf(measured(suite, side, run)))
    }
  }
  report(suite, times)
}

function measured(suite, side, run) {
  const path = join(options.keep, `${suite}-${side}-${run + 1}.json`)
  if (!existsSync(path)) {
    const quick = options.quick ? ['--quick'] : []
    const args = ['packages/cli/bin/pliant.mjs', 'bench', suite, '--json', '--quiet', ...quick]
    const began = performance.now()
    writeFileSync(path, execFileSync('node', args, { cwd: roots[side], maxBuffer: 1 << 28 }))
    process.stderr.write(`${suite} ${side} ${run + 1}/${runs}: ${Math.round((performance.now() - began) / 1000)} s\n`)
  }
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** Every number of a result that is a time by its name or by that of what holds it; of what is done a second, one over it. */
function timesOf({ result }) {
  const found = new Map()
  const visit = (value, path) => {
    if (typeof value === 'number') {
      if (/perSecond$/i.test(path)) found.set(path, 1 / value)
      else if (/seconds/i.test(path) || EXACT.test(path)) found.set(path, value)
    } else if (value && typeof value === 'object') {
      for (const [name, item] of Object.entries(value)) visit(item, `${path}/${name}`)
    }
  }
  visit(result, '')
  return found
}

function report(suite, { before, after }) {
  const names = [...before[0].keys()].filter((name) => [...before, ...after].every((run) => run.get(name) > 0))
  const best = (list, name) => Math.min(...list.map((run) => run.get(name)))
  const ratioOf = (name, picked) => best(after.filter(picked), name) / best(before.filter(picked), name)
  const rows = names.map((name) => ({
    name,
    ratio: ratioOf(name, () => true),
    halves: [ratioOf(name, (_, i) => i < runs / 2), ratioOf(name, (_, i) => i >= runs / 2)],
  }))
  const sorted = rows.map(({ ratio }) => ratio).sort((a, b) => a - b)
  const at = (share) => sorted[Math.round(share * (sorted.length - 1))]?.toFixed(3)
  const beside = before[0].size - names.length
  console.log(
    `${suite}: ${rows.length} rows (${beside} of one side only or 0), ${runs} runs of each; after over before`,
  )
  console.log(`  quarter ${at(0.25)}, median ${at(0.5)}, three quarters ${at(0.75)}`)
  for (const [word, isBeyond] of [
    ['slower', (ratio) => ratio > 1 + beyond],
    ['faster', (ratio) => ratio < 1 / (1 + beyond)],
  ]) {
    const such = rows.filter(({ halves }) => halves.every(isBeyond))
    const once = rows.filter(({ halves }) => halves.some(isBeyond)).length - such.length
    console.log(`  ${word} by ${100 * beyond}% in both halves: ${such.length} rows; in one of them: ${once}`)
    for (const { name, ratio, halves } of such) {
      console.log(`    ${name} ${ratio.toFixed(3)} (${halves.map((half) => half.toFixed(3)).join(', ')})`)
    }
  }
}
