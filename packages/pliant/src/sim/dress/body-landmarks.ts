/**
 * Where clothes go, from a skeleton alone: arms end where a hand hangs, legs where a foot does (names: body-parts.ts),
 * and both begin below the joint that carries the two of a pair. Four-legged animals have both, the arms in front.
 */
import type { Vec3 } from '../../math/box.js'
import { bodyParts } from '../../model/body-parts.js'
import type { Skeleton } from '../../model/skeleton.js'
import { between } from '../cloth/ring-frames.js'

/** Joints of a limb at rest in the root frame [m], from the trunk outwards: shoulder, elbow, wrist; hip, knee, ankle. */
export type Limb = readonly [upper: Vec3, middle: Vec3, end: Vec3]

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

export function bodyLandmarks(skeleton: Skeleton): BodyLandmarks {
  const parts = bodyParts(skeleton.names, skeleton.parents)
  const ends = (part: 'hand' | 'foot') =>
    skeleton.names.flatMap((_, joint) => {
      const parent = skeleton.parents[joint]
      return parts[joint] === part && skeleton.belowRoot[joint] === 1 && parts[parent] !== part ? [joint] : []
    })
  const arms = limbs(skeleton, ends('hand'))
  const legs = limbs(skeleton, ends('foot'))
  return {
    arms,
    legs,
    ...(legs.length === 2 && { pelvis: between(legs[0][0], legs[1][0], 0.5) }),
    ...(arms.length === 2 && { chest: placeOf(skeleton, commonAncestor(skeleton, ends('hand'))) }),
  }
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
