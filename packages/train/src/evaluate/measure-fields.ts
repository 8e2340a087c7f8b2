/**
 * The judge: fields side by side on the same points of the same poses, against exact geometry. What is judged says how
 * it is posed and how large it is; which points count is the same for all (judged-points.ts).
 */
import type { MovingField, Quality, TriangleMesh } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import type { OnProgress } from 'pliant/unstable'
import { streamOf } from '../streams/random-streams.js'
import { hiddenPoints } from './hidden-points.js'
import { bandOf, drawJudgedPoints, JUDGED_MIX } from './judged-points.js'
import { type PoseError, QualityTally } from './tally.js'

/** Poses to judge by, never trained on. */
export interface JudgedPoses<State> extends Pick<Quality, 'size' | 'sizeOf'> {
  /** The surface at rest; its positions are those of no pose. */
  mesh: TriangleMesh
  /** One per pose. */
  codes: readonly ArrayLike<number>[]
  /** Vertices of a pose [m]. */
  positions(pose: number, out: Float64Array): void
  /** What a field takes to follow the pose. */
  state(pose: number): State
  /** Number of those that poses like this one have in common. */
  groups?: ArrayLike<number>
}

export interface MeasureOptions {
  /** Points of each pose. */
  points: number
  seed: number
  /** Up to which the fields were trained [m], where that is less than the band. */
  truncation?: number
  /** Number of the first pose's points: other numbers give other points. */
  firstStream?: number
  signal?: AbortSignal
  onProgress?: OnProgress
  /** Of each pose in turn, for fields that tell their own error. */
  onPose?: (told: PoseError) => void
}

/** What `onProgress` is told that it does. */
export const COMPARING = 'comparing with exact geometry'

export async function measureFields<Name extends string, State>(
  fields: Readonly<Record<Name, MovingField<State>>>,
  judged: JudgedPoses<State>,
  options: MeasureOptions,
): Promise<Record<Name, Quality>> {
  const { mesh, codes, size, sizeOf } = judged
  const { points: count, seed, firstStream = 0 } = options
  const band = bandOf(size, options.truncation)
  const positions = new Float64Array(mesh.positions.length)
  const exact = new ExactMeshField(mesh)
  const points = new Float64Array(3 * count)
  const truth = { distances: new Float64Array(count), normals: new Float64Array(3 * count) }
  const answer = { distances: new Float64Array(count), gradients: new Float64Array(3 * count) }
  const names = Object.keys(fields) as Name[]
  const counted = { size, sizeOf, band, surfaceShare: JUDGED_MIX.surface, uniformShare: JUDGED_MIX.uniform }
  const tallies = new Map(names.map((name) => [name, new QualityTally(counted)]))

  for (const [pose, code] of codes.entries()) {
    options.signal?.throwIfAborted()
    judged.positions(pose, positions)
    exact.update({ vertices: positions })
    const random = streamOf('evaluationPoints', seed, firstStream + pose)
    drawJudgedPoints({ positions, triangles: mesh.triangles }, band, count, random, points)
    exact.closest(points, count, truth)
    const hidden = hiddenPoints(exact, points, count, truth, size)
    const state = judged.state(pose)
    for (const name of names) {
      const field = fields[name]
      field.update(state)
      field.query(points, count, answer.distances, answer.gradients)
      const told = tallies
        .get(name)!
        .addPose(Array.from(code), count, truth, answer, hidden, field, judged.groups?.[pose])
      if (told) options.onPose?.(told)
    }
    options.onProgress?.({ fraction: (pose + 1) / codes.length, stage: COMPARING })
    // Lets Ctrl-C and other work in between poses.
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return Object.fromEntries(names.map((name) => [name, tallies.get(name)!.quality()])) as Record<Name, Quality>
}
