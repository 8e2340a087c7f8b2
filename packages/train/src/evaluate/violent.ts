/**
 * A trained file from ordinary poses to violent ones, such as nobody trains on: does the field know where it is wrong?
 * Which poses are violent is said by its kind (../kinds).
 */
import { boxOfPoints, type Manifest, type ObjectArtifact, type TrainedField, type TriangleMesh } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import { boxDiagonal } from 'pliant/unstable'
import { streamOf } from '../streams/random-streams.js'
import { hiddenPoints } from './hidden-points.js'
import { type EvaluateOptions, evaluateSettings } from './judge.js'
import { bandOf, drawJudgedPoints, NEAR_ALONE } from './judged-points.js'
import { type OwnErrorReport, ownErrorReport } from './own-error.js'
import type { PoseError } from './tally.js'

export interface ViolentReport extends OwnErrorReport {
  /** Mean error that the file says it has [m]. */
  ownError: number
  /** Length that percentages refer to [m]. */
  size: number
  /** Of ordinary poses alone: such as the file is judged by. */
  ordinary: { poses: number; flagged: number }
  kinds: { kind: string; poses: number; error: number; expected: number; flagged: number }[]
}

/** A shape, and a field posed like it. */
export interface ViolentPose {
  kind: string
  positions(out: Float64Array): void
  pose(): void
}

/** What is judged, and its poses. */
export interface ViolentSubject {
  field: TrainedField
  mesh: TriangleMesh
  /** Length that percentages refer to, and half-width of the band [m]. */
  size: number
  band: number
  ownError: number
  /** Ordinary ones first. */
  poses: ViolentPose[]
}

/** Name of the poses that are not. */
export const ORDINARY = 'ordinary'

/** Disposes of the field. */
export async function measureViolent(
  { field, mesh, size, band, ownError, poses }: ViolentSubject,
  options: EvaluateOptions,
): Promise<ViolentReport> {
  const { points: count, seed } = evaluateSettings(options)
  const exact = new ExactMeshField(mesh)
  const positions = Float64Array.from(mesh.positions)
  const points = new Float64Array(3 * count)
  const truth = { distances: new Float64Array(count), normals: new Float64Array(3 * count) }
  const learned = new Float64Array(count)
  const told: (PoseError & { kind: string })[] = []
  try {
    for (const [i, pose] of poses.entries()) {
      options.signal?.throwIfAborted()
      pose.positions(positions)
      pose.pose()
      exact.update({ vertices: positions })
      const random = streamOf('violentPoses', seed, i)
      drawJudgedPoints({ positions, triangles: mesh.triangles }, band, count, random, points, NEAR_ALONE)
      exact.closest(points, count, truth)
      field.query(points, count, learned)
      const hidden = hiddenPoints(exact, points, count, truth, size)
      const error = meanBandError(truth.distances, learned, hidden, band)
      told.push({ kind: pose.kind, error, expected: field.expectedError, trusted: field.trusted })
      options.onProgress?.({ fraction: (i + 1) / poses.length, stage: 'ordinary to violent poses' })
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  } finally {
    field.dispose()
  }
  const kinds = [...new Set(told.map(({ kind }) => kind))].map((kind) => {
    const own = told.filter((one) => one.kind === kind)
    const mean = (of: (one: PoseError) => number): number => own.reduce((sum, one) => sum + of(one), 0) / own.length
    return {
      kind,
      poses: own.length,
      error: mean(({ error }) => error),
      expected: mean(({ expected }) => expected),
      flagged: own.filter(({ trusted }) => !trusted).length,
    }
  })
  const { poses: ordinary, flagged } = kinds.find(({ kind }) => kind === ORDINARY)!
  return { ...ownErrorReport(told, ownError), ownError, size, ordinary: { poses: ordinary, flagged }, kinds }
}

function meanBandError(truth: Float64Array, learned: Float64Array, hidden: Uint8Array, band: number): number {
  let sum = 0
  let judged = 0
  for (let i = 0; i < truth.length; i++) {
    if (Math.abs(truth[i]) > band || hidden[i] === 1) continue
    sum += Math.abs(learned[i] - truth[i])
    judged++
  }
  return sum / judged
}

/** An object whose shapes are of modes, at poses of its own. */
export function violentObject(
  { model, manifest }: ObjectArtifact,
  field: TrainedField,
  poses: ViolentPose[],
): ViolentSubject {
  const mesh = { positions: model.rest, triangles: model.triangles }
  const size = boxDiagonal(boxOfPoints(mesh.positions))
  return { field, mesh, size, band: bandOf(size, manifest.truncation), ownError: ownErrorOf(manifest), poses }
}

/** Such an object at codes. */
export function posesOfCodes(
  kind: string,
  { model }: ObjectArtifact,
  field: TrainedField,
  codes: readonly Float64Array[],
): ViolentPose[] {
  return codes.map((code) => ({
    kind,
    positions: (out) => model.positions(code, out),
    pose: () => field.update({ code }),
  }))
}

/** As many times as far from the middle of its range. */
export function widened(value: number, lower: number, upper: number, times: number): number {
  const middle = (lower + upper) / 2
  return middle + times * (value - middle)
}

/** @throws Error if the file was never judged */
export function ownErrorOf({ name, quality }: Pick<Manifest, 'name' | 'quality'>): number {
  if (!quality)
    throw new Error(`evaluate: ${name} was never judged, so it has no error to compare with; train it again.`)
  return quality.bandError.mean
}
