/**
 * A skeleton whose file hangs joints from others than carry them, with all that is awkward: fingers numbered from the tip
 * inwards, an armature in centimetres, uneven, mirrored and scaled joints, a carrier two levels up, and a branch with an
 * uneven parent that carriers have nothing to do with.
 */
import { normaliseQuaternion } from '../../src/math/quaternion.js'
import type { Random } from '../../src/math/random.js'
import { JointCode, type JointCodeData } from '../../src/model/joint-code.js'
import { Skeleton, type SkeletonPose } from '../../src/model/skeleton.js'

type Row = [name: string, parent: string, carrier: string, scale: [number, number, number]]
const ROWS: Row[] = [
  ['world', '', '', [1, 1, 1]],
  ['armature', 'world', 'world', [0.01, 0.01, 0.01]],
  ['tip', 'armature', 'middle', [1, 1, 1]],
  ['middle', 'armature', 'knuckle', [1, 2, 0.5]],
  ['knuckle', 'armature', 'wrist', [1, -1, 1]],
  ['wrist', 'armature', 'armature', [3, 3, 3]],
  ['arm', 'armature', 'armature', [1, 1, 1]],
  ['ring', 'arm', 'arm', [2, 2, 2]],
  ['sleeve', 'ring', 'arm', [2, 1, 1]],
  ['bead', 'arm', 'arm', [1, 1, 1]],
  ['band', 'wrist', 'wrist', [1, 1, 1]],
  ['tail', 'armature', 'armature', [1, 3, 1]],
  ['tuft', 'tail', 'tail', [1, 1, 1]],
]
const names = ROWS.map(([name]) => name)
const FIRST = names.indexOf('tip')

export const CARRIERS = Int32Array.from(ROWS, ([, , carrier]) => names.indexOf(carrier))

/** @param scales  of joints other than said above, by name */
export function flatSkeleton(random: Random, scales: Record<string, [number, number, number]> = {}): Skeleton {
  const rest = {
    translations: Float64Array.from({ length: 3 * names.length }, () => random.between(-20, 20)),
    rotations: quaternions(random, names.length),
    scales: Float64Array.from(ROWS.flatMap(([name, , , scale]) => scales[name] ?? scale)),
  }
  const parents = Int32Array.from(ROWS, ([, parent]) => names.indexOf(parent))
  return new Skeleton({ names, parents, root: names.indexOf('armature'), rest })
}

export function quaternions(random: Random, count: number): Float64Array {
  const out = Float64Array.from({ length: 4 * count }, () => random.normal())
  for (let at = 0; at < out.length; at += 4) normaliseQuaternion(out, at)
  return out
}

/** Turned and slid anywhere, at its scales of rest. */
export function anyPose(skeleton: Skeleton, random: Random): SkeletonPose {
  const pose = skeleton.createPose()
  pose.rotations.set(quaternions(random, skeleton.jointCount))
  for (let i = 0; i < pose.translations.length; i++) pose.translations[i] += random.between(-5, 5)
  return pose
}

/** All turns and slides of every joint below the root. */
export function wholeCode(skeleton: Skeleton, change: Partial<JointCodeData> = {}): JointCode {
  const size = 6 * (skeleton.jointCount - FIRST)
  return new JointCode(skeleton, {
    joints: Uint16Array.from({ length: size }, (_, entry) => FIRST + Math.floor(entry / 6)),
    axes: Uint8Array.from({ length: size }, (_, entry) => entry % 6),
    units: Float64Array.from({ length: size }, (_, entry) => (entry % 6 < 3 ? Math.PI : 40)),
    fixed: skeleton.createPose(),
    bounds: { lower: new Float64Array(size).fill(-1), upper: new Float64Array(size).fill(1) },
    dropped: [],
    largestAngle: Math.PI,
    ...change,
  })
}
