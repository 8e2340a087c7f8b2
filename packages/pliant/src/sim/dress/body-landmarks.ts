/**
 * Where clothes go, from a skeleton alone: arms end where a hand hangs, legs where a foot does (names: body-parts.ts, or told by the caller),
 * and both begin below the joint that carries the two of a pair. Four-legged animals have both, the arms in front.
 */
import type { Vec3 } from '../../math/box.js'
import { bodyMap } from '../../model/body-map.js'
import { bodyParts } from '../../model/body-parts.js'
import type { Skeleton } from '../../model/skeleton.js'
import { between } from '../cloth/ring-frames.js'

/** Joints of a limb at rest in the root frame [m], from the trunk outwards: shoulder, elbow, wrist; hip, knee, ankle. */
export type Limb = readonly [upper: Vec3, middle: Vec3, end: Vec3]

/** Where a body's limbs are at rest, in the root frame [m]. */
export interface BodyLandmarks {
  /** One per hand, in order of the joints. */
  arms: Limb[]
  /** One per foot. */
  legs: Limb[]
  /** In the middle of the hips, if there are two legs. */
  pelvis?: Vec3
  /** The joint from which both arms hang, if there are two. */
  chest?: Vec3
}

/** Names of the joints that end limbs, for skeletons whose joints are not named after them. */
export type LimbEnds = Partial<Record<'hand' | 'foot', readonly string[]>>

/**
 * Where clothes go, from a skeleton alone: arms end where a hand hangs, legs where a foot does.
 * @throws RangeError if a joint of `named` is not there
 */
export function bodyLandmarks(skeleton: Skeleton, named: LimbEnds = {}): BodyLandmarks {
  const ends = (part: 'hand' | 'foot') =>
    named[part]?.map((name) => jointNamed(skeleton, name)) ?? endsOf(skeleton, part)
  const arms = limbs(skeleton, ends('hand'))
  const legs = limbs(skeleton, ends('foot'))
  return {
    arms,
    legs,
    ...(legs.length === 2 && { pelvis: between(legs[0][0], legs[1][0], 0.5) }),
    ...(arms.length === 2 && { chest: placeOf(skeleton, commonAncestor(skeleton, ends('hand'))) }),
  }
}

/** By names; where there are none, by what hangs from what (body-map.ts). */
function endsOf({ names, parents, belowRoot }: Skeleton, part: 'hand' | 'foot'): number[] {
  const parts = bodyParts(names, parents)
  const found = names.flatMap((_, joint) =>
    parts[joint] === part && belowRoot[joint] === 1 && parts[parents[joint]] !== part ? [joint] : [],
  )
  if (found.length > 0) return found
  const { roles } = bodyMap(names, parents)
  return [`left ${part}`, `right ${part}`].map((role) => roles.indexOf(role)).filter((joint) => belowRoot[joint] === 1)
}

function jointNamed(skeleton: Skeleton, name: string): number {
  const joint = skeleton.jointNamed(name)
  if (joint >= 0 && skeleton.belowRoot[joint] === 1) return joint
  const some = skeleton.names.slice(0, 12).join(', ')
  throw new RangeError(
    `garment: there is no joint '${name}' below the root; choose from ${some}${skeleton.names.length > 12 ? ', ...' : ''}.`,
  )
}

/** Whether the chest is above the hips rather than in front of them, so that a skirt would hang round two legs. */
export function isUpright({ pelvis, chest }: BodyLandmarks): boolean {
  if (!pelvis || !chest) return false
  return chest[1] - pelvis[1] > Math.hypot(chest[0] - pelvis[0], chest[2] - pelvis[2])
}

/** The last two joints of each chain before its end; chains of fewer than two are no limbs. */
function limbs(skeleton: Skeleton, ends: readonly number[]): Limb[] {
  const trunk = commonAncestor(skeleton, ends)
  return ends.flatMap((end) => {
    const middle = skeleton.parents[end]
    const upper = skeleton.parents[middle]
    if (middle < 0 || upper < 0 || middle === trunk || upper === trunk) return []
    return [[placeOf(skeleton, upper), placeOf(skeleton, middle), placeOf(skeleton, end)] as const]
  })
}

/** The lowest joint above all of these; the root for none or one. */
function commonAncestor({ parents, root }: Skeleton, joints: readonly number[]): number {
  if (joints.length < 2) return root
  const above = joints.map((joint) => {
    const chain: number[] = []
    for (let at = parents[joint]; at >= 0; at = parents[at]) chain.push(at)
    return chain
  })
  return above[0].find((joint) => above.every((chain) => chain.includes(joint))) ?? root
}

function placeOf({ restMatrices }: Skeleton, joint: number): Vec3 {
  return [restMatrices[16 * joint + 12], restMatrices[16 * joint + 13], restMatrices[16 * joint + 14]]
}
