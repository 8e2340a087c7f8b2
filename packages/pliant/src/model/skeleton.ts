/**
 * A skeleton: joints that hang from each other, and where they are in a pose.
 *
 * The code of a character must not see where it stands (Zesch et al. section 3.2: poses in the local space of the root
 * joint). The **root frame** has its origin in the root joint and, in the rest pose, the axes and unit of the world
 * (+Y up, metres); from then on it goes with the root joint. So shapes in the root frame are those of a character whose
 * root joint stands as at rest, moved to the origin: whatever the root or a node above it does, translation, rotation,
 * scale, even shear, is in `rootFrame` and nowhere else.
 *
 * A joint's **space** is what its file says: joints in centimetres under an armature of 0.01, joints scaled along one
 * axis. Lengths in it mean nothing by themselves. Its **frame** is that space made rigid at rest: the joint's place, the
 * axes' directions, metres of the root frame. All matrices that leave a skeleton are of frames, so whoever measures
 * beside a joint (boxes, segments, radii) measures metres, whatever units and scales the rig was made in. Poses are of
 * spaces, as clips and live joints have them.
 */
import { composeMat4, decomposeMat4, invertAffine, multiplyAffine, multiplyLinear } from '../math/mat4.js'
import { areFinite, isFloats, shown } from '../math/require.js'

/** Joint spaces in their parents' spaces. */
export interface SkeletonPose {
  /** In the unit of the parent's space, 3 per joint. */
  translations: Float64Array
  /** Unit quaternions x, y, z, w, 4 per joint. */
  rotations: Float64Array
  /** 3 per joint. */
  scales: Float64Array
}

export interface SkeletonData {
  names: readonly string[]
  /** Each joint's parent, which comes before it; -1 for the first. */
  parents: Int32Array
  /** The joint that carries the whole body. Joints not below it carry it, or nothing. */
  root: number
  rest: SkeletonPose
}

/** How joints hang that do not hang as a file says (carried-joints.ts). */
export interface Hanging {
  /** All joints, parents before children. */
  order: Int32Array
  /** Joint frame to joint space, column-major 4x4 each. */
  frames: Float64Array
}

const PARTS_OF_POSE = [
  ['translations', 3],
  ['rotations', 4],
  ['scales', 3],
] as const

/** How far a quaternion's squared length may be off 1: blends that nobody normalised pass, zeros do not. */
const LOOSE_UNIT = 0.5

/**
 * Joints in a tree, in their rest pose. The root frame, in which characters are learned, has its origin in the root
 * joint and the world's axes at rest; a joint's frame is rigid at rest and in metres.
 */
export class Skeleton implements SkeletonData {
  /** Names of the joints. */
  readonly names: readonly string[]
  readonly parents: Int32Array
  readonly root: number
  /** Where the joints are at rest. */
  readonly rest: SkeletonPose
  /** How many joints. */
  readonly jointCount: number
  /** 1 for joints below the root, whose transforms shape the body. */
  readonly belowRoot: Uint8Array
  /** Joint frames in the root frame at rest, rigid: what `matrices` gives for joints that are not below the root. */
  readonly restMatrices: Float64Array
  /** Joint spaces in the root frame at rest, column-major 4x4 each. */
  readonly restSpaces: Float64Array
  /** All joints, parents before children: as they are numbered, unless they hang otherwise than in a file. @internal */
  readonly order: Int32Array
  /** Joint frame to joint space, column-major 4x4 each; undefined if they are the same, as in most rigs in metres. */
  readonly frames: Float64Array | undefined
  /** From the world to the root frame, at rest, with the root joint's place undone. */
  readonly #restRootInverse = new Float64Array(16)
  readonly #world: Float64Array

  /**
   * Made by whoever decodes a file or takes a rig out of a scene.
   * @param hanging  where parents need not come before their children
   * @throws RangeError if lengths disagree, a parent comes after its child, or the root's rest transform is flat
   * @internal
   */
  constructor({ names, parents, root, rest }: SkeletonData, hanging?: Hanging) {
    const count = names.length
    this.names = names
    this.parents = parents
    this.root = root
    this.rest = rest
    this.jointCount = count
    if (
      parents.length !== count ||
      rest.translations.length !== 3 * count ||
      rest.rotations.length !== 4 * count ||
      rest.scales.length !== 3 * count
    ) {
      throw new RangeError(`skeleton: the arrays do not fit ${count} joints; give 3, 4 and 3 values for each.`)
    }
    if (!(root >= 0 && root < count)) throw new RangeError(`skeleton: root ${root} is none of ${count} joints.`)
    this.belowRoot = new Uint8Array(count)
    this.order = hanging?.order ?? Int32Array.from(names, (_, joint) => joint)
    for (const joint of this.order) {
      const parent = parents[joint]
      if (!hanging && !(parent >= -1 && parent < joint)) {
        throw new RangeError(`skeleton: joint ${joint} hangs from joint ${parent}; give parents before children.`)
      }
      if (parent >= 0 && (parent === root || this.belowRoot[parent] === 1)) this.belowRoot[joint] = 1
    }
    this.#world = new Float64Array(16 * count)
    this.restSpaces = new Float64Array(16 * count)
    this.worldMatrices(rest, this.restSpaces)
    if (!invertAffine(this.restSpaces, 16 * root, this.#restRootInverse, 0)) {
      throw new RangeError(`skeleton: joint '${names[root]}' has a scale of zero at rest; give it another.`)
    }
    const origin = this.restSpaces.slice(16 * root + 12, 16 * root + 15)
    for (let joint = 0; joint < count; joint++) {
      for (let axis = 0; axis < 3; axis++) this.restSpaces[16 * joint + 12 + axis] -= origin[axis]
    }
    this.frames = hanging?.frames ?? framesOf(this.restSpaces)
    this.restMatrices = this.restSpaces.slice()
    this.intoFrames(this.restMatrices)
    // rootFrame * x = rootWorld * restRootWorld^-1 * (x + origin)
    const m = this.#restRootInverse
    for (let row = 0; row < 3; row++) {
      m[12 + row] += m[row] * origin[0] + m[4 + row] * origin[1] + m[8 + row] * origin[2]
    }
  }

  /** A pose of its own, at rest. */
  createPose(): SkeletonPose {
    const { translations, rotations, scales } = this.rest
    return { translations: translations.slice(), rotations: rotations.slice(), scales: scales.slice() }
  }

  /**
   * For whoever follows a pose: a joint too few or NaN would put the body anywhere.
   * @throws RangeError naming the joint whose transform is missing, not finite or no rotation
   * @internal
   */
  requirePose(what: string, pose: SkeletonPose): void {
    const { jointCount: count, names } = this
    for (const [part, size] of PARTS_OF_POSE) {
      const values: unknown = pose?.[part]
      if (!isFloats(values) || values.length !== size * count) {
        throw new RangeError(`${what}: ${part} are ${shown(values)}; pass ${size * count} floats of ${count} joints.`)
      }
      if (areFinite(values)) continue
      const i = values.findIndex((value) => !Number.isFinite(value))
      const joint = Math.trunc(i / size)
      throw new RangeError(
        `${what}: ${part.slice(0, -1)} of joint ${joint} ('${names[joint]}') is ${pose[part][i]}; pass finite numbers.`,
      )
    }
    const { rotations: q } = pose
    for (let joint = 0, i = 0; joint < count; joint++, i += 4) {
      const squared = q[i] * q[i] + q[i + 1] * q[i + 1] + q[i + 2] * q[i + 2] + q[i + 3] * q[i + 3]
      if (Math.abs(squared - 1) <= LOOSE_UNIT) continue
      throw new RangeError(
        `${what}: rotation of joint ${joint} ('${names[joint]}') has length ${Math.sqrt(squared)}; pass unit quaternions.`,
      )
    }
  }

  /** The joint's number, or -1. */
  jointNamed(name: string): number {
    return this.names.indexOf(name)
  }

  /**
   * Joint frame to root frame: rigid, but for the scale and shear that the joint has gained since rest.
   * @param out  16 per joint, column-major
   */
  matrices(pose: SkeletonPose, out: Float64Array): void {
    this.spaces(pose, out)
    this.intoFrames(out)
  }

  /** Joint space to root frame, in whatever units the rig was made: `matrices` before they are made rigid. @internal */
  spaces(pose: SkeletonPose, out: Float64Array): void {
    const { parents, belowRoot, restSpaces } = this
    for (const joint of this.order) {
      const at = 16 * joint
      if (belowRoot[joint] === 0) {
        for (let i = at; i < at + 16; i++) out[i] = restSpaces[i]
      } else {
        composeMat4(pose.translations, pose.rotations, pose.scales, joint, out, at)
        multiplyAffine(out, 16 * parents[joint], out, at, out, at)
      }
    }
  }

  /** A pose as the state of a character's field: with the matrices that all who follow it need. */
  stateOf(joints: SkeletonPose): { joints: SkeletonPose; matrices: Float64Array } {
    const matrices = new Float64Array(16 * this.jointCount)
    this.matrices(joints, matrices)
    return { joints, matrices }
  }

  /** Carries matrices on from joint spaces to joint frames, such as the inverse bind matrices of a file. @internal */
  spaceToFrame(joint: number, toSpace: ArrayLike<number>): Float64Array {
    const toFrame = Float64Array.from(toSpace)
    const inverse = new Float64Array(16)
    if (this.frames && invertAffine(this.frames, 16 * joint, inverse, 0)) {
      multiplyAffine(inverse, 0, toFrame, 0, toFrame, 0)
    }
    return toFrame
  }

  /** Makes joint spaces joint frames, 16 numbers each, in place. @internal */
  intoFrames(matrices: Float64Array): void {
    if (!this.frames) return
    for (let at = 0; at < 16 * this.jointCount; at += 16) multiplyLinear(matrices, at, this.frames, at)
  }

  /**
   * Joint space to world.
   * @param out  16 per joint, column-major
   */
  worldMatrices(pose: SkeletonPose, out: Float64Array): void {
    for (const joint of this.order) {
      composeMat4(pose.translations, pose.rotations, pose.scales, joint, out, 16 * joint)
      const parent = this.parents[joint]
      if (parent >= 0) multiplyAffine(out, 16 * parent, out, 16 * joint, out, 16 * joint)
    }
  }

  /**
   * Root frame to world, column-major 4x4: rigid but for the scale that root and nodes above have gained since rest.
   * Distances in the root frame are world distances divided by `uniformScale` of it.
   */
  rootFrame(pose: SkeletonPose, out: Float64Array): void {
    this.worldMatrices(pose, this.#world)
    this.rootFrameOf(this.#world.subarray(16 * this.root, 16 * this.root + 16), out)
  }

  /** The same from the root joint's own matrix to world, such as a renderer has it. */
  rootFrameOf(rootWorld: ArrayLike<number>, out: Float64Array): void {
    multiplyAffine(rootWorld, 0, this.#restRootInverse, 0, out, 0)
  }
}

/** Relative difference of a joint's space from a rigid frame up to which it is one. */
const RIGID = 1e-6

/** undefined where every space is a rigid frame already. */
function framesOf(restSpaces: Float64Array): Float64Array | undefined {
  const frames = rigidFrames(restSpaces)
  return frames.every((value, i) => Math.abs(value - ((i % 16) % 5 === 0 ? 1 : 0)) <= RIGID) ? undefined : frames
}

/**
 * From each joint's frame to its space; a space without volume, of which nothing can be made, stays its own frame.
 * @param turns  quaternions of the frames in the root frame, 4 each; left out: as the spaces are turned
 */
export function rigidFrames(restSpaces: Float64Array, turns?: Float64Array): Float64Array {
  const frames = new Float64Array(restSpaces.length)
  const rotation = new Float64Array(4)
  const scale = new Float64Array(3)
  const frame = new Float64Array(16)
  for (let at = 0; at < frames.length; at += 16) {
    if (invertAffine(restSpaces, at, frames, at)) {
      frames.fill(0, at + 12, at + 15)
      decomposeMat4(restSpaces, at, rotation, 0, scale, 0)
      composeMat4([0, 0, 0], turns?.subarray(at / 4) ?? rotation, [1, 1, 1], 0, frame, 0)
      multiplyAffine(frames.slice(at, at + 16), 0, frame, 0, frames, at)
    } else for (let i = 0; i < 16; i++) frames[at + i] = i % 5 === 0 ? 1 : 0
  }
  return frames
}
