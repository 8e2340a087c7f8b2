/**
 * Query time against the number of queries (Zesch et al. Fig. 4): one step is a body that has bent, and N queries, of
 * points anywhere in its box and of points near its surface, where tools really are. All methods take turns in one run.
 */
import type { ElasticField } from 'pliant'
import { gatherVertices } from 'pliant/respond'
import { drawPointsAbout, type PointKind } from '../../queries/query-points.js'
import { type Gain, gainOver } from '../../timing/best-rival.js'
import { type TurnTimes, timeTurns, timeTurnsAwaiting } from '../../timing/turns.js'
import {
  answerByBvh,
  answerByExact,
  answerByExport,
  answerByNetwork,
  answerByPaperOnnx,
  createTouchAnswers,
  openExport,
  openPaperOnnx,
  searchPatches,
  type TouchAnswer,
  type TouchFrame,
} from './answers.js'
import { NATIVE_MARKS, nativeTime } from './paper.js'
import { EQUAL_OUTPUT, type Output, type QueryMethod } from './rivals.js'
import { type ElasticFile, type HapticsSubject, loadElastic } from './subject.js'

export interface QueryRow {
  points: PointKind
  count: number
  /** Median time of one step [ms]. */
  milliseconds: Record<QueryMethod, number>
  rounds: number
  /** Against the fastest rival of equal output. */
  gains: Record<Output, Gain>
  /** Native libraries, by their marks and not by this run [ms]. */
  native: Record<string, number>
}

/** Where the time before the first query goes [microseconds], ours and the paper's. */
export interface StepSplit {
  /** Rigid motion and code from all nodes, 0 if nodes pose the network; `pose` is all the rest that the network does. */
  learned: { code: number; pose: number; queries: Record<string, number> }
  paper: { code: number; pose: number }
  exact: { refit: number }
  threeMeshBvh: { refit: number }
}

export interface QueryRivals {
  answers: Record<QueryMethod, TouchAnswer>
  fields: { learned: ElasticField; paper: ElasticField }
  dispose(): Promise<void>
}

export async function makeRivals({ ours, paper, surface }: HapticsSubject): Promise<QueryRivals> {
  const learned = await loadElastic(ours)
  const twoThreads = await loadElastic(ours, { threads: 2 })
  const theirs = await loadElastic(paper)
  const exported = await openExport(ours)
  const paperOnnx = await openPaperOnnx(paper)
  const search = searchPatches(surface, ours)
  const { truncation } = ours.artifact.manifest
  return {
    answers: {
      learned: answerByNetwork(learned, { gradient: false }),
      learnedTwoThreads: answerByNetwork(twoThreads, { gradient: false }),
      learnedGradient: answerByNetwork(learned, { gradient: true }),
      learnedOrt: answerByExport(ours, exported),
      learnedTriangle: answerByNetwork(learned, { gradient: false, search }),
      learnedGradientTriangle: answerByNetwork(learned, { gradient: true, search }),
      paper: answerByNetwork(theirs, { gradient: false }),
      paperOrt: answerByPaperOnnx(paper, paperOnnx),
      exactDistance: answerByExact(surface, 'distance'),
      exact: answerByExact(surface, 'all'),
      exactPseudonormal: answerByExact(surface, 'all', { sign: 'pseudonormal' }),
      threeMeshBvh: answerByBvh(surface, 'refit'),
      threeMeshBvhRebuild: answerByBvh(surface, 'rebuild'),
      exactStop: answerByExact(surface, 'all', { maxDistance: truncation }),
      threeMeshBvhStop: answerByBvh(surface, 'refit', truncation),
    },
    fields: { learned, paper: theirs },
    async dispose() {
      for (const field of [learned, twoThreads, theirs]) field.dispose()
      for (const network of [exported, paperOnnx]) await network.dispose()
    },
  }
}

/** Frames of poses: where the nodes are, and points about each. */
export function drawFrames(
  { surface }: HapticsSubject,
  poses: readonly Float64Array[],
  kind: PointKind,
  count: number,
): TouchFrame[] {
  return poses.map((nodes, n) => {
    const positions = new Float64Array(surface.positions.length)
    gatherVertices(nodes, surface.nodeOfVertex, positions)
    return { nodes, points: drawPointsAbout({ positions, triangles: surface.triangles }, kind, count, n) }
  })
}

/** Medians are of a step of each [ms]. */
export async function timeSteps<Name extends string>(
  answers: Readonly<Record<Name, TouchAnswer>>,
  frames: readonly TouchFrame[],
  seconds: number,
): Promise<TurnTimes<Name>> {
  const out = createTouchAnswers(frames[0].points.length / 3)
  const { medians, rounds } = await timeTurnsAwaiting(answers, frames, seconds, (answer, frame) => answer(frame, out))
  for (const name of Object.keys(medians) as Name[]) medians[name] /= 1000
  return { medians, rounds }
}

export async function timeRow(
  subject: HapticsSubject,
  { answers }: QueryRivals,
  poses: readonly Float64Array[],
  points: PointKind,
  count: number,
  seconds: number,
): Promise<QueryRow> {
  const { medians, rounds } = await timeSteps(answers, drawFrames(subject, poses, points, count), seconds)
  const gain = (output: Output): Gain => gainOver(medians, EQUAL_OUTPUT[output].ours, EQUAL_OUTPUT[output].rivals)
  const gains = { distances: gain('distances'), normals: gain('normals'), triangles: gain('triangles') }
  const native = Object.fromEntries(NATIVE_MARKS.map((mark) => [mark.name, nativeTime(mark, points, count)]))
  return { points, count, milliseconds: medians, rounds, gains, native }
}

const SPLIT_QUERIES = [1, 128, 1024]

export function splitStep(
  subject: HapticsSubject,
  { answers, fields }: QueryRivals,
  poses: readonly Float64Array[],
  seconds: number,
): StepSplit {
  const { ours, paper } = subject
  const frames = drawFrames(subject, poses, 'near', Math.max(...SPLIT_QUERIES))
  const out = createTouchAnswers(Math.max(...SPLIT_QUERIES))
  const nothing = new Float32Array(0)
  const follow = (answer: TouchAnswer) => (frame: TouchFrame) => void answer({ ...frame, points: nothing }, out)
  const parts: Record<string, (frame: TouchFrame) => void> = {
    code: codeOf(ours),
    follow: follow(answers.learned),
    paperCode: codeOf(paper),
    paperFollow: follow(answers.paper),
    refit: follow(answers.threeMeshBvh),
    exactRefit: follow(answers.exact),
  }
  for (const count of SPLIT_QUERIES) {
    parts[`${count}`] = ({ nodes, points }) => {
      fields.learned.update({ nodes })
      fields.learned.query(points, count, out.distances)
    }
  }
  const { medians: times } = timeTurns(parts, frames, seconds, (part, frame) => part(frame))
  // Nodes move ours directly: no code is found.
  const code = 0
  return {
    learned: {
      code,
      pose: times['follow'] - code,
      // Some of a pose is done when the first query comes near, so they are told apart by both together.
      queries: Object.fromEntries(SPLIT_QUERIES.map((count) => [count, times[`${count}`] - times['follow']])),
    },
    paper: { code: times['paperCode'], pose: times['paperFollow'] - times['paperCode'] },
    exact: { refit: times['exactRefit'] },
    threeMeshBvh: { refit: times['refit'] },
  }
}

function codeOf({ body: { modal } }: ElasticFile): (frame: TouchFrame) => void {
  const code = new Float64Array(modal.codeSize)
  const frame = new Float64Array(16)
  return ({ nodes }) => modal.encode(nodes, code, frame)
}
