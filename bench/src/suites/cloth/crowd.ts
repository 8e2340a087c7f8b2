/**
 * A crowd: characters of one kind, each at its own moment of a clip, each with queries near its surface, with normals.
 * One field, or one tree, follows the characters one after the other: they share weights and triangles, not the pose.
 */
import { type Clip, type SkeletonPose, type SkinnedCharacter, sampleClip } from 'pliant/character'
import { createAnswers } from '../../queries/tree-answers.js'
import { timeTurns } from '../../timing/turns.js'
import type { Answer, AnswerFrame } from './answers.js'
import { drawPoints } from './queries.js'

export interface CrowdFigures {
  /** Median time of a frame of the whole crowd [ms]: clips, poses, queries. */
  frame: number
  /** The same with the poses given. */
  withoutClips: number
}

export interface CrowdResult<Name extends string> {
  characters: number
  queriesEach: number
  methods: Record<Name, CrowdFigures>
}

const CROWD = { characters: 100, queriesEach: 200 } as const
/** Frames that take turns, this far apart [s]. */
const FRAMES = 3
const STEP = 1 / 60
/** Between one character and the next [s]: no two are in step. */
const APART = 0.37

interface CrowdMember extends AnswerFrame {
  time: number
}

/** @param answers  that answer at once */
export function timeCrowd<Name extends string>(
  answers: Readonly<Record<Name, Answer>>,
  character: SkinnedCharacter,
  clip: Clip,
  seconds: number,
): CrowdResult<Name> {
  const { characters, queriesEach } = CROWD
  const { skeleton } = character
  const frames = Array.from({ length: FRAMES }, (_, f) =>
    Array.from({ length: characters }, (_, c): CrowdMember => {
      const time = f * STEP + c * APART
      const pose = skeleton.createPose()
      sampleClip(skeleton, clip, time, pose)
      return { time, pose, points: drawPoints(character, pose, 'near', queriesEach, f * characters + c) }
    }),
  )
  const out = createAnswers(queriesEach)
  const live: SkeletonPose = skeleton.createPose()
  const names = Object.keys(answers) as Name[]
  const rivals = Object.fromEntries(
    names.flatMap((name) => [
      [`${name} frame`, { answer: answers[name], clips: true }],
      [`${name} withoutClips`, { answer: answers[name], clips: false }],
    ]),
  )
  const { medians: times } = timeTurns(rivals, frames, seconds, ({ answer, clips }, frame) => {
    for (const { time, pose, points } of frame) {
      if (clips) sampleClip(skeleton, clip, time, live)
      void answer({ pose: clips ? live : pose, points }, out)
    }
  })
  const methods = Object.fromEntries(
    names.map((name) => [
      name,
      { frame: times[`${name} frame`] / 1000, withoutClips: times[`${name} withoutClips`] / 1000 },
    ]),
  ) as Record<Name, CrowdFigures>
  return { characters, queriesEach, methods }
}
