/** How a character is moved within joint ranges: as a file or a spec says, else by what its joints are of a body. */
import type { Clip, Rig } from 'pliant/character'
import { weightOfJoints } from 'pliant/unstable'
import { asBadInput, BadInput } from '../input/bad-input.js'
import { NamedFiles } from '../input/named-files.js'
import { jointRanges, type RangeFile } from './joint-ranges.js'
import { rangeClips } from './range-clips.js'

export interface RangeMotion {
  train: Clip[]
  heldOut: Clip[]
  /** Degrees from rest of every joint that moves. */
  ranges: {
    joint: string
    part: string | null
    flex: readonly number[]
    side: readonly number[]
    twist: readonly number[]
  }[]
  /** Of the joints that move, how many as told, by what they are of a body, and by a cone because nothing is known. */
  counts: { told: number; known: number; unknown: number }
}

/**
 * @param source  ranges, or the path of a file of them; undefined: by what joints are
 * @throws BadInput if it is no list of ranges, or names a joint that is not there
 */
export async function readRanges(
  source: string | RangeFile | undefined,
  { skeleton, surface }: Pick<Rig, 'skeleton' | 'surface'>,
  seed: number,
  files = new NamedFiles(),
): Promise<RangeMotion> {
  const told = typeof source === 'string' ? await readRangeFile(source, files) : (source ?? {})
  const joints = await asBadInput(
    () => jointRanges(skeleton, weightOfJoints(surface, skeleton.jointCount), told),
    typeof source === 'string' ? source : undefined,
  )
  const isTold = (joint: number) => Object.hasOwn(told, skeleton.names[joint]) || Object.hasOwn(told, '*')
  const counts = { told: 0, known: 0, unknown: 0 }
  const ranges: RangeMotion['ranges'] = []
  for (const [i, joint] of skeleton.names.entries()) {
    const { axes, range } = joints[i] ?? {}
    if (!axes || !range) continue
    counts[isTold(i) ? 'told' : axes.part !== undefined ? 'known' : 'unknown']++
    ranges.push({ joint, part: axes.part ?? null, ...range })
  }
  return { ...rangeClips(skeleton, joints, { seed }), ranges, counts }
}

async function readRangeFile(path: string, files: NamedFiles): Promise<RangeFile> {
  const value = await files.json(path)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as RangeFile
  throw new BadInput(`${path}: ranges are no object; write { "joint": degrees or { "flex": [from, to] } }.`)
}
