/**
 * Chooses the code of a character: which joints, and which of their degrees of freedom, from names, skin and clips.
 *
 * Hands, feet and head with all that hangs from them are left out, as in the paper (cloth rarely meets them, and hands
 * have many joints) - unless fewer than three joints would remain: then the character is a hand, a foot or a head, and
 * nothing is left out by name.
 */
import { normaliseQuaternion } from '../math/quaternion.js'
import { type BodyPart, bodyParts } from './body-parts.js'
import { type Clip, frameTimes, sampleClip } from './clip.js'
import { type DroppedFreedom, JointCode, jointVector } from './joint-code.js'
import type { Skeleton, SkeletonPose } from './skeleton.js'

export interface JointCodeOptions {
  /** Exactly these joints, by name, instead of the choice by names. Those the clips never move are still dropped. */
  joints?: readonly string[]
  /** Range [rad] within which a degree of freedom counts as never moved. */
  still?: number
  /** By how much the range over the clips is widened to each side [rad]. */
  margin?: number
  /** Range to each side [rad] where there are no clips to tell. */
  unknownRange?: number
  /** Frames per second at which clips are looked at. */
  framesPerSecond?: number
}

export const JOINT_CODE_DEFAULTS = {
  // A tenth of a degree moves a hand at arm's length by 1 mm.
  still: (0.1 * Math.PI) / 180,
  // As much as the noise that training poses get (algorithms 8.5), so that they lie within the range.
  margin: (20 * Math.PI) / 180,
  unknownRange: (45 * Math.PI) / 180,
  framesPerSecond: 30,
} as const

/** Joints that must remain for names to be believed. */
const FEWEST_JOINTS = 3

const PART_NAMES: Record<BodyPart, string> = { hand: 'hands', foot: 'feet', head: 'head' }

/**
 * @param weights  sum of vertex weights on each joint (`weightOfJoints`)
 * @throws Error if a named joint is not there or not below the root
 */
export function chooseJointCode(
  skeleton: Skeleton,
  weights: ArrayLike<number>,
  clips: readonly Clip[],
  options: JointCodeOptions = {},
): JointCode {
  const { joints: named, still, margin, unknownRange, framesPerSecond } = { ...JOINT_CODE_DEFAULTS, ...options }
  const dropped: DroppedFreedom[] = []
  const joints = named === undefined ? jointsByName(skeleton, weights, dropped) : jointsOfUser(skeleton, named)
  const seen = lookAtClips(skeleton, clips, framesPerSecond)

  const entries: { joint: number; axis: number; lower: number; upper: number }[] = []
  for (const joint of joints) {
    for (let axis = 0; axis < 3; axis++) {
      const lower = seen.lower[3 * joint + axis]
      const upper = seen.upper[3 * joint + axis]
      if (seen.frames === 0)
        entries.push({ joint, axis, lower: -unknownRange / Math.PI, upper: unknownRange / Math.PI })
      else if ((upper - lower) * Math.PI > still) {
        const wider = margin / Math.PI
        entries.push({ joint, axis, lower: Math.max(-1, lower - wider), upper: Math.min(1, upper + wider) })
      } else {
        const what = `rotation ${'xyz'[axis]}`
        dropped.push({ joint: skeleton.names[joint], what, reason: `the same in all ${clips.length} clips` })
      }
    }
  }
  dropped.push(...movedOtherwise(skeleton, weights, seen))
  return new JointCode(skeleton, {
    joints: Uint16Array.from(entries, ({ joint }) => joint),
    axes: Uint8Array.from(entries, ({ axis }) => axis),
    fixed: seen.mean,
    bounds: {
      lower: Float64Array.from(entries, ({ lower }) => lower),
      upper: Float64Array.from(entries, ({ upper }) => upper),
    },
    dropped,
    largestAngle: joints.reduce((largest, joint) => Math.max(largest, seen.largestAngle[joint]), 0),
  })
}

function jointsOfUser(skeleton: Skeleton, names: readonly string[]): number[] {
  const joints = names.map((name) => {
    const joint = skeleton.jointNamed(name)
    if (joint < 0) throw new Error(`joint code: there is no joint '${name}'; choose from ${skeleton.names.join(', ')}.`)
    if (skeleton.belowRoot[joint] === 0) {
      const root = skeleton.names[skeleton.root]
      throw new Error(`joint code: joint '${name}' does not shape the body; choose joints below the root '${root}'.`)
    }
    return joint
  })
  return [...new Set(joints)].sort((a, b) => a - b)
}

function jointsByName(skeleton: Skeleton, weights: ArrayLike<number>, dropped: DroppedFreedom[]): number[] {
  const { names, parents, jointCount } = skeleton
  const weightBelow = Float64Array.from(weights)
  for (let joint = jointCount - 1; joint > 0; joint--) {
    if (parents[joint] >= 0) weightBelow[parents[joint]] += weightBelow[joint]
  }
  const moving: number[] = []
  for (let joint = 0; joint < jointCount; joint++) {
    if (skeleton.belowRoot[joint] === 0) continue
    if (weightBelow[joint] > 0) moving.push(joint)
    else dropped.push({ joint: names[joint], what: 'rotation', reason: 'moves no vertex' })
  }
  const parts = bodyParts(names, parents)
  const remaining = moving.filter((joint) => parts[joint] === undefined)
  if (remaining.length < FEWEST_JOINTS) return moving
  for (const joint of moving) {
    const part = parts[joint]
    if (part === undefined) continue
    dropped.push({ joint: names[joint], what: 'rotation', reason: `${PART_NAMES[part]} are left out` })
  }
  return remaining
}

interface SeenInClips {
  frames: number
  /** Range of rotation vectors / pi, 3 per joint. */
  lower: Float64Array
  upper: Float64Array
  /** Largest angle from rest [rad]. */
  largestAngle: Float64Array
  /** Range of translations and of scales, the largest over their axes, per joint. */
  translation: Float64Array
  scale: Float64Array
  mean: SkeletonPose
}

function lookAtClips(skeleton: Skeleton, clips: readonly Clip[], framesPerSecond: number): SeenInClips {
  const count = skeleton.jointCount
  const pose = skeleton.createPose()
  const rotations = new RangeOf(3 * count)
  const translations = new RangeOf(3 * count)
  const scales = new RangeOf(3 * count)
  const quaternionSum = new Float64Array(4 * count)
  const vectors = new Float64Array(3 * count)
  const largestAngle = new Float64Array(count)
  for (const clip of clips) {
    for (const time of frameTimes(clip, framesPerSecond)) {
      sampleClip(skeleton, clip, time, pose)
      for (let joint = 0; joint < count; joint++) {
        jointVector(skeleton, pose, joint, vectors, 3 * joint)
        const angle = Math.PI * Math.hypot(...vectors.subarray(3 * joint, 3 * joint + 3))
        largestAngle[joint] = Math.max(largestAngle[joint], angle)
        let cosine = 0
        for (let k = 4 * joint; k < 4 * joint + 4; k++) cosine += pose.rotations[k] * skeleton.rest.rotations[k]
        for (let k = 4 * joint; k < 4 * joint + 4; k++)
          quaternionSum[k] += cosine < 0 ? -pose.rotations[k] : pose.rotations[k]
      }
      rotations.add(vectors)
      translations.add(pose.translations)
      scales.add(pose.scales)
    }
  }
  const mean = skeleton.createPose()
  if (rotations.count > 0) {
    mean.translations.set(translations.mean())
    mean.scales.set(scales.mean())
    mean.rotations.set(quaternionSum)
    for (let joint = 0; joint < count; joint++) normaliseQuaternion(mean.rotations, 4 * joint)
  }
  return {
    frames: rotations.count,
    lower: rotations.lower,
    upper: rotations.upper,
    largestAngle,
    translation: translations.largestPerJoint(),
    scale: scales.largestPerJoint(),
    mean,
  }
}

/** Joints below the root whose translation or scale the clips do change: the code cannot tell, so say it. */
function movedOtherwise(skeleton: Skeleton, weights: ArrayLike<number>, seen: SeenInClips): DroppedFreedom[] {
  const dropped: DroppedFreedom[] = []
  for (let joint = 0; joint < skeleton.jointCount; joint++) {
    if (skeleton.belowRoot[joint] === 0 || weights[joint] === 0) continue
    const name = skeleton.names[joint]
    if (seen.translation[joint] > 1e-4) {
      const reason = `translations are left out; it moves by ${seen.translation[joint].toPrecision(2)}`
      dropped.push({ joint: name, what: 'translation', reason })
    }
    if (seen.scale[joint] > 1e-3) {
      const reason = `scales are left out; it varies by ${seen.scale[joint].toPrecision(2)}`
      dropped.push({ joint: name, what: 'scale', reason })
    }
  }
  return dropped
}

/** Running minimum, maximum and mean of many arrays of one length. */
class RangeOf {
  count = 0
  readonly lower: Float64Array
  readonly upper: Float64Array
  readonly #sum: Float64Array

  constructor(length: number) {
    this.lower = new Float64Array(length).fill(Infinity)
    this.upper = new Float64Array(length).fill(-Infinity)
    this.#sum = new Float64Array(length)
  }

  add(values: Float64Array): void {
    this.count++
    for (let i = 0; i < values.length; i++) {
      if (values[i] < this.lower[i]) this.lower[i] = values[i]
      if (values[i] > this.upper[i]) this.upper[i] = values[i]
      this.#sum[i] += values[i]
    }
  }

  mean(): Float64Array {
    return this.#sum.map((sum) => sum / this.count)
  }

  largestPerJoint(): Float64Array {
    return Float64Array.from({ length: this.lower.length / 3 }, (_, joint) =>
      Math.max(0, ...[0, 1, 2].map((axis) => this.upper[3 * joint + axis] - this.lower[3 * joint + axis])),
    )
  }
}
