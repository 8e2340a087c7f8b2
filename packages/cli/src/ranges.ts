/** Joint ranges on the command line: how a character without clips is moved, from a file or by what its joints are. */
import type { RangedJoint, RangeFile } from '@pliant/train'
import { type Clip, type Rig, type Skeleton, weightOfJoints } from 'pliant/character'
import { asBadInput, UsageError } from './errors.js'
import { readInput } from './files.js'
import { formatCount } from './format.js'

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
  /** One line for people. */
  text: string
}

/** @throws UsageError if the file is no list of ranges, or names a joint that is not there */
export async function readRanges(
  path: string | undefined,
  { skeleton, surface }: Pick<Rig, 'skeleton' | 'surface'>,
  seed: number,
): Promise<RangeMotion> {
  const trainer = await import('@pliant/train')
  const file = path === undefined ? {} : await readRangeFile(path)
  const joints = await asBadInput(
    () => trainer.jointRanges(skeleton, weightOfJoints(surface, skeleton.jointCount), file),
    path,
  )
  const ranges = skeleton.names.flatMap((joint, i) => {
    const { axes, range } = joints[i] ?? {}
    return axes && range ? [{ joint, part: axes.part ?? null, ...range }] : []
  })
  return {
    ...trainer.rangeClips(skeleton, joints, { seed }),
    ranges,
    text: describe(skeleton, joints, file, trainer.UNKNOWN_CONE),
  }
}

function describe(
  skeleton: Skeleton,
  joints: readonly (RangedJoint | undefined)[],
  file: RangeFile,
  unknownCone: number,
): string {
  const isGiven = (joint: number) => Object.hasOwn(file, skeleton.names[joint]) || Object.hasOwn(file, '*')
  const moved = joints.flatMap((joint, i) => (joint ? [{ i, part: joint.axes.part }] : []))
  const given = moved.filter(({ i }) => isGiven(i)).length
  const known = moved.filter(({ i, part }) => !isGiven(i) && part !== undefined).length
  const other = moved.length - given - known
  return [
    ...(given > 0 ? [`${formatCount(given)} joints as told`] : []),
    ...(known > 0 ? [`${formatCount(known)} by what they are of a body`] : []),
    ...(other > 0 ? [`${formatCount(other)} of which nothing is known by up to ${unknownCone} degrees`] : []),
  ].join(', ')
}

async function readRangeFile(path: string): Promise<RangeFile> {
  const bytes = await readInput(path)
  const value: unknown = await asBadInput(() => JSON.parse(new TextDecoder().decode(bytes)), path)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as RangeFile
  throw new UsageError(`${path}: ranges are no object; write { "joint": degrees or { "flex": [from, to] } }.`)
}
