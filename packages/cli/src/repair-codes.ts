/** `pliant repair --code` and `--target`: codes moved to free ones, near themselves or with vertices where they are wanted. */
import type { Artifact, ReducedModel } from 'pliant'
import type { CartesianGoal, RepairReport } from 'pliant/respond'
import { type Codes, npyBytes, readCodes } from './arrays.js'
import { readTrained } from './artifact-file.js'
import { inBatches } from './batches.js'
import { asBadInput } from './errors.js'
import { checkWritable, writeAllBeside } from './files.js'
import { formatCount, formatNumber, formatSeconds, labelled } from './format.js'
import { commandOf } from './kinds/index.js'
import type { Report } from './output.js'
import { meshFiles, meshPaths } from './shape-meshes.js'
import { readTargets, type Target } from './targets.js'
import type { Call } from './verb.js'

/** Codes repaired between two looks at Ctrl-C: each may take some tens of exact tests. */
const PIECE = 8

export async function repairCodes(call: Call): Promise<Report> {
  const { args } = call
  const [path] = args.operands
  const [codePath, targetText, meshPath] = [args.text('code'), args.text('target'), args.text('mesh')]
  const out = args.required('out')
  const inputs = [path, ...(codePath === undefined ? [] : [codePath])]
  await checkWritable([out], inputs)
  const { artifact } = await readTrained(path)
  const command = commandOf(path, artifact, 'repair')
  const model = command.modelOf(artifact)
  const targets = targetText === undefined ? [] : readTargets(targetText, model.vertexCount, path)
  const { data, count, shape } =
    codePath === undefined ? restCode(model) : await readCodes(codePath, model.codeSize, path)
  const meshes = meshPath === undefined ? [] : meshPaths(meshPath, count)
  await checkWritable([out, ...meshes], inputs)
  const { REPAIR_DEFAULTS, handleCode, repairCode } = await import('pliant/respond')
  const { exactSelfContact } = await import('pliant/exact')
  const margin = args.number('margin', { lower: 0 }) ?? REPAIR_DEFAULTS.margin
  const goal = targets.length > 0 ? await goalOf(model, targets) : undefined
  const field = await command.open(artifact, {})
  const exact = call.unbroken(() => exactSelfContact(command.shapeOf(artifact)))

  const repaired = data.slice()
  const reports: RepairReport[] = []
  const start = performance.now()
  await inBatches(
    count,
    'repairing codes',
    call,
    (from, to) => {
      for (let i = from; i < to; i++) {
        const code = repaired.subarray(i * model.codeSize, (i + 1) * model.codeSize)
        // The search goes less far and takes less time where there is no goal but the code (docs/notes/handler.md).
        const report = goal
          ? handleCode(field, exact, code, { margin, goal }, code)
          : repairCode(field, exact, code, { margin }, code)
        reports.push(report)
      }
    },
    PIECE,
  )
  const seconds = (performance.now() - start) / 1000
  field.dispose()
  const comments = reports.map(({ free }, i) => commentOn(artifact, free, i, count))
  await writeAllBeside([
    { path: out, bytes: npyBytes(repaired, shape) },
    ...meshFiles(meshes, model, repaired, comments),
  ])
  const reached = goal ? distancesTo(goal, targets, repaired) : []
  return reportOf(artifact, { ...summaryOf(reports), margin, seconds }, reached, [out, ...meshes])
}

/** Zeros, in the box. */
function restCode({ codeSize, bounds: { lower, upper } }: ReducedModel): Codes {
  const data = Float64Array.from({ length: codeSize }, (_, k) => Math.min(Math.max(0, lower[k]), upper[k]))
  return { data, count: 1, shape: [codeSize], precision: 'float64' }
}

async function goalOf(model: ReducedModel, targets: readonly Target[]): Promise<CartesianGoal> {
  const { movedPoints } = await import('pliant/unstable')
  const vertices = targets.map(({ vertex }) => vertex)
  const points = await asBadInput(async () => movedPoints(model, vertices))
  return { points, targets: targets.flatMap(({ place }) => place) }
}

function commentOn({ manifest }: Artifact, free: boolean, i: number, count: number): string {
  const which = count > 1 ? `code ${i + 1} of ${count}` : 'a code'
  return `pliant repair: ${manifest.name} at ${which}, ${free ? 'free' : 'touches itself'} by the exact test`
}

/** How near a vertex came. */
interface ReachedTarget extends Target {
  /** From the goal, for each code [m]. */
  distances: number[]
}

function distancesTo(
  { points }: CartesianGoal,
  targets: readonly Target[],
  codes: Float32Array | Float64Array,
): ReachedTarget[] {
  const { codeSize, pointCount } = points
  const reached = targets.map((target) => ({ ...target, distances: [] as number[] }))
  const at = new Float64Array(3 * pointCount)
  for (let start = 0; start < codes.length; start += codeSize) {
    points.positions(codes.subarray(start, start + codeSize), at)
    reached.forEach(({ place, distances }, i) => {
      distances.push(Math.hypot(...place.map((value, axis) => value - at[3 * i + axis])))
    })
  }
  return reached
}

interface Summary {
  touching: number
  outsideBox: number
  freed: number
  free: boolean[]
  moved: { codes: number; mean: number; max: number }
  exactTests: number
  margin: number
  seconds: number
}

function summaryOf(reports: readonly RepairReport[]): Omit<Summary, 'margin' | 'seconds'> {
  const ways = reports.flatMap(({ moved }) => (moved > 0 ? [moved] : []))
  const touching = reports.filter(({ wasFree }) => !wasFree)
  return {
    touching: touching.length,
    outsideBox: reports.filter(({ clamped }) => clamped).length,
    freed: touching.filter(({ free }) => free).length,
    free: reports.map(({ free }) => free),
    moved: { codes: ways.length, mean: meanOf(ways), max: largest(ways) },
    exactTests: reports.reduce((sum, { tests }) => sum + tests, 0),
  }
}

function reportOf(
  { manifest }: Artifact,
  summary: Summary,
  reached: readonly ReachedTarget[],
  files: readonly string[],
): Report {
  const count = summary.free.length
  const stuck = summary.free.filter((free) => !free).length
  return {
    json: {
      count,
      ...summary,
      ...(reached.length > 0 ? { targets: reached } : {}),
      fault: manifest.fault ?? null,
      files,
    },
    text: labelled(rowsOf(count, summary, reached, files)),
    failed:
      stuck > 0
        ? `repair: ${formatCount(stuck)} of ${formatCount(count)} codes could not be freed and are written as they were; try another --margin.`
        : undefined,
  }
}

function rowsOf(
  count: number,
  summary: Summary,
  reached: readonly ReachedTarget[],
  files: readonly string[],
): [string, string][] {
  const { touching, outsideBox, freed, free, moved, exactTests, seconds } = summary
  const codesFree = `${formatCount(free.filter(Boolean).length)} of ${formatCount(count)}`
  const touchingFreed = `${formatCount(freed)} of these ${formatCount(touching)}`
  const rows: [string, string][] = [
    ['codes', `${formatCount(count)}, ${formatCount(touching)} of them touching themselves`],
    // Goals may lead free codes astray, too.
    ['free now', `${reached.length > 0 ? codesFree : touchingFreed}, by the exact test`],
    [
      'moved',
      `${formatCount(moved.codes)}, by ${formatNumber(moved.mean)} in the mean, ${formatNumber(moved.max)} at most`,
    ],
  ]
  for (const { vertex, distances } of reached) {
    const most = count > 1 ? ` in the mean, ${formatNumber(largest(distances))} m at most` : ''
    rows.push([`vertex ${vertex}`, `${formatNumber(meanOf(distances))} m from its goal${most}`])
  }
  if (outsideBox > 0) rows.push(['outside', `${formatCount(outsideBox)} were put into the box that was trained first`])
  rows.push(['time', `${formatSeconds(seconds)}, ${formatCount(exactTests)} exact tests`])
  rows.push(['written', files.length > 2 ? `${files[0]}, ${files[1]} to ${files[files.length - 1]}` : files.join(', ')])
  return rows
}

function meanOf(values: readonly number[]): number {
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : 0
}

function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0)
}
