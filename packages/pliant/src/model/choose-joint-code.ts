/**
 * Chooses the code of a character: which joints, and which of their degrees of freedom, from names, skin and clips.
 *
 * Hands, feet and head with all that hangs from them are left out, as in the paper (cloth rarely meets them, and hands
 * have many joints) - unless fewer than three joints would remain: then the character is a hand, a foot or a head, and
 * nothing is left out by name.
 */
import { linearDeterminant } from '../math/mat4.js'
import { normaliseQuaternion } from '../math/quaternion.js'
import { type BodyPart, bodyParts } from './body-parts.js'
import { CarriedJoints } from './carried-joints.js'
import { type Clip, frameTimes, sampleClip } from './clip.js'
import { type DroppedFreedom, JointCode, jointVector } from './joint-code.js'
import type { Skeleton, SkeletonPose } from './skeleton.js'

export interface JointCodeOptions {
  /** Exactly these joints, by name, instead of the choice by names. Those the clips never move are still dropped. */
  joints?: readonly string[]
  /** Also hands, feet and head, which else are left out: they run into a body, too. */
  extremities?: boolean
  /** Range [rad] within which a degree of freedom counts as never moved. */
  still?: number
  /** Range of a translation, as a share of the body's height, up to which it is left out. */
  stillShare?: number
  /** By how much the range of rotations over the clips is widened to each side [rad]. */
  margin?: number
  /** Range to each side [rad] where there are no clips to tell. */
  unknownRange?: number
  /** Frames per second at which clips are looked at. */
  framesPerSecond?: number
  /** The joint that each joint is measured from (`JointCodeData.carriers`); left out: its parent. */
  carriers?: Int32Array
  /** With carriers, the axes of joints (`JointCodeData.bases`): a joint that bends about one of them is one number. */
  bases?: Float64Array
}

export const JOINT_CODE_DEFAULTS = {
  // A tenth of a degree moves a hand at arm's length by 1 mm.
  still: (0.1 * Math.PI) / 180,
  stillShare: 0.002,
  // As much as the noise that training poses get (algorithms 8.5), so that they lie within the range.
  margin: (20 * Math.PI) / 180,
  unknownRange: (45 * Math.PI) / 180,
  framesPerSecond: 30,
} as const

/** Joints that must remain for names to be believed. */
const FEWEST_JOINTS = 3

const PART_NAMES: Record<BodyPart, string> = { hand: 'hands', foot: 'feet', head: 'head' }

export interface JointCodeSubject {
  skeleton: Skeleton
  /** Sum of vertex weights on each joint (`weightOfJoints`). */
  weights: ArrayLike<number>
  /** Of the body at rest [m]. */
  height: number
}

/** @throws Error if a named joint is not there or not below the root */
export function chooseJointCode(
  subject: JointCodeSubject,
  clips: readonly Clip[],
  options: JointCodeOptions = {},
): JointCode {
  const { skeleton, weights, height } = subject
  const settings = { ...JOINT_CODE_DEFAULTS, ...options }
  const dropped: DroppedFreedom[] = []
  const hanging = options.carriers && new CarriedJoints(skeleton, options.carriers, options.bases)
  const carried = hanging?.skeleton ?? skeleton
  const joints =
    options.joints === undefined
      ? jointsByName(skeleton, weightBelow(carried, weights), options.extremities === true, dropped)
      : jointsOfUser(skeleton, options.joints)
  const seen = lookAtClips(skeleton, hanging, clips, settings.framesPerSecond)
  const entries: Entry[] = []
  for (const joint of joints) {
    for (let axis = 0; axis < 3; axis++) {
      const entry = rotationEntry(seen, joint, axis, settings)
      if (entry !== undefined) entries.push(entry)
      else {
        const reason = `the same in all ${clips.length} clips`
        dropped.push({ joint: skeleton.names[joint], what: `rotation ${'xyz'[axis]}`, reason })
      }
    }
    for (let axis = 0; axis < 3; axis++) {
      const entry = translationEntry(seen, joint, axis, height / parentScale(carried, joint))
      if (entry.upper - entry.lower > settings.stillShare) entries.push(entry)
    }
  }
  dropped.push(...movedButLeftOut({ skeleton: carried, weights, height }, seen, entries))
  return new JointCode(skeleton, {
    joints: Uint16Array.from(entries, ({ joint }) => joint),
    axes: Uint8Array.from(entries, ({ axis }) => axis),
    units: Float64Array.from(entries, ({ unit }) => unit),
    carriers: options.carriers,
    bases: options.bases,
    fixed: seen.mean,
    bounds: {
      lower: Float64Array.from(entries, ({ lower }) => lower),
      upper: Float64Array.from(entries, ({ upper }) => upper),
    },
    dropped,
    largestAngle: joints.reduce((largest, joint) => Math.max(largest, seen.largestAngle[joint]), 0),
  })
}

interface Entry {
  joint: number
  axis: number
  unit: number
  lower: number
  upper: number
}

/** undefined if the clips never move it. */
function rotationEntry(
  seen: SeenInClips,
  joint: number,
  axis: number,
  { still, margin, unknownRange }: { still: number; margin: number; unknownRange: number },
): Entry | undefined {
  const unit = Math.PI
  if (seen.frames === 0) return { joint, axis, unit, lower: -unknownRange / unit, upper: unknownRange / unit }
  const lower = seen.rotations.lower[3 * joint + axis]
  const upper = seen.rotations.upper[3 * joint + axis]
  if (upper - lower <= still) return undefined
  return {
    joint,
    axis,
    unit,
    lower: Math.max(-1, (lower - margin) / unit),
    upper: Math.min(1, (upper + margin) / unit),
  }
}

/** Its range is not widened: how far a joint slides beyond what it was made for is nobody's guess. */
function translationEntry(seen: SeenInClips, joint: number, axis: number, unit: number): Entry {
  if (seen.frames === 0) return { joint, axis: 3 + axis, unit, lower: 0, upper: 0 }
  return {
    joint,
    axis: 3 + axis,
    unit,
    lower: seen.translations.lower[3 * joint + axis] / unit,
    upper: seen.translations.upper[3 * joint + axis] / unit,
  }
}

/** Length in the world of a unit in the space of the joint's parent, at rest. */
function parentScale({ parents, restSpaces }: Skeleton, joint: number): number {
  return Math.cbrt(Math.abs(linearDeterminant(restSpaces, 16 * parents[joint]))) || 1
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

function jointsByName(
  skeleton: Skeleton,
  carrying: ArrayLike<number>,
  extremities: boolean,
  dropped: DroppedFreedom[],
): number[] {
  const { names, parents, jointCount } = skeleton
  const moving: number[] = []
  for (let joint = 0; joint < jointCount; joint++) {
    if (skeleton.belowRoot[joint] === 0) continue
    if (carrying[joint] > 0) moving.push(joint)
    else dropped.push({ joint: names[joint], what: 'rotation', reason: 'moves no vertex' })
  }
  const parts = bodyParts(names, parents)
  const remaining = moving.filter((joint) => parts[joint] === undefined)
  if (extremities || remaining.length < FEWEST_JOINTS) return moving
  for (const joint of moving) {
    const part = parts[joint]
    if (part === undefined) continue
    dropped.push({ joint: names[joint], what: 'rotation', reason: `part of the ${PART_NAMES[part]}` })
  }
  return remaining
}

/** Weight of the vertices that each joint moves, by itself and through those that hang from it. */
function weightBelow({ order, parents }: Skeleton, weights: ArrayLike<number>): Float64Array {
  const below = Float64Array.from(weights)
  for (let i = order.length - 1; i >= 0; i--) {
    const [joint, parent] = [order[i], parents[order[i]]]
    if (parent >= 0) below[parent] += below[joint]
  }
  return below
}

/** Of joints in what they hang from as the code measures them; scales as the clips have them. */
interface SeenInClips {
  frames: number
  /** Rotation vectors from rest [rad], 3 per joint. */
  rotations: RangeOf
  /** Largest angle from rest [rad], per joint. */
  largestAngle: Float64Array
  /** From rest, in the parent's unit, 3 per joint. */
  translations: RangeOf
  scales: RangeOf
  /** As the file hangs the joints. */
  mean: SkeletonPose
}

function lookAtClips(
  skeleton: Skeleton,
  hanging: CarriedJoints | undefined,
  clips: readonly Clip[],
  framesPerSecond: number,
): SeenInClips {
  const count = skeleton.jointCount
  const carried = hanging?.skeleton ?? skeleton
  const sampled = skeleton.createPose()
  const pose = hanging ? carried.createPose() : sampled
  const rotations = new RangeOf(3 * count)
  const translations = new RangeOf(3 * count)
  const scales = new RangeOf(3 * count)
  const quaternionSum = new Float64Array(4 * count)
  const vectors = new Float64Array(3 * count)
  const slides = new Float64Array(3 * count)
  const largestAngle = new Float64Array(count)
  for (const clip of clips) {
    for (const time of frameTimes(clip, framesPerSecond)) {
      sampleClip(skeleton, clip, time, sampled)
      hanging?.carry(sampled, pose)
      for (let joint = 0; joint < count; joint++) {
        jointVector(carried, pose, joint, vectors, 3 * joint)
        const angle = Math.hypot(vectors[3 * joint], vectors[3 * joint + 1], vectors[3 * joint + 2])
        largestAngle[joint] = Math.max(largestAngle[joint], angle)
        let cosine = 0
        for (let k = 4 * joint; k < 4 * joint + 4; k++) cosine += pose.rotations[k] * carried.rest.rotations[k]
        for (let k = 4 * joint; k < 4 * joint + 4; k++)
          quaternionSum[k] += cosine < 0 ? -pose.rotations[k] : pose.rotations[k]
      }
      rotations.add(vectors)
      for (let i = 0; i < slides.length; i++) slides[i] = pose.translations[i] - carried.rest.translations[i]
      translations.add(slides)
      scales.add(sampled.scales)
    }
  }
  const mean = skeleton.createPose()
  if (rotations.count > 0) {
    mean.scales.set(scales.mean())
    const middle = hanging ? carried.createPose() : mean
    hanging?.carry(mean, middle)
    const slid = translations.mean()
    for (let i = 0; i < slid.length; i++) middle.translations[i] = carried.rest.translations[i] + slid[i]
    middle.rotations.set(quaternionSum)
    for (let joint = 0; joint < count; joint++) normaliseQuaternion(middle.rotations, 4 * joint)
    hanging?.putBack(middle, mean)
  }
  return { frames: rotations.count, rotations, translations, scales, largestAngle, mean }
}

/** Joints below the root that the clips slide or scale though the code does not hold it: it will be wrong by that. */
function movedButLeftOut(
  { skeleton, weights, height }: JointCodeSubject,
  seen: SeenInClips,
  entries: Entry[],
): DroppedFreedom[] {
  const dropped: DroppedFreedom[] = []
  if (seen.frames === 0) return dropped
  for (let joint = 0; joint < skeleton.jointCount; joint++) {
    if (skeleton.belowRoot[joint] === 0 || weights[joint] === 0) continue
    const name = skeleton.names[joint]
    const isHeld = (axis: number) => entries.some((entry) => entry.joint === joint && entry.axis === 3 + axis)
    const slide = seen.translations.largest(joint, (axis) => !isHeld(axis)) / (height / parentScale(skeleton, joint))
    if (slide > 1e-4) {
      dropped.push({
        joint: name,
        what: 'translation',
        reason: `slides by only ${(100 * slide).toPrecision(2)}% of the height`,
      })
    }
    const scale = seen.scales.largest(joint, () => true)
    if (scale > 1e-3)
      dropped.push({ joint: name, what: 'scale', reason: `never held; it varies by ${scale.toPrecision(2)}` })
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

  /** The largest range of a joint's three values, as far as they count. */
  largest(joint: number, counts: (axis: number) => boolean): number {
    const ranges = [0, 1, 2].filter(counts).map((axis) => this.upper[3 * joint + axis] - this.lower[3 * joint + axis])
    return Math.max(0, ...ranges)
  }
}
