/**
 * A character's field against the mesh that people see, beside the closed collision surface that it was made to learn: what
 * closing, joining and remeshing cost on top of what learning does. Outside of the body only, where the open mesh has a
 * distance that means something; inside it is full of hidden shells.
 */
import type { MovingField } from 'pliant'
import type { JointState, SeenError, SkeletonPose, SkinnedCharacter } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { streamOf } from '../streams/random-streams.js'
import { bandOf, drawJudgedPoints, NEAR_ALONE } from './judged-points.js'
import { COMPARING, type MeasureOptions } from './measure-fields.js'
import { meanOf, quantile } from './statistics.js'

/**
 * @param closed  what the field was trained on
 * @param seen    the character as it came, on the same skeleton
 */
export async function measureSeen(
  field: MovingField<JointState>,
  closed: SkinnedCharacter,
  seen: SkinnedCharacter,
  poses: readonly SkeletonPose[],
  options: MeasureOptions,
): Promise<SeenError> {
  const { points: count } = options
  const { skeleton, triangles, height } = closed
  const band = bandOf(height, options.truncation)
  const [body, shown] = [closed, seen].map((character) => {
    const positions = new Float64Array(3 * character.vertexCount)
    character.positionsOfPose(skeleton.rest, positions)
    // No sign is asked of the open mesh, so the cheapest will do.
    const sign = character === seen ? ('pseudonormal' as const) : undefined
    return { positions, exact: new ExactMeshField({ positions, triangles: character.triangles }, { sign }) }
  })
  const matrices = new Float64Array(16 * skeleton.jointCount)
  const points = new Float64Array(3 * count)
  const [inner, away, learned] = [0, 1, 2].map(() => new Float64Array(count))
  const gradients = new Float64Array(3 * count)
  const errors: number[] = []
  for (const [p, pose] of poses.entries()) {
    options.signal?.throwIfAborted()
    closed.positionsOfPose(pose, body.positions)
    body.exact.update({ vertices: body.positions })
    seen.positionsOfPose(pose, shown.positions)
    shown.exact.update({ vertices: shown.positions })
    skeleton.matrices(pose, matrices)
    const random = streamOf('evaluationPoints', options.seed, p)
    drawJudgedPoints({ positions: body.positions, triangles }, band, count, random, points, NEAR_ALONE)
    body.exact.query(points, count, inner)
    shown.exact.query(points, count, away)
    field.update({ joints: pose, matrices })
    field.query(points, count, learned, gradients)
    for (let i = 0; i < count; i++) {
      const distance = Math.abs(away[i])
      if (inner[i] > 0 && distance <= band) errors.push(Math.abs(learned[i] - distance))
    }
    options.onProgress?.({ fraction: (p + 1) / poses.length, stage: COMPARING })
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  const all = Float64Array.from(errors)
  return { mean: meanOf(all), p95: quantile(all, 0.95), max: quantile(all, 1) }
}
