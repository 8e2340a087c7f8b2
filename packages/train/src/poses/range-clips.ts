/**
 * Clips for a character that has none: smooth random motion in which every joint stays within its range. Poses follow
 * each other at even times, each with its own liveliness, from nearly at rest to the ends of the ranges; clips to judge
 * by come from a random stream of their own.
 */
import type { Random } from 'pliant'
import type { Clip, ClipTrack, Skeleton } from 'pliant/character'
import {
  conjugateQuaternion,
  decomposeMat4,
  invertAffine,
  multiplyAffine,
  multiplyQuaternions,
  quaternionOfVector,
  rotateVector,
} from 'pliant/unstable'
import { type StreamUse, streamOf } from '../streams/random-streams.js'
import type { Range, RangedJoint } from './joint-ranges.js'

export interface RangeClipOptions {
  seed: number
  /** How many clips to train on, and how many to judge by. */
  train?: number
  heldOut?: number
  /** Of each clip. */
  poses?: number
}

export const RANGE_CLIP_DEFAULTS = { train: 12, heldOut: 3, poses: 12 } as const

/** Seconds from pose to pose, and keys in between. */
const BETWEEN = 0.6
const KEYS = 8

export function rangeClips(
  skeleton: Skeleton,
  joints: readonly (RangedJoint | undefined)[],
  options: RangeClipOptions,
): { train: Clip[]; heldOut: Clip[] } {
  const { seed, train, heldOut, poses } = { ...RANGE_CLIP_DEFAULTS, ...options }
  const draw = (count: number, use: StreamUse, name: string): Clip[] =>
    Array.from({ length: count }, (_, i) =>
      makeClip(skeleton, joints, `${name} ${i + 1}`, poses, streamOf(use, seed, i)),
    )
  return {
    train: draw(train, 'trainingRanges', 'joint ranges'),
    heldOut: draw(heldOut, 'evaluationRanges', 'joint ranges, held out'),
  }
}

function makeClip(
  skeleton: Skeleton,
  joints: readonly (RangedJoint | undefined)[],
  name: string,
  poses: number,
  random: Random,
): Clip {
  const targets = Array.from({ length: poses }, () => drawAngles(joints, random))
  const keys = (poses - 1) * KEYS + 1
  const times = Float32Array.from({ length: keys }, (_, key) => (key * BETWEEN) / KEYS)
  const bent = new BentSkeleton(skeleton, joints)
  const tracks: ClipTrack[] = []
  joints.forEach((joint, target) => {
    if (!joint) return
    const track = (path: 'rotation' | 'translation', size: number): ClipTrack => ({
      target,
      path,
      size,
      interpolation: 'LINEAR',
      times,
      values: new Float32Array(size * keys),
    })
    tracks.push(track('rotation', 4))
    // Carried by a joint that is not its parent, it has to be moved as well.
    if (joint.axes.carrier !== skeleton.parents[target]) tracks.push(track('translation', 3))
  })
  const angles = new Float64Array(3 * joints.length)
  for (let key = 0; key < keys; key++) {
    const from = Math.min(Math.floor(key / KEYS), poses - 2)
    const t = key / KEYS - from
    // Slow at both ends, so that the motion has no corners.
    const share = t * t * (3 - 2 * t)
    for (let i = 0; i < angles.length; i++)
      angles[i] = targets[from][i] + share * (targets[from + 1][i] - targets[from][i])
    bent.bend(angles)
    for (const { target, path, size, values } of tracks) {
      const source = path === 'rotation' ? bent.rotations : bent.translations
      values.set(source.subarray(size * target, size * target + size), size * key)
    }
  }
  return { name, duration: times[keys - 1], tracks }
}

/** Flexion, side and twist of every joint [rad], evenly within its range, all of them drawn towards rest alike. */
function drawAngles(joints: readonly (RangedJoint | undefined)[], random: Random): Float64Array {
  const angles = new Float64Array(3 * joints.length)
  const liveliness = 0.25 + 0.75 * random.uniform()
  const within = ([from, to]: Range): number => (liveliness * (from + (to - from) * random.uniform()) * Math.PI) / 180
  joints.forEach((joint, i) => {
    if (!joint) return
    angles[3 * i] = within(joint.range.flex)
    angles[3 * i + 1] = within(joint.range.side)
    angles[3 * i + 2] = within(joint.range.twist)
  })
  return angles
}

/** A skeleton bent joint by joint, and the transforms of its joints in their parents' spaces. */
class BentSkeleton {
  readonly rotations: Float64Array
  readonly translations: Float64Array
  /** Carriers before what they carry. */
  readonly #order: number[]
  /** World turn since rest, 4 per joint, and place in the root frame. */
  readonly #turns: Float64Array
  readonly #places: Float64Array
  readonly #spaces: Float64Array

  constructor(
    readonly skeleton: Skeleton,
    readonly joints: readonly (RangedJoint | undefined)[],
  ) {
    const { jointCount, rest } = skeleton
    this.rotations = rest.rotations.slice()
    this.translations = rest.translations.slice()
    this.#turns = new Float64Array(4 * jointCount)
    this.#places = new Float64Array(3 * jointCount)
    this.#spaces = new Float64Array(16 * jointCount)
    this.#order = carriersFirst(joints, skeleton)
  }

  /** @param angles  flexion, side and twist [rad], 3 per joint */
  bend(angles: Float64Array): void {
    const { restSpaces, parents } = this.skeleton
    const vector = new Float64Array(3)
    const own = new Float64Array(4)
    const step = new Float64Array(3)
    for (const joint of this.#order) {
      const ranged = this.joints[joint]
      const carrier = ranged?.axes.carrier ?? -1
      if (!ranged || carrier < 0) {
        this.#turns.set([0, 0, 0, 1], 4 * joint)
        this.#places.set(restSpaces.subarray(16 * joint + 12, 16 * joint + 15), 3 * joint)
      } else {
        const { axes } = ranged
        const [flex, side, twist] = angles.subarray(3 * joint, 3 * joint + 3)
        for (let k = 0; k < 3; k++) vector[k] = flex * axes.flex[k] + side * axes.side[k] + twist * axes.twist[k]
        quaternionOfVector(vector, 0, own, 0)
        // Axes are those at rest, carried along.
        multiplyQuaternions(this.#turns, 4 * carrier, own, 0, this.#turns, 4 * joint)
        for (let k = 0; k < 3; k++) step[k] = restSpaces[16 * joint + 12 + k] - restSpaces[16 * carrier + 12 + k]
        rotateVector(this.#turns, 4 * carrier, step, 0, step, 0)
        for (let k = 0; k < 3; k++) this.#places[3 * joint + k] = this.#places[3 * carrier + k] + step[k]
      }
    }
    for (let joint = 0; joint < parents.length; joint++) this.#writeSpace(joint)
    this.#toParents()
  }

  /** The joint's space in the root frame: turned since rest, at its place. */
  #writeSpace(joint: number): void {
    const { restSpaces } = this.skeleton
    for (let column = 0; column < 12; column += 4) {
      rotateVector(this.#turns, 4 * joint, restSpaces, 16 * joint + column, this.#spaces, 16 * joint + column)
      this.#spaces[16 * joint + column + 3] = 0
    }
    for (let k = 0; k < 3; k++) this.#spaces[16 * joint + 12 + k] = this.#places[3 * joint + k]
    this.#spaces[16 * joint + 15] = 1
  }

  #toParents(): void {
    const { parents, rest } = this.skeleton
    const inverse = new Float64Array(16)
    const local = new Float64Array(16)
    const scale = new Float64Array(3)
    this.joints.forEach((ranged, joint) => {
      if (!ranged || !invertAffine(this.#spaces, 16 * parents[joint], inverse, 0)) return
      multiplyAffine(inverse, 0, this.#spaces, 16 * joint, local, 0)
      decomposeMat4(local, 0, this.rotations, 4 * joint, scale, 0)
      nearerOf(this.rotations, rest.rotations, 4 * joint)
      this.translations.set(local.subarray(12, 15), 3 * joint)
    })
  }
}

/** Of the two quaternions of a rotation the one on the side of rest, so that neighbours in time are neighbours. */
function nearerOf(rotations: Float64Array, rest: Float64Array, at: number): void {
  const turn = new Float64Array(4)
  conjugateQuaternion(rest, at, turn, 0)
  multiplyQuaternions(turn, 0, rotations, at, turn, 0)
  if (turn[3] < 0) for (let k = at; k < at + 4; k++) rotations[k] = -rotations[k]
}

function carriersFirst(joints: readonly (RangedJoint | undefined)[], { parents }: Skeleton): number[] {
  const order: number[] = []
  const done = new Set<number>()
  const visit = (joint: number): void => {
    if (joint < 0 || done.has(joint)) return
    done.add(joint)
    visit(joints[joint]?.axes.carrier ?? parents[joint])
    order.push(joint)
  }
  joints.forEach((_, joint) => {
    visit(joint)
  })
  return order
}
