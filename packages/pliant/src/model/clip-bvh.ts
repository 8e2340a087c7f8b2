/**
 * A clip of a skeleton as a Biovision motion.
 *
 * The format knows no rest orientations: with all angles zero, joints stand where their offsets put them and their axes
 * are those of the world. So offsets are the bones of the rest pose, in world axes, and a joint's rotation is what it has
 * turned in the world since rest, W(t) W(rest)^-1, seen from its parent's. Whatever axes the rig gave its joints cancels.
 */
import type { BvhJoint, BvhMotion } from '../files/bvh-motion.js'
import { writeBvh } from '../files/bvh-write.js'
import { decomposeMat4 } from '../math/mat4.js'
import { conjugateQuaternion, multiplyQuaternions, rotateVector } from '../math/quaternion.js'
import { type Clip, sampleClip } from './clip.js'
import { clipTimes, FRAME_RATE, requireFiniteClip } from './clip-frames.js'
import type { Skeleton, SkeletonPose } from './skeleton.js'

export interface ClipBvhOptions {
  /** What a length of 1 in the file means [m]; programs do not agree on it, and files do not say it. */
  unit?: number
  /** Evenly spread frames per second; default: the clip's own keys if they are evenly spread, else 60. */
  framesPerSecond?: number
}
export const CLIP_BVH_DEFAULTS = { unit: 1 } as const

/**
 * The bytes of a `.bvh` with the joints from the root on down; what moves above the root is in the root's motion. Bones
 * that change their length get positions (files/bvh-write.ts). Morph weights and scales have no place in it.
 * @throws RangeError naming joint and frame that are not finite
 */
export function clipToBvh(skeleton: Skeleton, clip: Clip, options: ClipBvhOptions = {}): Uint8Array {
  return writeBvh(bvhMotionOfClip(skeleton, clip, options))
}

/** The same before it becomes text. */
export function bvhMotionOfClip(skeleton: Skeleton, clip: Clip, options: ClipBvhOptions = {}): BvhMotion {
  const { unit, framesPerSecond } = { ...CLIP_BVH_DEFAULTS, ...options }
  if (!(unit > 0 && Number.isFinite(unit))) throw new RangeError(`bvh: a unit of ${unit} m; pass metres above 0.`)
  requireFiniteClip(skeleton, clip)
  const body = bodyJoints(skeleton)
  const rest = new WorldPose(skeleton, unit)
  rest.moveTo(skeleton.rest)
  const { times, frameTime } = evenTimes(clip, framesPerSecond)
  const rotations = new Float32Array(4 * body.length * times.length)
  const translations = new Float32Array(3 * body.length * times.length)
  const world = new WorldPose(skeleton, unit)
  const pose = skeleton.createPose()
  /** What each joint has turned in the world since rest. */
  const turned = new Float64Array(4 * skeleton.jointCount)
  const back = new Float64Array(4)
  const step = new Float64Array(3)
  times.forEach((time, frame) => {
    sampleClip(skeleton, clip, Math.min(time, clip.duration), pose)
    world.moveTo(pose)
    body.forEach((joint, i) => {
      const at = frame * body.length + i
      conjugateQuaternion(rest.rotations, 4 * joint, back, 0)
      multiplyQuaternions(world.rotations, 4 * joint, back, 0, turned, 4 * joint)
      if (i === 0) {
        rotations.set(turned.subarray(4 * joint, 4 * joint + 4), 4 * at)
        translations.set(world.places.subarray(3 * joint, 3 * joint + 3), 3 * at)
        return
      }
      const parent = skeleton.parents[joint]
      conjugateQuaternion(turned, 4 * parent, back, 0)
      multiplyQuaternions(back, 0, turned, 4 * joint, rotations, 4 * at)
      for (let k = 0; k < 3; k++) step[k] = world.places[3 * joint + k] - world.places[3 * parent + k]
      rotateVector(back, 0, step, 0, translations, 3 * at)
    })
  })
  return { joints: restJoints(skeleton, body, rest), frameCount: times.length, frameTime, rotations, translations }
}

/** The root and all below it, parents first. */
function bodyJoints({ root, belowRoot, jointCount }: Skeleton): number[] {
  const body = [root]
  for (let joint = 0; joint < jointCount; joint++) if (belowRoot[joint] === 1) body.push(joint)
  return body
}

/**
 * The root has no offset: its positions are places in the world, to which some readers add the offset. A bone that ends a
 * limb is drawn half as long as the one before it; the rig does not say how long it is.
 */
function restJoints({ names, parents }: Skeleton, body: readonly number[], { places }: WorldPose): BvhJoint[] {
  const numbers = new Map(body.map((joint, i) => [joint, i]))
  const hasChild = new Set(body.map((joint) => parents[joint]))
  return body.map((joint, i) => {
    const parent = parents[joint]
    const offset: [number, number, number] = [0, 0, 0]
    if (i > 0) for (let k = 0; k < 3; k++) offset[k] = places[3 * joint + k] - places[3 * parent + k]
    const [x, y, z] = offset
    const endSite: BvhJoint['endSite'] = hasChild.has(joint) ? undefined : [x / 2, y / 2, z / 2]
    return { name: names[joint], parent: i === 0 ? -1 : numbers.get(parent)!, offset, endSite }
  })
}

/** Where joints are in the world, and how their axes are turned. */
class WorldPose {
  /** 4 per joint. */
  readonly rotations: Float64Array
  /** 3 per joint, in the file's unit. */
  readonly places: Float64Array
  readonly #matrices: Float64Array

  constructor(
    private readonly skeleton: Skeleton,
    private readonly unit: number,
  ) {
    this.rotations = new Float64Array(4 * skeleton.jointCount)
    this.places = new Float64Array(3 * skeleton.jointCount)
    this.#matrices = new Float64Array(16 * skeleton.jointCount)
  }

  moveTo(pose: SkeletonPose): void {
    const { skeleton } = this
    const matrices = this.#matrices
    const scale = new Float64Array(3)
    skeleton.worldMatrices(pose, matrices)
    for (let joint = 0; joint < skeleton.jointCount; joint++) {
      // A joint that is scaled away has no axes; those of the world will do, for what hangs from it is at its place.
      decomposeMat4(matrices, 16 * joint, this.rotations, 4 * joint, scale, 0)
      for (let k = 0; k < 3; k++) this.places[3 * joint + k] = matrices[16 * joint + 12 + k] / this.unit
    }
  }
}

/** How far keys may be from even spacing, as a share of it: single precision after minutes at 120 a second. */
const UNEVEN = 0.02

function evenTimes(clip: Clip, framesPerSecond: number | undefined): { times: Float32Array; frameTime: number } {
  const own = clipTimes(clip, framesPerSecond)
  const spacing = (times: Float32Array) => times[times.length - 1] / (times.length - 1)
  if (own.length === 1) return { times: own, frameTime: 1 / (framesPerSecond ?? FRAME_RATE) }
  const step = spacing(own)
  if (own.every((time, i) => Math.abs(time - i * step) <= UNEVEN * step)) return { times: own, frameTime: step }
  const even = clipTimes(clip, FRAME_RATE)
  return { times: even, frameTime: spacing(even) }
}
