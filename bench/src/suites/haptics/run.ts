/**
 * An elastic body that is touched (Zesch et al. section 4.1), all that we claim of it in one run: query time against the
 * number of queries (Fig. 4) and where it goes, nearest triangles (Table 1), error beside time, and whole frames of
 * haptics over a recorded path.
 */

import { runTimeMaterial } from '@pliant/train/unstable'
import { type BodyMaterial, load } from 'pliant'
import { POINT_KINDS } from '../../queries/query-points.js'
import { type Stages, stagesOf } from '../../suite/stages.js'
import type { RunOptions } from '../../suite/suite.js'
import type { HapticsGiven } from './inputs.js'
import { NATIVE_MARKS, PAPER_HAPTICS } from './paper.js'
import { countMultiplications, type Multiplications, measureBodies, type QualityResult } from './quality.js'
import { makeRivals, type QueryRow, type StepSplit, splitStep, timeRow } from './queries.js'
import { drawPoses, type HapticsSubject, openSubject } from './subject.js'
import { measureTouch, type TouchResult } from './touch.js'
import {
  compareTriangles,
  type Table1Row,
  type TriangleEquality,
  type TriangleRow,
  timeTable1,
  timeTriangles,
} from './triangles.js'

export interface HapticsBenchResult {
  body: {
    name: string
    nodes: number
    tetrahedra: number
    triangles: number
    modes: number
    /** Of its box at rest [m]. */
    diagonal: number
    material: { training: BodyMaterial; runTime: BodyMaterial }
  }
  network: {
    backend: string
    artifactBytes: number
    paperTrained: boolean
    multiplications: Record<'learned' | 'paper', Multiplications>
  }
  /** What the paper says of its own, and what native libraries take, for comparison. */
  paper: typeof PAPER_HAPTICS
  native: typeof NATIVE_MARKS
  split: StepSplit
  queries: QueryRow[]
  triangles: { rows: TriangleRow[]; equality: TriangleEquality; table1: Table1Row[] }
  quality: QualityResult
  touch: TouchResult
}

const FULL = {
  counts: [1, 4, 16, 64, 128, 256, 1024, 4096, 16_384, 100_000],
  triangleCounts: [1, 16, 128, 1024],
  table1Rows: 5,
  /** Points of each pose and kind whose triangles are compared. */
  compared: 500,
  /** About how long each method is timed in each row [s]. */
  seconds: 0.3,
  /** Poses that take turns. */
  turns: 16,
  /** Seeds to judge by, poses of each seed (three of a drop), points of each pose. Training has seed 1. */
  seeds: [2, 3, 4, 5, 6, 7, 8],
  poses: 15,
  points: 2000,
  /** Of approaching, pressing, sliding and leaving [s]. */
  touch: [0.5, 0.5, 1.5, 0.5] as readonly [number, number, number, number],
}
const QUICK: typeof FULL = {
  counts: [1, 16, 128, 1024],
  triangleCounts: [1, 128],
  table1Rows: 2,
  compared: 50,
  seconds: 0.05,
  turns: 4,
  seeds: [2, 3],
  poses: 2,
  points: 500,
  touch: [0.3, 0.4, 0.5, 0.2],
}

export async function benchHaptics(options: RunOptions & HapticsGiven): Promise<HapticsBenchResult> {
  const subject = await openGiven(options)
  return measureHaptics(subject, await drawTurns(subject, options), options)
}

/** @throws Error if no file is given, or `openSubject` refuses it */
export async function openGiven({ artifact, paper }: HapticsGiven): Promise<HapticsSubject> {
  if (artifact) return openSubject(artifact, paper)
  throw new Error('bench haptics: no artifact; train one with `pliant train bunny` and pass it with --file.')
}

/** The poses that take turns. */
export function drawTurns(subject: HapticsSubject, options: RunOptions): Promise<Float64Array[]> {
  const { turns } = options.quick ? QUICK : FULL
  return drawPoses(subject, turns, { signal: options.signal, onProgress: stagesOf(options)('poses', 0, 0.1) })
}

export async function measureHaptics(
  subject: HapticsSubject,
  poses: readonly Float64Array[],
  options: RunOptions,
): Promise<HapticsBenchResult> {
  const { signal } = options
  const effort = options.quick ? QUICK : FULL
  const stage = stagesOf(options)
  const speed = await measureSpeed(subject, poses, effort, stage)
  const quality = await measureBodies(subject, { ...effort, signal, onProgress: stage('quality', 0.6, 0.85) })
  const touch = await measureTouch(subject, {
    seconds: effort.touch,
    signal,
    onProgress: stage('touch', 0.85, 1),
  })
  return { ...(await describe(subject)), paper: PAPER_HAPTICS, native: NATIVE_MARKS, ...speed, quality, touch }
}

async function measureSpeed(
  subject: HapticsSubject,
  poses: readonly Float64Array[],
  { counts, triangleCounts, table1Rows, compared, seconds }: typeof FULL,
  stage: Stages,
): Promise<Pick<HapticsBenchResult, 'split' | 'queries' | 'triangles'>> {
  const rivals = await makeRivals(subject)
  try {
    const split = splitStep(subject, rivals, poses, seconds)
    const report = stage('queries', 0.1, 0.5)
    const queries: QueryRow[] = []
    for (const points of POINT_KINDS) {
      for (const count of counts) {
        report({ fraction: queries.length / (2 * counts.length), detail: `${count} ${points} points` })
        queries.push(await timeRow(subject, rivals, poses, points, count, seconds))
      }
    }
    const reportTriangles = stage('triangles', 0.5, 0.6)
    reportTriangles({ fraction: 0 })
    const rows = await timeTriangles(subject, rivals, poses, triangleCounts, seconds)
    reportTriangles({ fraction: 0.5 })
    const equality = await compareTriangles(subject, rivals, poses, compared)
    const table1 = await timeTable1(subject, rivals, poses, table1Rows, seconds)
    return { split, queries, triangles: { rows, equality, table1 } }
  } finally {
    await rivals.dispose()
  }
}

async function describe({
  ours,
  paper,
  surface,
  diagonal,
  material,
}: HapticsSubject): Promise<Pick<HapticsBenchResult, 'body' | 'network'>> {
  const { mesh, modal } = ours.body
  const field = await load(ours.artifact)
  const { backend } = field.network
  field.dispose()
  return {
    body: {
      name: ours.artifact.manifest.name,
      nodes: mesh.positions.length / 3,
      tetrahedra: mesh.tetrahedra.length / 4,
      triangles: surface.triangles.length / 3,
      modes: modal.codeSize,
      diagonal,
      material: { training: material, runTime: runTimeMaterial(material) },
    },
    network: {
      backend,
      artifactBytes: ours.bytes.length,
      paperTrained: paper.trained,
      multiplications: { learned: await countMultiplications(ours), paper: await countMultiplications(paper) },
    },
  }
}
