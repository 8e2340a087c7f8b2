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
import { type BuiltPrograms, buildPrograms, type ProgramName, type SkippedProgram } from './programs.js'
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

const FULL = {
  /** Poses of each body, and points of each pose and kind: the largest count. */
  frames: 16,
  counts: [1, 16, 128, 1024, 8192],
  sizeCounts: [1, 128, 1024],
  divisions: 2,
  rounds: 9,
  agreement: { frames: 8, points: 1024 },
}
const QUICK: typeof FULL = {
  frames: 4,
  counts: [1, 128, 1024],
  sizeCounts: [128],
  divisions: 2,
  rounds: 3,
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
  const built = await buildPrograms({ signal: options.signal })
  return raceNative(built, options)
}

/** @param built  paths of programs that speak the protocol */
export async function raceNative(
  { paths, skipped }: BuiltPrograms,
  options: RunOptions & NativeGiven,
): Promise<NativeBenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'pliant-native-'))
  const programs: Programs = {}
  try {
    for (const [name, path] of Object.entries(paths) as [ProgramName, string][]) {
      programs[name] = new NativeProgram(name, path, folder)
    }
    const measured = await measure(programs, folder, options)
    return { programs: Object.keys(paths) as ProgramName[], skipped, ...measured }
  } finally {
    for (const program of Object.values(programs)) program.dispose()
    await rm(folder, { recursive: true })
  }
}

async function measure(
  programs: Programs,
  folder: string,
  options: RunOptions & NativeGiven,
): Promise<Omit<NativeBenchResult, 'programs' | 'skipped'>> {
  const { signal } = options
  const effort = options.quick ? QUICK : FULL
  const stage = stagesOf(options)
  const file = join(folder, 'answers')
  const most = Math.max(...effort.counts)
  const soft = await softBody(options.softBody, effort.frames, most, { signal, onProgress: stage('poses', 0, 0.1) })
  const bodies = [soft, await skinnedBody(options.character, effort.frames, most)]
  const finer: LearnedRacedBody[] = []
  for (let i = 0; i < effort.divisions; i++) finer.push(dividedBody(finer.at(-1) ?? soft))
  const tubes = [tube(effort.frames)]
  for (const body of [...bodies, ...finer, ...tubes]) await writeBody(folder, body)

  const { rounds } = effort
  const queries: QueryRow[] = []
  const agreement: AgreementRow[] = []
  const report = stage('queries', 0.1, 0.7)
  const rows = bodies.length * POINT_KINDS.length * effort.counts.length
  for (const body of bodies) {
    const racers = queryRacers(body, programs)
    agreement.push(...(await compareAnswers(racers, { ...effort.agreement, file })))
    for (const points of POINT_KINDS) {
      for (const count of effort.counts) {
        report({ fraction: queries.length / rows, detail: `${body.name}, ${count} ${points} points` })
        queries.push(await timeQueries(racers, points, count, { rounds, signal }))
      }
    }
  }
  const sizes: QueryRow[] = []
  const reportSizes = stage('sizes', 0.7, 0.85)
  for (const body of [soft, ...finer]) {
    const racers = queryRacers(body, programs)
    for (const count of effort.sizeCounts) {
      reportSizes({ fraction: sizes.length / (effort.sizeCounts.length * (1 + finer.length)), detail: body.name })
      sizes.push(await timeQueries(racers, 'near', count, { rounds, signal }, SIZE_METHODS))
    }
  }
  const collisions: CollisionRow[] = []
  const reportPairs = stage('pairs', 0.85, 1)
  const folding: RacedBody[] = [...tubes, ...bodies]
  for (const body of folding) {
    reportPairs({ fraction: collisions.length / folding.length, detail: body.name })
    collisions.push(await timeCollisions(body, programs, { rounds, file, signal }))
  }
  return { queries, sizes, collisions, agreement }
}
