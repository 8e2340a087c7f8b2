/**
 * Query time against the number of queries (Zesch et al. Fig. 6): one frame is a new pose and N queries with normals, of
 * points anywhere in the body's box and of points near its surface, where cloth really is.
 */
import type { SkeletonPose, SkinnedCharacter } from 'pliant/character'
import { drawPointsAbout, type PointKind } from '../../queries/query-points.js'
import { createAnswers } from '../../queries/tree-answers.js'
import { type TurnTimes, timeTurnsAwaiting } from '../../timing/turns.js'
import type { Answer, AnswerFrame } from './answers.js'

/** Poses that take turns. */
const POSES = 16

/** Medians are of a frame of each [microseconds]. */
export function timeAnswers<Name extends string>(
  answers: Readonly<Record<Name, Answer>>,
  character: SkinnedCharacter,
  poses: readonly SkeletonPose[],
  kind: PointKind,
  count: number,
  seconds: number,
): Promise<TurnTimes<Name>> {
  const frames = poses.slice(0, POSES).map((pose, n): AnswerFrame => {
    return { pose, points: drawPoints(character, pose, kind, count, n) }
  })
  const out = createAnswers(count)
  return timeTurnsAwaiting(answers, frames, seconds, (answer, frame) => answer(frame, out))
}

/** @param stream  tells one draw from another */
export function drawPoints(
  character: SkinnedCharacter,
  pose: SkeletonPose,
  kind: PointKind,
  count: number,
  stream: number,
): Float32Array {
  const positions = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(pose, positions)
  return drawPointsAbout({ positions, triangles: character.triangles }, kind, count, stream)
}
