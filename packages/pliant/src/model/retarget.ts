/**
 * Carries recorded motion over to a skeleton whose joints are named alike.
 *
 * Both stand upright, +Y up, facing the same way, but the pose in which all recorded angles are zero is another than the
 * skeleton's rest: arms out to the sides in one and hanging with bent elbows in the other, say. So each limb is first
 * laid along the recorded one: joint by joint from the body outwards, what the joints above have turned already is
 * turned on by the smallest rotation that makes the bones parallel (a bent elbow straightens about its own hinge). The
 * recorded rotations are then applied on top, in world axes.
 *
 * Only limbs are laid along. Spines, necks, hands, feet and joints that sit on their parents without a place of their own
 * differ between skeletons by how they were drawn, not by how they stand; they keep their rest shape, turned along with
 * what they hang from.
 */
import { invertAffine } from '../math/mat4.js'
import { conjugateQuaternion, multiplyQuaternions, rotateVector, swingBetween } from '../math/quaternion.js'
import { bodyParts } from './body-parts.js'
import type { Clip, ClipTrack } from './clip.js'
import type { Skeleton } from './skeleton.js'

/** Recorded motion as plain data: the parts of `BvhMotion` (files/bvh-motion.ts) that are needed. */
export interface MotionSource {
  /** Parents before children. */
  readonly joints: readonly { readonly name: string; readonly parent: number; readonly offset: readonly number[] }[]
  readonly frameCount: number
  /** [s] */
  readonly frameTime: number
  /** To the parent's space, 4 per joint, frame after frame. */
  readonly rotations: Float32Array
  /** To the parent's space, in any unit, 3 per joint, frame after frame. */
  readonly translations: Float32Array
}

export interface RetargetOptions {
  /** The clip's name. */
  name?: string
  /** For joints called otherwise: the skeleton's name -> the motion's. */
  aliases?: Readonly<Record<string, string>>
  /**
   * The frame in which the recorded body stands upright as the skeleton does at rest, but for its limbs. Default: none,
   * the pose of zero angles is such a one. Many recordings start with such a frame; leave it out with `firstFrame`.
   */
  reference?: number
  /** Frames before this are left out. */
  firstFrame?: number
}

export interface Retargeted {
  clip: Clip
  /** Joints below the skeleton's root, and the root, that the motion does not have: they stay at rest. */
  missing: string[]
  /** Joints of the motion that the skeleton does not have. */
  unused: string[]
}

/** @throws Error if no joint is named alike, or a frame in the options is not there */
export function retargetMotion(skeleton: Skeleton, motion: MotionSource, options: RetargetOptions = {}): Retargeted {
  const { name = 'motion', aliases = {}, reference, firstFrame = 0 } = options
  if (!(firstFrame >= 0 && firstFrame < motion.frameCount)) {
    throw new RangeError(`retarget: first frame ${firstFrame} of ${motion.frameCount}; choose one that is there.`)
  }
  if (reference !== undefined && !(reference >= 0 && reference < motion.frameCount)) {
    throw new RangeError(`retarget: reference frame ${reference} of ${motion.frameCount}; choose one that is there.`)
  }
  const sources = matchJoints(skeleton, motion, aliases)
  const matched = sources.filter((source) => source >= 0).length
  if (matched === 0) {
    const [own, other] = [skeleton.names[skeleton.root], motion.joints[0].name]
    throw new Error(
      `retarget: no joint of the motion ('${other}', ...) is named as in the skeleton ('${own}', ...); give aliases.`,
    )
  }
  const start = new PosedMotion(motion)
  if (reference !== undefined) start.pose(reference)
  const alignments = alignLimbs(skeleton, sources, start)
  const scale = lengthRatio(skeleton, sources, motion)
  const isMissing = (joint: number) =>
    sources[joint] < 0 && (joint === skeleton.root || skeleton.belowRoot[joint] === 1)
  return {
    clip: turnJoints(skeleton, motion, sources, start, alignments, { name, scale, firstFrame }),
    missing: skeleton.names.filter((_, joint) => isMissing(joint)),
    unused: motion.joints.filter((_, source) => !sources.includes(source)).map((joint) => joint.name),
  }
}

/** For each joint of the skeleton the motion's, or -1. Exporters prefix names (`mixamorig:Hips`), and cases differ. */
function matchJoints(skeleton: Skeleton, motion: MotionSource, aliases: Readonly<Record<string, string>>): Int32Array {
  const plain = (name: string) => name.slice(name.lastIndexOf(':') + 1).toLowerCase()
  const byName = new Map(motion.joints.map((joint, i) => [plain(joint.name), i]))
  return Int32Array.from(skeleton.names, (name) => byName.get(plain(aliases[name] ?? name)) ?? -1)
}

/** World rotations and places of the motion's joints in one frame; at first with all angles zero. */
class PosedMotion {
  readonly rotations: Float64Array
  readonly places: Float64Array

  constructor(readonly motion: MotionSource) {
    const { joints } = motion
    this.rotations = new Float64Array(4 * joints.length)
    this.places = new Float64Array(3 * joints.length)
    joints.forEach(({ parent, offset }, joint) => {
      this.rotations[4 * joint + 3] = 1
      for (let axis = 0; axis < 3; axis++) {
        this.places[3 * joint + axis] = offset[axis] + (parent < 0 ? 0 : this.places[3 * parent + axis])
      }
    })
  }

  pose(frame: number): void {
    const { joints, rotations, translations } = this.motion
    for (let joint = 0; joint < joints.length; joint++) {
      const { parent } = joints[joint]
      const turn = 4 * (frame * joints.length + joint)
      const place = 3 * (frame * joints.length + joint)
      if (parent < 0) {
        for (let k = 0; k < 4; k++) this.rotations[4 * joint + k] = rotations[turn + k]
        for (let axis = 0; axis < 3; axis++) this.places[3 * joint + axis] = translations[place + axis]
      } else {
        multiplyQuaternions(this.rotations, 4 * parent, rotations, turn, this.rotations, 4 * joint)
        rotateVector(this.rotations, 4 * parent, translations, place, this.places, 3 * joint)
        for (let axis = 0; axis < 3; axis++) this.places[3 * joint + axis] += this.places[3 * parent + axis]
      }
    }
  }
}

/** World rotations, 4 per joint, that carry the skeleton from rest to where the motion starts. */
function alignLimbs(skeleton: Skeleton, sources: Int32Array, start: PosedMotion): Float64Array {
  const { parents, restMatrices, jointCount } = skeleton
  const alignments = new Float64Array(4 * jointCount)
  const bones = limbBones(skeleton, sources, start)
  const swing = new Float64Array(4)
  const own = new Float64Array(3)
  const recorded = new Float64Array(3)
  for (let joint = 0; joint < jointCount; joint++) {
    const parent = parents[joint]
    if (parent < 0) alignments[4 * joint + 3] = 1
    else for (let k = 0; k < 4; k++) alignments[4 * joint + k] = alignments[4 * parent + k]
    const child = bones[joint]
    if (child < 0) continue
    for (let axis = 0; axis < 3; axis++) {
      own[axis] = restMatrices[16 * child + 12 + axis] - restMatrices[16 * joint + 12 + axis]
      recorded[axis] = start.places[3 * sources[child] + axis] - start.places[3 * sources[joint] + axis]
    }
    if (Math.hypot(...own) < 1e-9 || Math.hypot(...recorded) < 1e-9) continue
    rotateVector(alignments, 4 * joint, own, 0, own, 0)
    swingBetween(own, recorded, swing, 0)
    multiplyQuaternions(swing, 0, alignments, 4 * joint, alignments, 4 * joint)
  }
  return alignments
}

/** For each joint that is to be laid along the motion's bone the child that ends the bone; -1 for others. */
function limbBones(skeleton: Skeleton, sources: Int32Array, start: PosedMotion): Int32Array {
  const { names, parents, jointCount } = skeleton
  const parts = bodyParts(names, parents)
  const { joints } = start.motion
  const children = names.map((_, joint) =>
    names.flatMap((_, c) => (parents[c] === joint && sources[c] >= 0 ? [c] : [])),
  )
  const bones = new Int32Array(jointCount).fill(-1)
  /** Whether a joint and all below it, up to a hand or foot, are one line of joints. */
  const isLimb = new Uint8Array(jointCount)
  for (let joint = jointCount - 1; joint >= 0; joint--) {
    if (sources[joint] < 0 || parts[joint] === 'head') continue
    const extremity = parts[joint] !== undefined
    const [child] = children[joint]
    isLimb[joint] =
      extremity || children[joint].length === 0 || (children[joint].length === 1 && isLimb[child] === 1) ? 1 : 0
    const hasPlace = Math.hypot(...joints[sources[joint]].offset) > 0
    if (isLimb[joint] === 1 && !extremity && children[joint].length === 1 && hasPlace) bones[joint] = child
  }
  return bones
}

/** Skeleton's unit in the motion's: bones that both have, all lengths together. */
function lengthRatio(skeleton: Skeleton, sources: Int32Array, motion: MotionSource): number {
  const zero = new PosedMotion(motion)
  let own = 0
  let recorded = 0
  for (let joint = 0; joint < skeleton.jointCount; joint++) {
    const parent = skeleton.parents[joint]
    if (parent < 0 || sources[joint] < 0 || sources[parent] < 0 || joint === skeleton.root) continue
    const length = (values: Float64Array, a: number, b: number) =>
      Math.hypot(values[a] - values[b], values[a + 1] - values[b + 1], values[a + 2] - values[b + 2])
    own += length(skeleton.restMatrices, 16 * joint + 12, 16 * parent + 12)
    recorded += length(zero.places, 3 * sources[joint], 3 * sources[parent])
  }
  return recorded > 0 ? own / recorded : 1
}

function turnJoints(
  skeleton: Skeleton,
  motion: MotionSource,
  sources: Int32Array,
  start: PosedMotion,
  alignments: Float64Array,
  { name, scale, firstFrame }: { name: string; scale: number; firstFrame: number },
): Clip {
  const { parents, jointCount, rest } = skeleton
  const frames = motion.frameCount - firstFrame
  const times = Float32Array.from({ length: frames }, (_, frame) => frame * motion.frameTime)
  const track = (target: number, path: 'rotation' | 'translation', size: number): ClipTrack => ({
    target,
    path,
    size,
    interpolation: 'LINEAR',
    times,
    values: new Float32Array(size * frames),
  })
  const tracks = new Map<number, ClipTrack>()
  for (let joint = 0; joint < jointCount; joint++) {
    if (sources[joint] >= 0) tracks.set(joint, track(joint, 'rotation', 4))
  }
  const restWorld = worldRotations(skeleton)
  // Per joint alignment * rest, and the inverse of the motion's own start.
  const aligned = new Float64Array(4 * jointCount)
  const startInverse = new Float64Array(start.rotations.length)
  for (let joint = 0; joint < jointCount; joint++) {
    multiplyQuaternions(alignments, 4 * joint, restWorld, 4 * joint, aligned, 4 * joint)
  }
  for (let at = 0; at < startInverse.length; at += 4) conjugateQuaternion(start.rotations, at, startInverse, at)

  const world = new Float64Array(4 * jointCount)
  const turn = new Float64Array(4)
  const posed = new PosedMotion(motion)
  for (let frame = 0; frame < frames; frame++) {
    posed.pose(firstFrame + frame)
    for (let joint = 0; joint < jointCount; joint++) {
      const source = sources[joint]
      const parent = parents[joint]
      const own = tracks.get(joint)
      if (own === undefined) {
        if (parent < 0) for (let k = 0; k < 4; k++) world[4 * joint + k] = rest.rotations[4 * joint + k]
        else multiplyQuaternions(world, 4 * parent, rest.rotations, 4 * joint, world, 4 * joint)
        continue
      }
      multiplyQuaternions(posed.rotations, 4 * source, startInverse, 4 * source, turn, 0)
      multiplyQuaternions(turn, 0, aligned, 4 * joint, world, 4 * joint)
      if (parent < 0) for (let k = 0; k < 4; k++) turn[k] = world[4 * joint + k]
      else {
        conjugateQuaternion(world, 4 * parent, turn, 0)
        multiplyQuaternions(turn, 0, world, 4 * joint, turn, 0)
      }
      own.values.set(turn, 4 * frame)
    }
  }
  const all = [...tracks.values()]
  const rootSource = sources[skeleton.root]
  if (rootSource >= 0)
    all.push(rootTranslation(skeleton, motion, rootSource, track(skeleton.root, 'translation', 3), scale, firstFrame))
  return { name, duration: times[frames - 1], tracks: all }
}

/** The root's path, scaled to the skeleton; places in the world are brought to the space of the root's parent. */
function rootTranslation(
  skeleton: Skeleton,
  motion: MotionSource,
  source: number,
  track: ClipTrack,
  scale: number,
  firstFrame: number,
): ClipTrack {
  const toParent = parentFromWorld(skeleton)
  const posed = new PosedMotion(motion)
  for (let frame = 0; frame < track.times.length; frame++) {
    posed.pose(firstFrame + frame)
    const [x, y, z] = [0, 1, 2].map((axis) => scale * posed.places[3 * source + axis])
    for (let row = 0; row < 3; row++) {
      track.values[3 * frame + row] =
        toParent[row] * x + toParent[4 + row] * y + toParent[8 + row] * z + toParent[12 + row]
    }
  }
  return track
}

/** World to the space of the root joint's parent, at rest. */
function parentFromWorld(skeleton: Skeleton): Float64Array {
  const world = new Float64Array(16 * skeleton.jointCount)
  const inverse = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
  const parent = skeleton.parents[skeleton.root]
  skeleton.worldMatrices(skeleton.rest, world)
  if (parent >= 0 && !invertAffine(world, 16 * parent, inverse, 0)) {
    throw new Error(`retarget: joint '${skeleton.names[parent]}' has a scale of zero at rest; give it another.`)
  }
  return inverse
}

/** Rest rotations multiplied out from the top, scales passed over. */
function worldRotations({ parents, rest, jointCount }: Skeleton): Float64Array {
  const world = rest.rotations.slice()
  for (let joint = 0; joint < jointCount; joint++) {
    if (parents[joint] >= 0) multiplyQuaternions(world, 4 * parents[joint], rest.rotations, 4 * joint, world, 4 * joint)
  }
  return world
}
