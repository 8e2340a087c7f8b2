/** Judges poses on a worker of its own. */
import type { OrientedBoxesOptions } from 'pliant/detect'
import { type JudgedPose, poseJudge } from './judged-pose.js'

export function tasks({ seed, boxes }: { seed: number; boxes: OrientedBoxesOptions }) {
  const judge = poseJudge(seed, boxes)
  return {
    judge: ({ from, to }: { from: number; to: number }): JudgedPose[] =>
      Array.from({ length: to - from }, (_, i) => judge(from + i)),
  }
}
