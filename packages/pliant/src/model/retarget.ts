/**
 * Carries recorded motion over to a skeleton whose joints mean the same (match-joints.ts).
 *
 * One pose of the recording stands as the skeleton does at rest (standing.ts), but for its limbs: arms are out to the
 * sides in one and hang with bent elbows in the other, say. So each limb is first laid along the recorded one: joint by joint from the body outwards, what the joints above have turned already is
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
import { type JointAliases, type JointMatch, matchJoints } from './match-joints.js'
import { type MotionSource, PosedMotion } from './posed-motion.js'
import type { Skeleton } from './skeleton.js'
import { facing, findReference, type Landmarks, type ReferencePose, uprightAxes } from './standing.js'

export interface RetargetOptions {
  /** The clip's name. */
  name?: string
  /** For joints that are not found by themselves: the motion's name -> the skeleton's. */
  aliases?: JointAliases
  /**
   * Which pose of the recording stands upright as the skeleton does at rest, but for its limbs. 'auto' (default): the
   * first frame if the data shows that it was put there for that (standing.ts), else as 'none'; 'none': the pose of zero
   * angles; 'first': the first frame, which is then no part of the clip; a number: that frame, which stays in the clip.
   */
  reference?: number | 'auto' | 'first' | 'none'
  /** Frames before this are left out; default: none, or the reference if it is the first. */
  firstFrame?: number
  /** How much surface each joint moves (`areaOfJoints`); default: all alike. */
  weights?: ArrayLike<number>
}

export interface Retargeted {
  clip: Clip
  /** Joints of the skeleton and the motion's that move them. */
  matched: { joint: string; from: string }[]
  /** Joints below the skeleton's root, and the root, that the motion does not have: they stay at rest. */
  missing: string[]
  /** Joints of the motion that the skeleton does not have. */
  unused: string[]
  /**
   * Share of the surface whose joints are matched, 0 to 1. The root's own is left out: it moves in any motion. Of a body
   * with four limbs, so are fingers, toes and what is no part of a body (hair, capes): they are carried along.
   */
  share: number
  reference: ReferencePose
}

/** @throws Error if no joint is found, an alias names none, or a frame in the options is not there */
export function retargetMotion(skeleton: Skeleton, motion: MotionSource, options: RetargetOptions = {}): Retargeted {
  const { name = 'motion', aliases = {} } = options
  const match = matchJoints(skeleton, motion, aliases)
  const { sources } = match
  if (!sources.some((source) => source >= 0)) {
    const [own, other] = [skeleton.names[skeleton.root], motion.joints[0].name]
    throw new Error(
      `retarget: no joint of the motion ('${other}', ...) is named as in the skeleton ('${own}', ...); give aliases.`,
    )
  }
  const ownJoint: Landmarks = (role) => match.parts.indexOf(role)
  const theirJoint: Landmarks = (role) => (ownJoint(role) < 0 ? -1 : sources[ownJoint(role)])
  const axes = uprightAxes(motion, theirJoint)
  const reference = chooseReference(motion, options, () => findReference(motion, theirJoint, axes))
  const start = new PosedMotion(motion, axes)
  if (reference.frame !== undefined) start.pose(reference.frame)
  start.turn(facing(skeleton, ownJoint, start, theirJoint))
  const alignments = alignLimbs(skeleton, sources, start)
  const scale = lengthRatio(skeleton, sources, start)
  const isMissing = (joint: number) =>
    sources[joint] < 0 && (joint === skeleton.root || skeleton.belowRoot[joint] === 1)
  return {
    clip: turnJoints(skeleton, sources, start, alignments, { name, scale, firstFrame: reference.firstFrame }),
    matched: skeleton.names.flatMap((joint, i) =>
      sources[i] >= 0 ? [{ joint, from: motion.joints[sources[i]].name }] : [],
    ),
    missing: skeleton.names.filter((_, joint) => isMissing(joint)),
    unused: motion.joints.filter((_, source) => !sources.includes(source)).map((joint) => joint.name),
    share: matchedShare(skeleton, match, options.weights),
    reference,
  }
}

function chooseReference(
  { frameCount }: MotionSource,
  { reference = 'auto', firstFrame }: RetargetOptions,
  find: () => ReferencePose,
): ReferencePose {
  if (firstFrame !== undefined && !(firstFrame >= 0 && firstFrame < frameCount)) {
    throw new RangeError(`retarget: first frame ${firstFrame} of ${frameCount}; choose one that is there.`)
  }
  if (typeof reference === 'number' && !(reference >= 0 && reference < frameCount)) {
    throw new RangeError(`retarget: reference frame ${reference} of ${frameCount}; choose one that is there.`)
  }
  if (reference === 'first' && frameCount < 2) {
    throw new RangeError('retarget: the motion has one frame, which cannot be left out; choose another reference.')
  }
  const chosen: ReferencePose =
    reference === 'auto'
      ? find()
      : reference === 'none'
        ? { frame: undefined, firstFrame: 0, why: 'as told' }
        : reference === 'first'
          ? { frame: 0, firstFrame: 1, why: 'as told' }
          : { frame: reference, firstFrame: 0, why: 'as told' }
  return { ...chosen, firstFrame: firstFrame ?? chosen.firstFrame }
}

const CARRIED = /toe|thumb|index|middle|ring|pinky/

function matchedShare({ belowRoot, jointCount }: Skeleton, match: JointMatch, weights?: ArrayLike<number>): number {
  let [matched, all] = [0, 0]
  for (let joint = 0; joint < jointCount; joint++) {
    if (belowRoot[joint] === 0) continue
    const role = match.parts[joint]
    if (match.isBody && (role === undefined || CARRIED.test(role))) continue
    const weight = weights === undefined ? 1 : weights[joint]
    all += weight
    if (match.sources[joint] >= 0) matched += weight
  }
  return all > 0 ? matched / all : 1
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

/** Skeleton's unit in the motion's: bones that both have, all lengths together, joints between their ends passed over. */
function lengthRatio(skeleton: Skeleton, sources: Int32Array, { places }: PosedMotion): number {
  let own = 0
  let recorded = 0
  for (let joint = 0; joint < skeleton.jointCount; joint++) {
    let above = skeleton.parents[joint]
    while (above >= 0 && (sources[above] < 0 || sources[above] === sources[joint])) above = skeleton.parents[above]
    if (above < 0 || sources[joint] < 0 || joint === skeleton.root) continue
    const length = (values: Float64Array, a: number, b: number) =>
      Math.hypot(values[a] - values[b], values[a + 1] - values[b + 1], values[a + 2] - values[b + 2])
    own += length(skeleton.restMatrices, 16 * joint + 12, 16 * above + 12)
    recorded += length(places, 3 * sources[joint], 3 * sources[above])
  }
  return recorded > 0 ? own / recorded : 1
}

function turnJoints(
  skeleton: Skeleton,
  sources: Int32Array,
  start: PosedMotion,
  alignments: Float64Array,
  { name, scale, firstFrame }: { name: string; scale: number; firstFrame: number },
): Clip {
  const { parents, jointCount, rest } = skeleton
  const { motion } = start
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
  const posed = new PosedMotion(motion, start.axes)
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
  if (sources[skeleton.root] >= 0) {
    all.push(rootTranslation(skeleton, sources, start, track(skeleton.root, 'translation', 3), scale, firstFrame))
  }
  return { name, duration: times[frames - 1], tracks: all }
}

/**
 * The root's path, scaled to the skeleton; places in the world are brought to the space of the root's parent. A root
 * above the hips, on the ground say, keeps its place below them.
 */
function rootTranslation(
  skeleton: Skeleton,
  sources: Int32Array,
  start: PosedMotion,
  track: ClipTrack,
  scale: number,
  firstFrame: number,
): ClipTrack {
  const source = sources[skeleton.root]
  const toParent = parentFromWorld(skeleton)
  const hips = sources.findIndex((other, joint) => other === source && joint !== skeleton.root)
  const fromHips = [0, 1, 2].map((axis) => (hips < 0 ? 0 : -skeleton.restMatrices[16 * hips + 12 + axis]))
  const turn = new Float64Array(4)
  const place = new Float64Array(3)
  const posed = new PosedMotion(start.motion, start.axes)
  for (let frame = 0; frame < track.times.length; frame++) {
    posed.pose(firstFrame + frame)
    conjugateQuaternion(start.rotations, 4 * source, turn, 0)
    multiplyQuaternions(posed.rotations, 4 * source, turn, 0, turn, 0)
    rotateVector(turn, 0, fromHips, 0, place, 0)
    const [x, y, z] = place.map((value, axis) => value + scale * posed.places[3 * source + axis])
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
