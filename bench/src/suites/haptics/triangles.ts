/**
 * The triangle nearest to each query (Zesch et al. section 4.1): ours against the paper's scan of all triangles and against
 * three-mesh-bvh, whether all find the same one, and Table 1, distance and triangle together.
 */
import { NearestTriangles } from 'pliant/detect'
import { gatherVertices } from 'pliant/respond'
import { scanNearestTriangle } from 'pliant/unstable'
import { POINT_KINDS, type PointKind } from '../../queries/query-points.js'
import { type Gain, gainOver } from '../../timing/best-rival.js'
import {
  answerByBvh,
  answerByNetwork,
  createTouchAnswers,
  searchPatches,
  type TouchAnswer,
  type TouchAnswers,
  type TouchFrame,
  type TriangleSearch,
  trianglesOf,
} from './answers.js'
import { PAPER_HAPTICS } from './paper.js'
import { drawFrames, type QueryRivals, timeSteps } from './queries.js'
import type { HapticsSubject } from './subject.js'

export interface TriangleRow {
  points: PointKind
  count: number
  /** Median time of a step [ms]: the surface moves, N nearest triangles. `hinted` knows the learned distances. */
  milliseconds: Record<'patches' | 'hinted' | 'scan' | 'exact' | 'threeMeshBvh', number>
  /** Against the paper's scan, and against the fastest tree. */
  gains: { scan: Gain; trees: Gain }
}

export interface TriangleEquality {
  queries: number
  /** Queries whose triangle is the scan's; three-mesh-bvh works in single precision, and takes others among equals. */
  sameTriangle: { hinted: number; threeMeshBvh: number }
  /** Queries whose unsigned distance is the scan's to the last bit, and for three-mesh-bvh to 1e-5 of the diagonal. */
  sameDistance: { hinted: number; threeMeshBvh: number }
}

export interface Table1Row {
  count: number
  /** Distance, normal and triangle of points anywhere in the box [ms]; `paperScan` is their network and their scan. */
  milliseconds: Record<'learned' | 'paperScan' | 'exact' | 'threeMeshBvh' | 'threeMeshBvhRebuild', number>
}

export async function timeTriangles(
  subject: HapticsSubject,
  rivals: QueryRivals,
  poses: readonly Float64Array[],
  counts: readonly number[],
  seconds: number,
): Promise<TriangleRow[]> {
  const rows: TriangleRow[] = []
  const hinted = searchPatches(subject.surface, subject.ours)
  for (const points of POINT_KINDS) {
    for (const count of counts) {
      const frames = drawFrames(subject, poses, points, count)
      const learned = new Map<TouchFrame, TouchAnswers>()
      for (const frame of frames) learned.set(frame, await learnedAnswers(rivals, frame))
      const { medians } = await timeSteps<keyof TriangleRow['milliseconds']>(
        {
          patches: searchAlone(subject),
          hinted: (frame) => hinted(frame, learned.get(frame)!),
          scan: searchAll(subject),
          exact: rivals.answers.exact,
          threeMeshBvh: rivals.answers.threeMeshBvh,
        },
        frames,
        seconds,
      )
      const scan = gainOver(medians, 'hinted', ['scan'])
      const trees = gainOver(medians, 'hinted', ['exact', 'threeMeshBvh'])
      rows.push({ points, count, milliseconds: medians, gains: { scan, trees } })
    }
  }
  return rows
}

async function learnedAnswers({ answers }: QueryRivals, frame: TouchFrame): Promise<TouchAnswers> {
  const out = createTouchAnswers(frame.points.length / 3)
  await answers.learned(frame, out)
  return out
}

/** `NearestTriangles` with nothing to go by. */
function searchAlone({ surface }: HapticsSubject): TriangleSearch {
  const nearest = new NearestTriangles(surface)
  const vertices = new Float64Array(surface.positions.length)
  return ({ nodes, points }, out) => {
    gatherVertices(nodes, surface.nodeOfVertex, vertices)
    nearest.update(vertices)
    nearest.find(points, points.length / 3, trianglesOf(out))
  }
}

function searchAll({ surface }: HapticsSubject): TriangleSearch {
  const vertices = new Float64Array(surface.positions.length)
  return ({ nodes, points }, out) => {
    gatherVertices(nodes, surface.nodeOfVertex, vertices)
    scanNearestTriangle(vertices, surface.triangles, points, points.length / 3, trianglesOf(out))
  }
}

/** @param count of points of each pose and kind */
export async function compareTriangles(
  subject: HapticsSubject,
  rivals: QueryRivals,
  poses: readonly Float64Array[],
  count: number,
): Promise<TriangleEquality> {
  const scan = searchAll(subject)
  const hinted = searchPatches(subject.surface, subject.ours)
  const bvh = answerByBvh(subject.surface, 'refit')
  const result: TriangleEquality = {
    queries: 0,
    sameTriangle: { hinted: 0, threeMeshBvh: 0 },
    sameDistance: { hinted: 0, threeMeshBvh: 0 },
  }
  const { sameTriangle, sameDistance } = result
  const near = 1e-5 * subject.diagonal
  for (const kind of POINT_KINDS) {
    for (const frame of drawFrames(subject, poses, kind, count)) {
      const truth = createTouchAnswers(count)
      const tree = createTouchAnswers(count)
      const ours = await learnedAnswers(rivals, frame)
      scan(frame, truth)
      hinted(frame, ours)
      await bvh(frame, tree)
      result.queries += count
      for (let i = 0; i < count; i++) {
        if (ours.triangleIds[i] === truth.triangleIds[i]) sameTriangle.hinted++
        if (tree.triangleIds[i] === truth.triangleIds[i]) sameTriangle.threeMeshBvh++
        if (ours.reaches[i] === truth.reaches[i]) sameDistance.hinted++
        if (Math.abs(Math.abs(tree.distances[i]) - truth.reaches[i]) < near) sameDistance.threeMeshBvh++
      }
    }
  }
  return result
}

/** The paper's Table 1, its own counts of queries or the first few. */
export async function timeTable1(
  subject: HapticsSubject,
  { answers, fields }: QueryRivals,
  poses: readonly Float64Array[],
  rows: number,
  seconds: number,
): Promise<Table1Row[]> {
  const rivals: Record<keyof Table1Row['milliseconds'], TouchAnswer> = {
    learned: answers.learnedGradientTriangle,
    paperScan: answerByNetwork(fields.paper, { gradient: true, search: searchAll(subject) }),
    exact: answers.exact,
    threeMeshBvh: answers.threeMeshBvh,
    threeMeshBvhRebuild: answers.threeMeshBvhRebuild,
  }
  const table: Table1Row[] = []
  for (const count of PAPER_HAPTICS.table1.queries.slice(0, rows)) {
    const frames = drawFrames(subject, poses, 'uniform', count)
    table.push({ count, milliseconds: (await timeSteps(rivals, frames, seconds)).medians })
  }
  return table
}
