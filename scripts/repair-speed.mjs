/**
 * The two ways to repair codes, side by side (docs/notes/handler.md): the search of `repairCode` and the augmented
 * Lagrangian of `handleCode`, and the second begun where the first ended, the shorter way taken; on random codes that touch, in seconds of processor time. Build first.
 *
 * Usage: node scripts/repair-speed.mjs [--body NAME] [--file PATH] [--codes N] [--margin M] [--second M] [--tolerance T]
 *   --body  a file of the studio; left out, all of self-contact, unless there is a --file
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { exactSelfContact } from '../packages/pliant/dist/exact/index.js'
import { decode, load, randomStream } from '../packages/pliant/dist/index.js'
import { HANDLE_DEFAULTS, handleCode, REPAIR_DEFAULTS, repairCode } from '../packages/pliant/dist/respond/index.js'
import { root } from './run.mjs'

const { values: options } = parseArgs({
  options: {
    body: { type: 'string', multiple: true },
    file: { type: 'string', multiple: true, default: [] },
    codes: { type: 'string', default: '500' },
    margin: { type: 'string', default: String(HANDLE_DEFAULTS.margin) },
    second: { type: 'string', default: String(HANDLE_DEFAULTS.secondMargin) },
    tolerance: { type: 'string', default: String(HANDLE_DEFAULTS.tolerance) },
  },
})

const STUDIO = ['bracelet', 'spring', 'snake', 'bunny-self-contact']
const count = Number(options.codes)
const margin = Number(options.margin)
const handling = { margin, secondMargin: Number(options.second), tolerance: Number(options.tolerance) }

/** Codes repaired before the clock runs, so that everything is compiled. */
const WARM = 20

/** Random codes of the box that touch. */
function touchingCodes(exact, { lower, upper }, wanted) {
  const random = randomStream(1)
  const codes = []
  while (codes.length < wanted) {
    const code = Float64Array.from(lower, (low, k) => random.between(low, upper[k]))
    if (exact.touches(code)) codes.push(code)
  }
  return codes
}

/** The field, asked one code at a time by both, and counted. */
function counted(field) {
  return {
    codeSize: field.codeSize,
    bounds: field.bounds,
    asked: 0,
    query(codes, rows, distances, gradients) {
      this.asked += rows
      field.query(codes, rows, distances, gradients)
    },
  }
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

function measure(field, exact, codes, repair) {
  const out = new Float64Array(field.codeSize)
  for (const code of codes.slice(0, WARM)) repair(field, exact, code, out)
  field.asked = 0
  const start = process.cpuUsage()
  const results = codes.map((code) => ({ report: repair(field, exact, code, out), code: out.slice() }))
  const { user, system } = process.cpuUsage(start)
  const free = results.map(({ report, code }) => {
    if (report.free === exact.touches(code)) throw new Error('a report says other than the exact test')
    return report.free
  })
  const reports = results.map(({ report }) => report)
  return {
    moved: reports.map((report) => report.moved),
    row: {
      'free %': (100 * mean(free.map(Number))).toFixed(1),
      'mean way': mean(reports.map((report) => report.moved)).toFixed(4),
      'ms each': ((user + system) / 1000 / codes.length).toFixed(2),
      'field asked': mean([field.asked / codes.length]).toFixed(1),
      'exact tests': mean(reports.map((report) => report.tests)).toFixed(1),
      ...('solves' in reports[0] && {
        'second solve %': (100 * mean(reports.map((report) => Number(report.solves > 1)))).toFixed(1),
        'searched %': (100 * mean(reports.map((report) => Number(report.searched)))).toFixed(1),
        'outer iterations': mean(reports.map((report) => report.outerIterations)).toFixed(1),
      }),
    },
  }
}

const WAYS = {
  search: (field, exact, code, out) => repairCode(field, exact, code, { margin }, out),
  lagrangian: (field, exact, code, out) => handleCode(field, exact, code, handling, out),
  joined: (field, exact, code, out) => {
    const searched = repairCode(field, exact, code, { margin }, out)
    const start = out.slice()
    const solved = handleCode(field, exact, code, { ...handling, start }, out)
    const tests = searched.tests + solved.tests
    if (solved.free && solved.moved < searched.moved) return { ...solved, tests }
    out.set(start)
    return { ...solved, ...searched, tests }
  },
}

console.log(`${count} touching codes each; margin ${margin}, tests ${REPAIR_DEFAULTS.tests}`, handling)
const rows = []
const named = options.body ?? (options.file.length > 0 ? [] : STUDIO)
const paths = named.map((body) => join(root, 'apps/studio/public/artifacts', `${body}.safetensors`))
for (const path of [...paths, ...options.file]) {
  const bytes = readFileSync(path)
  const body = basename(path, '.safetensors')
  const field = await load(bytes, { kind: 'self-contact' })
  const exact = exactSelfContact((await decode(bytes, 'self-contact')).model)
  const codes = touchingCodes(exact, field.bounds, count)
  const asked = counted(field)
  const ways = []
  for (const [name, repair] of Object.entries(WAYS)) {
    const { moved, row } = measure(asked, exact, codes, repair)
    ways.push(moved)
    rows.push({
      body,
      'code size': field.codeSize,
      way: name,
      ...row,
      'shorter %': (100 * mean(moved.map((way, i) => Number(way < 0.99 * ways[0][i])))).toFixed(1),
      'longer %': (100 * mean(moved.map((way, i) => Number(way > 1.01 * ways[0][i])))).toFixed(1),
    })
    console.error(JSON.stringify(rows.at(-1)))
  }
  field.dispose()
}
console.table(rows)
