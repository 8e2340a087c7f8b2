/**
 * A skeleton hung from what really carries its joints. Some files hang every joint of a hand from one node: a finger that
 * bends then turns and slides all joints further out, each by itself. Hung from the joint before it, each one only turns.
 *
 * G is a joint's space in the root frame, p its parent, c its carrier. Joints that hang otherwise than in the file, and
 * those that carry them, get a space H = G K that is rigid at rest, so that no scale of one reaches the next as shear, and
 * may have axes of its own, such as those that fingers bend about:
 *
 *   local in the file L = G_p^-1 G,  local as carried L' = H_c^-1 H
 *
 * All others have the same space and local in both. What a pose scales unevenly since rest is carried on as rotation and
 * scale without the shear, which no pose can hold.
 */
import { decomposeMat4, invertAffine, multiplyAffine, multiplyLinear, uniformScale } from '../math/mat4.js'
import { rigidFrames, Skeleton, type SkeletonPose } from './skeleton.js'

/** How far a parent's axes may differ in length: single precision of files. */
const EVEN = 1e-5

export class CarriedJoints {
  /** The same joints by the same numbers, at rest where they are in the file, hung from their carriers. */
  readonly skeleton: Skeleton
  readonly #own: Skeleton
  readonly #carriers: Int32Array
  /** 1 for joints whose local transforms differ in the two. */
  readonly #differs: Uint8Array
  /** K and its inverse, 16 each. */
  readonly #toRigid: Float64Array
  readonly #fromRigid: Float64Array
  readonly #spaces: Float64Array
  readonly #nearest: Int32Array
  readonly #local = new Float64Array(16)
  readonly #inverse = new Float64Array(16)
  readonly #scale = new Float64Array(3)

  /**
   * @param own       as the file has it
   * @param carriers  of each joint its parent, or another joint below the root
   * @param bases     of each joint the axes of H, as the unit quaternion from them to the root frame at rest; left out: its own
   * @throws RangeError if a carrier is neither, joints carry each other in a circle, or scales would become shear
   */
  constructor(own: Skeleton, carriers: Int32Array, bases?: Float64Array) {
    const { names, root, jointCount: count } = own
    requireCarriers(own, carriers)
    const order = carriersFirst(own, carriers)
    const isRigid = new Uint8Array(count)
    carriers.forEach((carrier, joint) => {
      if (carrier !== own.parents[joint]) isRigid[joint] = isRigid[carrier] = 1
    })
    this.#own = own
    this.#carriers = carriers
    this.#differs = isRigid.map((is, joint) => is | (carriers[joint] < 0 ? 0 : isRigid[carriers[joint]]))
    requireNoShear(own, this.#differs)
    if (bases) requireUnit(bases, count)
    this.#toRigid = rigidFrames(own.restSpaces, bases)
    this.#fromRigid = new Float64Array(16 * count)
    for (let joint = 0; joint < count; joint++) {
      if (isRigid[joint] === 0) this.#toRigid.set(IDENTITY, 16 * joint)
      invertAffine(this.#toRigid, 16 * joint, this.#fromRigid, 16 * joint)
    }
    this.#spaces = new Float64Array(16 * count)
    this.#nearest = new Int32Array(count)
    // From the file's frames to its spaces, and on to these.
    const frames = this.#fromRigid.slice()
    if (own.frames) for (let at = 0; at < frames.length; at += 16) multiplyLinear(frames, at, own.frames, at)
    const rest = own.createPose()
    this.carry(own.rest, rest)
    this.skeleton = new Skeleton({ names, parents: carriers, root, rest }, { order, frames })
  }

  /**
   * A pose of the file's joints as one of the carried ones.
   * @throws RangeError if a joint that carries others has no size in it
   */
  carry(pose: SkeletonPose, out: SkeletonPose): void {
    this.#own.spaces(pose, this.#spaces)
    this.#timesLinear(this.#toRigid)
    copyPose(pose, out)
    for (let joint = 0; joint < this.#differs.length; joint++) {
      if (this.#differs[joint] === 0) continue
      this.#localIn(this.#carriers[joint], joint)
      this.#writeLocal(joint, out)
      out.scales.set(this.#scale, 3 * joint)
    }
  }

  /**
   * A pose of the carried joints as one of the file's: rotations and translations; scales are those that `out` has.
   * @param moved  1 for joints to write, as `movedBy` tells; left out: all
   */
  putBack(pose: SkeletonPose, out: SkeletonPose, moved?: Uint8Array): void {
    this.skeleton.spaces(pose, this.#spaces)
    this.#timesLinear(this.#fromRigid)
    for (let joint = 0; joint < this.#differs.length; joint++) {
      if (moved?.[joint] === 0) continue
      if (this.#differs[joint] === 1) {
        this.#localIn(this.#own.parents[joint], joint)
        // Which axis is mirrored, a matrix does not tell: the scale does.
        for (let i = 0; i < 12; i++) this.#local[i] /= out.scales[3 * joint + (i >> 2)]
        this.#writeLocal(joint, out)
      } else {
        for (let i = 3 * joint; i < 3 * joint + 3; i++) out.translations[i] = pose.translations[i]
        for (let i = 4 * joint; i < 4 * joint + 4; i++) out.rotations[i] = pose.rotations[i]
      }
    }
  }

  /**
   * Which joints move in their parents when some do in their carriers: those that these carry and whose parents they do not,
   * or the other way round.
   * @param changed  1 for joints that move in their carriers
   */
  movedBy(changed: ArrayLike<number>): Uint8Array {
    const nearest = this.#nearest
    for (const joint of this.skeleton.order) {
      const carrier = this.#carriers[joint]
      nearest[joint] = changed[joint] ? joint : carrier < 0 ? -1 : nearest[carrier]
    }
    return Uint8Array.from(this.#own.parents, (parent, joint) =>
      nearest[joint] === (parent < 0 ? -1 : nearest[parent]) ? 0 : 1,
    )
  }

  #timesLinear(matrices: Float64Array): void {
    for (let at = 0; at < matrices.length; at += 16) multiplyLinear(this.#spaces, at, matrices, at)
  }

  /** Leaves in #local where a joint is as seen from another. */
  #localIn(from: number, joint: number): void {
    if (!invertAffine(this.#spaces, 16 * from, this.#inverse, 0)) {
      const name = this.#own.names[from]
      throw new RangeError(`joint code: joint '${name}' has no size or is not finite in a pose; give it a scale.`)
    }
    multiplyAffine(this.#inverse, 0, this.#spaces, 16 * joint, this.#local, 0)
  }

  /** Rotation and translation of #local; its scale is left in #scale. A joint without size keeps its rotation. */
  #writeLocal(joint: number, out: SkeletonPose): void {
    const { rotations } = out
    const at = 4 * joint
    const [x, y, z, w] = rotations.subarray(at, at + 4)
    const off = decomposeMat4(this.#local, 0, rotations, at, this.#scale, 0)
    // Of the two quaternions of a rotation the one on the side of the former, so that poses stay neighbours.
    const same = rotations[at] * x + rotations[at + 1] * y + rotations[at + 2] * z + rotations[at + 3] * w
    if (off === Infinity) rotations.set([x, y, z, w], at)
    else if (same < 0) for (let i = at; i < at + 4; i++) rotations[i] = -rotations[i]
    out.translations.set(this.#local.subarray(12, 15), 3 * joint)
  }
}

const IDENTITY = Float64Array.from({ length: 16 }, (_, i) => (i % 5 === 0 ? 1 : 0))

function copyPose({ translations, rotations, scales }: SkeletonPose, out: SkeletonPose): void {
  out.translations.set(translations)
  out.rotations.set(rotations)
  out.scales.set(scales)
}

function requireCarriers({ names, parents, belowRoot, jointCount }: Skeleton, carriers: Int32Array): void {
  if (carriers.length !== jointCount) {
    throw new RangeError(`joint code: ${carriers.length} carriers for ${jointCount} joints; give one each.`)
  }
  const wrong = parents.findIndex(
    (parent, joint) => carriers[joint] !== parent && !(belowRoot[joint] === 1 && belowRoot[carriers[joint]] === 1),
  )
  if (wrong >= 0) {
    const what = `joint ${wrong} ('${names[wrong]}') is carried by ${carriers[wrong]}`
    throw new RangeError(`joint code: ${what}; give its parent, ${parents[wrong]}, or both below the root.`)
  }
}

function requireUnit(bases: Float64Array, count: number): void {
  const isUnit = (q: Float64Array): boolean => Math.abs(Math.hypot(...q) - 1) <= 1e-6
  for (let at = 0; at < 4 * count; at += 4) {
    if (bases.length === 4 * count && isUnit(bases.subarray(at, at + 4))) continue
    throw new RangeError(`joint code: the axes of joint ${at / 4} are no rotation; give a unit quaternion for each.`)
  }
}

/** Carriers before what they carry, else as they are numbered. Files number fingers from the tip inwards, too. */
function carriersFirst({ names }: Skeleton, carriers: Int32Array): Int32Array {
  const order = new Set<number>()
  const path: number[] = []
  for (let joint = 0; joint < carriers.length; joint++) {
    for (let at = joint; at >= 0 && !order.has(at); at = carriers[at]) {
      if (path.length > carriers.length) {
        throw new RangeError(`joint code: joint '${names[joint]}' is carried in a circle; give carriers that end.`)
      }
      path.push(at)
    }
    while (path.length > 0) order.add(path.pop()!)
  }
  return Int32Array.from(order)
}

/** A joint that turns in an uneven space is sheared, which neither hanging could tell of the other. */
function requireNoShear({ names, parents, restSpaces }: Skeleton, differs: Uint8Array): void {
  differs.forEach((is, joint) => {
    if (is === 0) return
    const spaceOf = (of: number) => restSpaces.subarray(16 * of, 16 * of + 16)
    const parent = parents[joint]
    const [own, above] = [uniformScale(spaceOf(joint)).scale, uniformScale(spaceOf(parent)).spread]
    if (own > 0 && above <= EVEN) return
    const what = own > 0 ? `hangs from '${names[parent]}', which is scaled unevenly` : 'has a scale of zero'
    throw new RangeError(`joint code: joint '${names[joint]}' ${what} at rest; apply scales, or leave carriers out.`)
  })
}
