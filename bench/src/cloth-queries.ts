/**
 * Query time against the number of queries (Zesch et al. Fig. 6): one frame is a new pose and N queries with normals, of
 * points anywhere in the body's box and of points near its surface, where cloth really is.
 */
import { boxOfPoints, randomStream, sampleSurface } from 'pliant'
import type { SkeletonPose, SkinnedCharacter } from 'pliant/character'
import { type Answer, type AnswerFrame, createAnswers } from './cloth-answers.js'
import { timeTurns } from './turns.js'

export const POINT_KINDS = ['uniform', 'near'] as const
export type PointKind = (typeof POINT_KINDS)[number]

/** Near points lie within this share of the body's half-size from its surface. */
const NEAR = 0.03
/** Poses that take turns. */
const POSES = 16

/** @returns median time of a frame of each [microseconds] */
export function timeAnswers<Name extends string>(
  answers: Readonly<Record<Name, Answer>>,
  character: SkinnedCharacter,
  poses: readonly SkeletonPose[],
  kind: PointKind,
  count: number,
  seconds: number,
): Record<Name, number> {
  const frames = poses.slice(0, POSES).map((pose, n): AnswerFrame => {
    return { pose, points: drawPoints(character, pose, kind, count, n) }
  })
  const out = createAnswers(count)
  return timeTurns(answers, frames, seconds, (answer, frame) => answer(frame, out))
}

/** @param stream  tells one draw from another */
export function drawPoints(
  character: SkinnedCharacter,
  pose: SkeletonPose,
  kind: PointKind,
  count: number,
  stream: number,
): Float32Array {
  const random = randomStream(4, stream)
  const positions = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(pose, positions)
  const { lower, upper } = boxOfPoints(positions)
  const points = new Float32Array(3 * count)
  if (kind === 'uniform') {
    for (let i = 0; i < points.length; i++) points[i] = random.between(lower[i % 3], upper[i % 3])
    return points
  }
  const reach = (NEAR / 2) * Math.max(...[0, 1, 2].map((axis) => upper[axis] - lower[axis]))
  const normals = new Float32Array(3 * count)
  sampleSurface({ positions, triangles: character.triangles }, count, random, { points, normals })
  for (let i = 0; i < count; i++) {
    const offset = random.between(-reach, reach)
    for (let axis = 3 * i; axis < 3 * i + 3; axis++) points[axis] += offset * normals[axis]
  }
  return points
}
