/** Which clips of a character are trained on, which it is judged by, and which are left out and why. */
import type { Clip, Skeleton } from 'pliant/character'
import { clipFingerprint, isSameClip } from 'pliant/unstable'
import { BadInput } from '../input/bad-input.js'
import { splitClips } from './clip-poses.js'

/** Of a character's clips, held out to judge by unless told otherwise; of fewer than four clips none. */
const HELD_OUT_SHARE = 0.15
const FEWEST_TO_SPLIT = 4

export interface ClipChoice {
  train: Clip[]
  /** Never trained on; none: judged by its own clips with noise. */
  heldOut: Clip[]
  leftOut: { name: string; reason: string }[]
}

export interface ClipWishes {
  /** Names to hold out; undefined: a share of all, drawn by the seed. */
  heldOut?: readonly string[]
  /** Names to leave out altogether. */
  leaveOut?: readonly string[]
  seed: number
}

/** @throws Error if a name is of no clip, or none is left to train on */
export function chooseClips(
  skeleton: Skeleton,
  clips: readonly Clip[],
  { heldOut, leaveOut = [], seed }: ClipWishes,
): ClipChoice {
  const unknown = leaveOut.find((name) => !clips.some((clip) => clip.name === name))
  if (unknown !== undefined) {
    const all = clips.map(({ name }) => name).join(', ')
    throw new BadInput(`train: there is no clip '${unknown}' to leave out; choose from ${all}.`)
  }
  const leftOut = leaveOut.map((name) => ({ name, reason: 'as told' }))
  const all = clips.filter(({ name }) => !leaveOut.includes(name))
  if (all.length === 0) return { train: [], heldOut: [], leftOut }
  const asked = heldOut ?? (all.length >= FEWEST_TO_SPLIT ? HELD_OUT_SHARE : 0)
  if (asked === 0) return { train: all, heldOut: [], leftOut }
  const split = splitClips(all, asked, seed)
  // A copy under another name would be trained on all the same.
  const judges = split.heldOut.map((clip) => ({ name: clip.name, print: clipFingerprint(skeleton, clip) }))
  const train = split.train.filter((clip) => {
    const print = clipFingerprint(skeleton, clip)
    const twin = judges.find((judge) => isSameClip(judge.print, print))
    if (twin) leftOut.push({ name: clip.name, reason: `the same motion as '${twin.name}', which is held out` })
    return !twin
  })
  if (train.length === 0) {
    throw new BadInput('train: every clip is held out, or a copy of one that is; leave at least one to train on.')
  }
  return { train, heldOut: split.heldOut, leftOut }
}
