/**
 * The two ways to repair codes, side by side (docs/notes/handler.md): the search of `repairCode` and the augmented
 * Lagrangian of `handleCode`, and the second begun where the first ended, the shorter way taken; on random codes that touch,
 * as they come in use where a file can tell, in seconds of processor time. Build first.
 *
 * Usage: node scripts/repair-speed.mjs [--body NAME] [--file PATH] [--codes N] [--margin M] [--second M] [--tolerance T] [--goals]
 *   --body   a file of the studio; left out, all of self-contact, unless there is a --file
 *   --goals  goals in space instead: from rest, a vertex to where it is at each of the touching codes, by what weighs the code
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { commandOf } from '../packages/cli/dist/kinds/index.js'
import { exactSelfContact } from '../packages/pliant/dist/exact/index.js'
import { decode, randomStream } from '../packages/pliant/dist/index.js'
import { HANDLE_DEFAULTS, handleCode, REPAIR_DEFAULTS, repairCode } from '../packages/pliant/dist/respond/index.js'
import { movedPoints } from '../packages/pliant/dist/unstable.js'
import { toolOf } from '../packages/train/dist/kinds/index.js'
import { root } from './run.mjs'

const { values: options } = parseArgs({
  options: {
    body: { type: 'string', multiple: true },
    file: { type: 'string', multiple: true, default: [] },
    codes: { type: 'string', default: '500' },
    margin: { type: 'string', default: String(HANDLE_DEFAULTS.margin) },
    second: { type: 'string', default: String(HANDLE_DEFAULTS.secondMargin) },
    tolerance: { type: 'string', default: String(HANDLE_DEFAULTS.tolerance) },
    goals: { type: 'boolean', default: false },
  },
})

const STUDIO = ['bracelet', 'spring', 'snake', 'bunny-self-contact']
const count = Number(options.codes)
const margin = Number(options.margin)
const handling = { margin, secondMargin: Number(options.second), tolerance: Number(options.tolerance) }

/** Codes repaired before the clock runs, so that everything is compiled. */
const WARM = 20

/** Codes drawn at a time: those of even numbers are drawn otherwise than those of odd ones. */
const DRAWN = 64

/** Random codes that touch, as a file is evaluated on: of the box, or around the poses of its held-out clips. */
function touchingCodes(exact, { bounds: { lower, upper }, draw }, wanted) {
  const random = randomStream(1)
  const anywhere = () => [Float64Array.from(lower, (low, k) => random.between(low, upper[k]))]
  const asDrawn = () => {
    const drawn = Float64Array.from(draw(DRAWN, random))
    return Array.from({ length: DRAWN }, (_, i) => drawn.slice(i * lower.length, (i + 1) * lower.length))
  }
  const codes = []
  while (codes.length < wanted) codes.push(...(draw ? asDrawn() : anywhere()).filter((code) => exact.touches(code)))
  return codes.slice(0, wanted)
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

/** What the code weighs beside a goal in space. */
const CODE_WEIGHTS = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6]

/** Goals are those of the vertices that move furthest from rest. */
function measureGoals(field, exact, model, codes) {
  const rest = new Float64Array(model.codeSize)
  const [at, away] = [rest, rest].map(() => new Float64Array(3 * model.vertexCount))
  model.positions(rest, at)
  const goals = codes.map((code) => {
    model.positions(code, away)
    const ways = Array.from({ length: model.vertexCount }, (_, v) =>
      Math.hypot(...[0, 1, 2].map((axis) => away[3 * v + axis] - at[3 * v + axis])),
    )
    const way = Math.max(...ways)
    const vertex = ways.indexOf(way)
    return { way, points: movedPoints(model, [vertex]), targets: away.slice(3 * vertex, 3 * vertex + 3) }
  })
  return CODE_WEIGHTS.map((codeWeight) => {
    const out = new Float64Array(model.codeSize)
    const place = new Float64Array(3)
    const start = process.cpuUsage()
    const results = goals.map(({ way, points, targets }) => {
      const report = handleCode(field, exact, rest, { ...handling, goal: { points, targets, codeWeight } }, out)
      points.positions(out, place)
      return { ...report, off: Math.hypot(...place.map((value, axis) => value - targets[axis])) / way }
    })
    const { user, system } = process.cpuUsage(start)
    const off = results.map((result) => result.off).sort((a, b) => a - b)
    return {
      codeWeight,
      'free %': (100 * mean(results.map(({ free }) => Number(free)))).toFixed(1),
      'left of the way, median %': (100 * off[off.length >> 1]).toFixed(2),
      'mean %': (100 * mean(off)).toFixed(2),
      'code moved': mean(results.map(({ moved }) => moved)).toFixed(3),
      'ms each': ((user + system) / 1000 / goals.length).toFixed(1),
      'exact tests': mean(results.map(({ tests }) => tests)).toFixed(1),
      'searched %': (100 * mean(results.map(({ searched }) => Number(searched)))).toFixed(1),
    }
  })
}

console.log(`${count} touching codes each; margin ${margin}, tests ${REPAIR_DEFAULTS.tests}`, handling)
const rows = []
const named = options.body ?? (options.file.length > 0 ? [] : STUDIO)
const paths = named.map((body) => join(root, 'apps/studio/public/artifacts', `${body}.safetensors`))
for (const path of [...paths, ...options.file]) {
  const bytes = readFileSync(path)
  const body = basename(path, '.safetensors')
  const artifact = await decode(bytes)
  const { field, source } = await toolOf(artifact, 'contacts')(artifact)
  const exact = exactSelfContact(commandOf(path, artifact, 'repair').shapeOf(artifact))
  const codes = touchingCodes(exact, source, count)
  if (options.goals) {
    const model = commandOf(path, artifact, 'repair').modelOf(artifact)
    rows.push(...measureGoals(field, exact, model, codes).map((row) => ({ body, ...row })))
    field.dispose()
    continue
  }
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
