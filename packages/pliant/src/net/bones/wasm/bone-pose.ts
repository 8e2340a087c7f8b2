/** A pose in WebAssembly memory: posed segments, boxes and drivers. The warp grids follow when points ask for them. */
import { type BoneNetworkShape, jointsOf, MAX_DRIVERS } from '../bone-shape.js'
import type { BonePlan } from './bone-plan.js'
import { BONE, BOX, SEGMENT } from './bone-records.js'
import { BONE_PAIR } from './place-bones.js'
import type { BoneKernels } from './run-bones.js'

/** Radius of nobody's segment [m]: farther from every point than any bone is, so that all others enter in full. */
const NOBODY = -1e30

/** Writes what no pose changes. */
function writeStillParts({ bones }: BoneNetworkShape, plan: BonePlan, view: DataView): void {
  const radii = [...bones.map(({ radius }) => radius), NOBODY]
  for (const [b, radius] of radii.entries()) SEGMENT.write(view, plan.segments + b * SEGMENT.size, { radius })
  for (const [b, { half }] of bones.entries()) BOX.write(view, plan.boxes + b * BOX.size, { half })
  for (let first = 0, at = plan.pairs; first < bones.length; first += 2, at += BONE_PAIR.size) {
    const numbers = [first, Math.min(first + 1, bones.length - 1)]
    const two = numbers.map((b) => bones[b])
    const lanes = (of: (bone: (typeof bones)[number], axis: number) => number): number[] =>
      [0, 1, 2].flatMap((axis) => two.map((bone) => of(bone, axis)))
    BONE_PAIR.write(view, at, {
      matrices: two.map(({ joint }) => plan.matrices + 128 * joint),
      segments: numbers.map((b) => plan.segments + b * SEGMENT.size),
      boxes: numbers.map((b) => plan.boxes + b * BOX.size),
      start: lanes(({ start }, axis) => start[axis]),
      extent: lanes(({ start, end }, axis) => end[axis] - start[axis]),
      centre: lanes(({ centre }, axis) => centre[axis]),
      half: lanes(({ half }, axis) => half[axis]),
    })
  }
}

/** Writes poses into the memory of a network's kernels. */
export class BonePose {
  /** Where a bone begins, for points too far away to tell bones apart. */
  readonly anyPlace: Float32Array
  readonly #plan: BonePlan
  readonly #matrices: Float64Array
  readonly #given: Float32Array
  readonly #drivers: Float32Array
  readonly #words: Uint32Array
  readonly #kernels: BoneKernels

  constructor(shape: BoneNetworkShape, plan: BonePlan, kernels: BoneKernels, { buffer }: Float32Array) {
    writeStillParts(shape, plan, new DataView(buffer))
    const inputs = 3 * MAX_DRIVERS * plan.boneCount
    this.anyPlace = new Float32Array(buffer, plan.segments, 3)
    this.#plan = plan
    this.#kernels = kernels
    this.#matrices = new Float64Array(buffer, plan.matrices, 16 * jointsOf(shape))
    this.#given = new Float32Array(buffer, plan.given, inputs)
    this.#drivers = new Float32Array(buffer, plan.drivers, inputs)
    this.#words = new Uint32Array(buffer)
  }

  /**
   * Of arrays of the right length; the warp grids of all bones are out of date from then on.
   * @returns whether all numbers are finite; nothing has changed otherwise
   */
  set(matrices: ArrayLike<number>, drivers: ArrayLike<number>): boolean {
    const plan = this.#plan
    const kernels = this.#kernels
    const own = this.#matrices
    for (let i = 0; i < own.length; i++) own[i] = matrices[i]
    this.#given.set(drivers)
    if (!kernels.areFinite(plan.matrices, plan.matricesEnd)) return false
    if (!kernels.areFiniteFloats(plan.given, plan.givenEnd)) return false
    // Of joints that have no bone.
    for (let i = own.length; i < matrices.length; i++) if (!Number.isFinite(matrices[i])) return false
    this.#drivers.set(this.#given)
    kernels.placeBones(plan.pairs, plan.pairsEnd)
    for (let b = 0; b < plan.boneCount; b++) this.#words[(plan.bones + b * BONE.size + BONE.at.posed) / 4] = 0
    return true
  }
}
