/**
 * Ours beside native libraries in one run, each on one thread: queries of a soft body and a character, of the soft body
 * with finer surfaces, and pairs of triangles that meet. All follow the same shapes and answer the same points, in turns;
 * whether they answer alike is told beside the times.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { POINT_KINDS } from '../../queries/query-points.js'
import { stagesOf } from '../../suite/stages.js'
import type { RunOptions } from '../../suite/suite.js'
import { type AgreementRow, compareAnswers } from './agreement.js'
import { dividedBody, type LearnedRacedBody, type RacedBody, skinnedBody, softBody, tube } from './bodies.js'
import { type CollisionRow, timeCollisions } from './collisions.js'
import { writeBody } from './data-folder.js'
import type { NativeGiven } from './inputs.js'
import { NativeProgram } from './native-program.js'
import { type BuiltPrograms, buildPrograms, PROGRAMS, type ProgramName, type SkippedProgram } from './programs.js'
import { type Programs, type QueryRow, queryRacers, timeQueries } from './queries.js'
import type { QueryMethod } from './rivals.js'

export interface NativeBenchResult {
  /** That were built and ran. */
  programs: ProgramName[]
  /** That were left out, and why. */
  skipped: SkippedProgram[]
  queries: QueryRow[]
  /** The soft body with its triangles as they are and divided in four and in sixteen. */
  sizes: QueryRow[]
  collisions: CollisionRow[]
  agreement: AgreementRow[]
}

export interface NativeEffort {
  /** Poses of each body. */
  frames: number
  /** Of queries; the largest is how many points there are of each pose and kind. */
  counts: readonly number[]
  sizeCounts: readonly number[]
  /** How often the soft body's triangles are divided in four. */
  divisions: number
  rounds: number
  /** Of each method before each row [ms]. */
  warmUp: number
  agreement: { frames: number; points: number }
}
const FULL: NativeEffort = {
  frames: 16,
  counts: [1, 16, 128, 1024, 8192],
  sizeCounts: [1, 128, 1024],
  divisions: 2,
  rounds: 9,
  warmUp: 60,
  agreement: { frames: 8, points: 1024 },
}
const QUICK: NativeEffort = {
  frames: 4,
  counts: [1, 128, 1024],
  sizeCounts: [128],
  divisions: 2,
  rounds: 3,
  warmUp: 20,
  agreement: { frames: 2, points: 256 },
}

/** Who races where the surface gets finer. */
const SIZE_METHODS: readonly QueryMethod[] = [
  'learned',
  'learnedTriangles',
  'exact',
  'exactStop',
  'embree',
  'embreeStop',
]

export async function benchNative(options: RunOptions & NativeGiven): Promise<NativeBenchResult> {
  stagesOf(options)('building', 0, 0)({ fraction: 0 })
  const built = await buildPrograms({ signal: options.signal })
  return raceNative(built, options.quick ? QUICK : FULL, options)
}

/** @param built  paths of programs that speak the protocol */
export async function raceNative(
  { paths, skipped }: BuiltPrograms,
  effort: NativeEffort,
  options: RunOptions & NativeGiven,
): Promise<NativeBenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'pliant-native-'))
  const programs: Programs = {}
  const bodies: LearnedRacedBody[] = []
  try {
    for (const [name, path] of Object.entries(paths) as [ProgramName, string][]) {
      programs[name] = new NativeProgram(name, path, folder)
    }
    const most = Math.max(...effort.counts)
    const onProgress = stagesOf(options)('poses', 0, 0.1)
    bodies.push(await softBody(options.softBody, effort.frames, most, { signal: options.signal, onProgress }))
    bodies.push(await skinnedBody(options.character, effort.frames, most))
    const measured = await measure(bodies, { programs, folder }, effort, options)
    return { programs: PROGRAMS.filter((name) => paths[name]), skipped, ...measured }
  } finally {
    for (const program of Object.values(programs)) program.dispose()
    for (const { learned } of bodies) learned.dispose()
    await rm(folder, { recursive: true })
  }
}

async function measure(
  bodies: readonly LearnedRacedBody[],
  { programs, folder }: { programs: Programs; folder: string },
  effort: NativeEffort,
  options: RunOptions,
): Promise<Omit<NativeBenchResult, 'programs' | 'skipped'>> {
  const { rounds, warmUp, counts, sizeCounts } = effort
  const racing = { rounds, warmUp, signal: options.signal }
  const stage = stagesOf(options)
  const file = join(folder, 'answers')
  const sized = [bodies[0]]
  for (let i = 0; i < effort.divisions; i++) sized.push(dividedBody(sized.at(-1)!))
  const folding: RacedBody[] = [tube(effort.frames), ...bodies]
  for (const body of new Set([...folding, ...sized])) await writeBody(folder, body)

  const queries: QueryRow[] = []
  const agreement: AgreementRow[] = []
  const report = stage('queries', 0.1, 0.7)
  const rows = bodies.length * POINT_KINDS.length * counts.length
  for (const body of bodies) {
    const racers = queryRacers(body, programs)
    agreement.push(...(await compareAnswers(racers, { ...effort.agreement, file })))
    for (const points of POINT_KINDS) {
      for (const count of counts) {
        report({ fraction: queries.length / rows, detail: `${body.name}, ${count} ${points} points` })
        queries.push(await timeQueries(racers, points, count, racing))
      }
    }
  }
  const sizes: QueryRow[] = []
  const reportSizes = stage('sizes', 0.7, 0.85)
  for (const body of sized) {
    const racers = queryRacers(body, programs)
    for (const count of sizeCounts) {
      const detail = `${body.surface.triangles.length / 3} triangles`
      reportSizes({ fraction: sizes.length / (sizeCounts.length * sized.length), detail })
      sizes.push(await timeQueries(racers, 'near', count, racing, SIZE_METHODS))
    }
  }
  const collisions: CollisionRow[] = []
  const reportPairs = stage('pairs', 0.85, 1)
  for (const body of folding) {
    reportPairs({ fraction: collisions.length / folding.length, detail: body.name })
    collisions.push(await timeCollisions(body, programs, { ...racing, file }))
  }
  return { queries, sizes, collisions, agreement }
}
