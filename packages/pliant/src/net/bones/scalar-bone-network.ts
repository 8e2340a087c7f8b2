/**
 * The network in bone frames in plain code, one point at a time, sums in double precision: the fallback where
 * WebAssembly SIMD is missing, and the reference that the SIMD backend is checked against.
 */
import type { Floats } from '../../math/floats.js'
import { requireQuery } from '../../math/require.js'
import type { Tensors } from '../network.js'
import { checkPosed } from '../network-checks.js'
import { checkBonePose } from './bone-checks.js'
import { type BoneChoice, chooseBones, makePosedBones, type PosedBones, poseBones } from './bone-choice.js'
import type { BoneNetwork } from './bone-network.js'
import { type BoneNetworkShape, LEAST_SQUARE } from './bone-shape.js'
import { FarPoints } from './far-points.js'
import { poseWarps } from './scalar-bone-pose.js'
import { ScalarBoneRow } from './scalar-bone-row.js'

export class ScalarBoneNetwork implements BoneNetwork {
  readonly backend = 'scalar'
  readonly shape: BoneNetworkShape
  readonly #tensors: Tensors
  readonly #posed: PosedBones
  readonly #warps: Float32Array
  readonly #choice: BoneChoice
  /** The same choice with one bone more: the first that is not among the nearest sets the windows. */
  readonly #wider: { shape: BoneNetworkShape; choice: BoneChoice }
  /** How many bones answer: all of them where there are fewer than `nearest`. */
  readonly #answering: number
  readonly #rows: ScalarBoneRow[]
  /** exp(l - sharpness s) of each row, relative to the largest. */
  readonly #strength: Float64Array
  /** Sum of window times strength. */
  #total = 0
  /** Distance [scale] of the point at hand. */
  #value = 0
  readonly #gradient = new Float64Array(3)
  readonly #farPoints: FarPoints
  #isPosed = false

  /** @param tensors  checked to be complete; kept, not copied */
  constructor(
    shape: BoneNetworkShape,
    tensors: Tensors,
    readonly backendNote?: string,
  ) {
    this.shape = shape
    this.#tensors = tensors
    this.#posed = makePosedBones(shape.bones.length)
    this.#warps = new Float32Array(tensors.get('warp.base')!.length)
    this.#choice = makeChoice(shape.nearest)
    this.#wider = { shape: { ...shape, nearest: shape.nearest + 1 }, choice: makeChoice(shape.nearest + 1) }
    this.#answering = Math.min(shape.nearest, shape.bones.length)
    this.#rows = Array.from(
      { length: this.#answering },
      () => new ScalarBoneRow(shape, tensors, this.#warps, this.#posed),
    )
    this.#strength = new Float64Array(this.#answering)
    this.#farPoints = new FarPoints(shape, (point, distance, gradient) => this.#answer(point, 0, distance, gradient))
  }

  pose(matrices: ArrayLike<number>, drivers: ArrayLike<number>): void {
    checkBonePose(this.shape, matrices, drivers)
    poseBones(this.shape, matrices, this.#posed)
    poseWarps(this.shape, this.#tensors, drivers, this.#warps)
    this.#isPosed = true
  }

  query(points: Floats, count: number, distances: Floats, gradients?: Floats): void {
    checkPosed(this.#isPosed)
    requireQuery(points, count, distances, gradients)
    for (let i = 0; i < count; i++) this.#answer(points, i, distances, gradients)
    this.#farPoints.answer(this.#posed.segments, points, count, distances, gradients)
  }

  dispose(): void {}

  #answer(points: Floats, i: number, distances: Floats, gradients?: Floats): void {
    const [x, y, z] = [points[3 * i], points[3 * i + 1], points[3 * i + 2]]
    this.#forward(x, y, z)
    distances[i] = this.shape.scale * this.#value
    if (!gradients) return
    this.#backward(x, y, z)
    for (let axis = 0; axis < 3; axis++) gradients[3 * i + axis] = this.shape.scale * this.#gradient[axis]
  }

  #forward(x: number, y: number, z: number): void {
    const { bones, windows } = this.#choice
    const { sharpness } = this.shape
    chooseBones(this.shape, this.#posed, x, y, z, this.#choice)
    let largest = -Infinity
    for (const [k, row] of this.#rows.entries()) {
      row.forward(bones[k], x, y, z)
      this.#strength[k] = row.logit - sharpness * row.distance
      // A row that its window shuts out must not push the others below what a float can hold.
      if (windows[k] > 0) largest = Math.max(largest, this.#strength[k])
    }
    let sum = 0
    this.#total = 0
    for (const [k, row] of this.#rows.entries()) {
      this.#strength[k] = Math.exp(Math.min(this.#strength[k] - largest, 0))
      const weight = windows[k] * this.#strength[k]
      this.#total += weight
      sum += weight * row.distance
    }
    this.#value = sum / this.#total
  }

  #backward(x: number, y: number, z: number): void {
    const { nearest, fade, sharpness } = this.shape
    const { bones, windows } = this.#choice
    const gradient = this.#gradient.fill(0)
    const isLimited = this.shape.bones.length > nearest
    if (isLimited) chooseBones(this.#wider.shape, this.#posed, x, y, z, this.#wider.choice)
    const limit = isLimited ? this.#segmentDistance(this.#wider.choice.bones[nearest], x, y, z) : undefined
    for (const [k, row] of this.#rows.entries()) {
      const relative = row.distance - this.#value
      const share = (windows[k] * this.#strength[k]) / this.#total
      row.backward(share * (1 - sharpness * relative), share * relative, gradient)
      if (!limit) continue
      const own = this.#segmentDistance(bones[k], x, y, z)
      const room = Math.min(Math.max((limit.distance - own.distance) / fade, 0), 1)
      // Held at its least, the first window does not move.
      if (k === 0 && !(room * room * (3 - 2 * room) > 1e-6)) continue
      const slope = (((6 * room * (1 - room)) / fade) * this.#strength[k] * relative) / this.#total
      for (let axis = 0; axis < 3; axis++) gradient[axis] += slope * (limit.direction[axis] - own.direction[axis])
    }
  }

  /** Distance [m] from a bone's segment less its radius, and its gradient. */
  #segmentDistance(bone: number, x: number, y: number, z: number): { distance: number; direction: number[] } {
    const [sx, sy, sz, dx, dy, dz] = this.#posed.segments.subarray(6 * bone, 6 * bone + 6)
    const along = (x - sx) * dx + (y - sy) * dy + (z - sz) * dz
    const t = Math.min(Math.max(along / (dx * dx + dy * dy + dz * dz + LEAST_SQUARE), 0), 1)
    const offset = [x - sx - t * dx, y - sy - t * dy, z - sz - t * dz]
    const length = Math.sqrt(offset[0] ** 2 + offset[1] ** 2 + offset[2] ** 2)
    return {
      distance: length - this.shape.bones[bone].radius,
      // On the segment itself there is no direction.
      direction: offset.map((component) => (length > 0 ? component / length : 0)),
    }
  }
}

function makeChoice(nearest: number): BoneChoice {
  return { bones: new Int32Array(nearest), windows: new Float64Array(nearest) }
}
