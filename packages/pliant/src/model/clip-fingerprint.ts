/**
 * What a clip does, in a few numbers that its file's name and format do not change: by them a trained file knows again
 * the clips that it was trained on. At even times over the clip, the joints' rotations and slides from rest are summed
 * up with random signs; a copy written by another program differs in the last digit, another motion in most of them.
 */
import { randomStream } from '../math/random.js'
import { type Clip, sampleClip } from './clip.js'
import type { Skeleton } from './skeleton.js'

/** Whole numbers: the duration in hundredths of a second, then `SUMS` for each of `TIMES` times. */
export type ClipFingerprint = readonly number[]

const TIMES = 8
const SUMS = 6
export const FINGERPRINT_LENGTH = 1 + TIMES * SUMS
/** A sum of 1 is so many; and how far two may differ and still be of one clip. */
const STEPS = 100
const TOLERANCE = 2
const STREAM = 77

/** Joints below the root alone: where a character stands does not make another clip. */
export function clipFingerprint(skeleton: Skeleton, clip: Clip): number[] {
  const { jointCount, belowRoot, restMatrices } = skeleton
  const pose = skeleton.createPose()
  const now = new Float64Array(16 * jointCount)
  let size = 0
  for (let i = 12; i < restMatrices.length; i += 16) {
    size = Math.max(size, Math.hypot(restMatrices[i], restMatrices[i + 1], restMatrices[i + 2]))
  }
  const out = [Math.round(STEPS * clip.duration)]
  for (let t = 0; t < TIMES; t++) {
    // Away from both ends, where loops and dropped frames differ.
    sampleClip(skeleton, clip, (clip.duration * (t + 0.5)) / TIMES, pose)
    skeleton.matrices(pose, now)
    // The same signs for every time.
    const random = randomStream(STREAM)
    const sums = new Float64Array(SUMS)
    let joints = 0
    for (let joint = 0; joint < jointCount; joint++) {
      if (belowRoot[joint] === 0) continue
      joints++
      for (let i = 16 * joint; i < 16 * joint + 16; i++) {
        if (i % 4 === 3) continue
        const column = i - (i % 4)
        const unit = i % 16 >= 12 ? size : Math.hypot(...restMatrices.subarray(column, column + 3))
        const moved = unit > 0 ? (now[i] - restMatrices[i]) / unit : 0
        for (let k = 0; k < SUMS; k++) sums[k] += random.uniform() < 0.5 ? -moved : moved
      }
    }
    for (const sum of sums) out.push(Math.round((STEPS * sum) / Math.sqrt(Math.max(1, joints))))
  }
  return out
}

export function isSameClip(a: ClipFingerprint, b: ClipFingerprint): boolean {
  return a.length === b.length && a.every((value, i) => Math.abs(value - b[i]) <= TOLERANCE)
}
