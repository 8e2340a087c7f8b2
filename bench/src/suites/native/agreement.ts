/**
 * Whether all answer the same: distances, sides and triangles of every method against our exact field's, on the same
 * shapes and points. A method that answers something else is told of, not hidden.
 */
import { ExactMeshField } from 'pliant/exact'
import { scanNearestTriangle } from 'pliant/unstable'
import { POINT_KINDS, type PointKind } from '../../queries/query-points.js'
import { diagonalOf, type LearnedRacedBody, pointsOf, verticesOf } from './bodies.js'
import { type NativeAnswers, readAnswers } from './data-folder.js'
import { createRaceAnswers } from './methods.js'
import { ProgramRefusal } from './native-program.js'
import { nativeMethod, type QueryRacers } from './queries.js'
import { IN_PROCESS_RIVALS, LEARNED, NATIVE_METHODS, NATIVE_RIVALS, type QueryMethod } from './rivals.js'

export interface AgreementRow {
  body: string
  method: QueryMethod
  queries: number
  /** Distances without sign, of points within the truncation: mean and largest difference [% of the diagonal]. */
  difference: { mean: number; largest: number }
  /**
   * Those that differ by more than single precision; of a search that stops also points beyond that it calls near. Not
   * told of learned ones, which are not exact.
   */
  off?: number
  /** Points within the truncation and further off than single precision that are on the other side. */
  otherSide: number
  /** Points whose triangle is further away than the nearest, by more than single precision; of methods that find triangles. */
  otherTriangle?: number
  /** Points within the truncation that got no triangle. */
  noTriangle?: number
}

/** What single precision leaves open, of the diagonal: a few roundings of coordinates. */
const ROUNDING = 2e-6

export interface AgreementOptions {
  frames: number
  /** Points of each frame and kind. */
  points: number
  /** A file that programs may write to. */
  file: string
}

export async function compareAnswers(
  { body, methods, programs }: QueryRacers,
  { frames, points: count, file }: AgreementOptions,
): Promise<AgreementRow[]> {
  const truths = exactAnswers(body, frames, count)
  const rows: AgreementRow[] = []
  for (const name of [...LEARNED, ...IN_PROCESS_RIVALS]) {
    rows.push(
      compare(body, name, truths, ({ kind, frame }) => {
        const out = createRaceAnswers(count)
        methods[name](frame, pointsOf(body, kind, frame, count), count, out)
        return out
      }),
    )
  }
  for (const name of NATIVE_RIVALS) {
    const program = programs[NATIVE_METHODS[name].program]
    if (!program) continue
    try {
      const answers: Partial<Record<PointKind, NativeAnswers[]>> = {}
      for (const kind of POINT_KINDS) {
        await program.write(nativeMethod(name, body), { body: body.name, kind, count, first: 0, frames }, file)
        answers[kind] = await readAnswers(file, frames, count)
      }
      rows.push(compare(body, name, truths, ({ kind, frame }) => answers[kind]![frame]))
    } catch (error) {
      // It is left out of the race too, which says why.
      if (!(error instanceof ProgramRefusal)) throw error
    }
  }
  return rows
}

interface Truth extends NativeAnswers {
  kind: PointKind
  frame: number
  points: Float32Array
  vertices: Float32Array
}

/** Of the shapes as native programs read them. */
function exactAnswers(body: LearnedRacedBody, frames: number, count: number): Truth[] {
  const field = new ExactMeshField(body.surface)
  return POINT_KINDS.flatMap((kind) =>
    Array.from({ length: frames }, (_, frame) => {
      const points = pointsOf(body, kind, frame, count)
      const vertices = verticesOf(body, frame)
      const answers = createRaceAnswers(count)
      field.update({ vertices })
      field.closest(points, count, answers)
      return { kind, frame, points, vertices, ...answers }
    }),
  )
}

function compare(
  body: LearnedRacedBody,
  method: QueryMethod,
  truths: readonly Truth[],
  answersOf: (truth: Truth) => NativeAnswers,
): AgreementRow {
  const { truncation } = body.learned
  const diagonal = diagonalOf(body)
  const near = ROUNDING * diagonal
  const row = { body: body.name, method, queries: 0, otherSide: 0 }
  const distanceTo = triangleDistances(body)
  const hasTriangles = method !== 'learned'
  let [within, sum, largest, off, otherTriangle, noTriangle] = [0, 0, 0, 0, 0, 0]
  for (const truth of truths) {
    const { distances, triangleIds } = answersOf(truth)
    row.queries += distances.length
    for (const [i, distance] of truth.distances.entries()) {
      const [far, told] = [Math.abs(distance), Math.abs(distances[i])]
      if (far > truncation) {
        if (told < truncation - near) off++
        continue
      }
      const difference = Math.abs(told - far)
      within++
      sum += difference
      largest = Math.max(largest, difference)
      if (difference > near) off++
      if (far > near && distance * distances[i] < 0) row.otherSide++
      if (!hasTriangles) continue
      if (triangleIds[i] === truth.triangleIds[i]) continue
      if (triangleIds[i] >= body.surface.triangles.length / 3) noTriangle++
      else if (distanceTo(truth, triangleIds[i], i) > far + near) otherTriangle++
    }
  }
  const percent = 100 / diagonal
  return {
    ...row,
    difference: { mean: (percent * sum) / within, largest: percent * largest },
    ...(!isLearned(method) && { off }),
    ...(hasTriangles && { otherTriangle, noTriangle }),
  }
}

function isLearned(method: QueryMethod): boolean {
  return (LEARNED as readonly QueryMethod[]).includes(method)
}

/** How far a point is from a triangle. */
function triangleDistances({ surface }: LearnedRacedBody): (truth: Truth, triangle: number, point: number) => number {
  const found = { triangleIds: new Uint32Array(1), distances: new Float64Array(1) }
  return ({ vertices, points }, triangle, point) => {
    const corners = surface.triangles.subarray(3 * triangle, 3 * triangle + 3)
    scanNearestTriangle(vertices, corners, points.subarray(3 * point, 3 * point + 3), 1, found)
    return found.distances[0]
  }
}
