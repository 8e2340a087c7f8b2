/** One bone's answer to one point, s and l of bone-shape.ts, and its reverse-mode gradient. */

import type { Vec3 } from '../../math/box.js'
import type { Tensors } from '../network.js'
import type { GridShape } from '../network-shape.js'
import { scalarActivations } from '../scalar/activation.js'
import { ScalarGrid } from '../scalar/grid.js'
import type { PosedBones } from './bone-choice.js'
import { type BoneNetworkShape, boneHeadInputs, gridStarts } from './bone-shape.js'

const { silu } = scalarActivations

export class ScalarBoneRow {
  /** s [scale] and l of the last forward(). */
  distance = 0
  logit = 0
  readonly #shape: BoneNetworkShape
  readonly #posed: PosedBones
  readonly #warps: ScalarGrid[]
  readonly #grids: ScalarGrid[]
  readonly #weight: Float32Array
  readonly #biases: Float32Array
  readonly #outputWeight: Float32Array
  readonly #outputBias: Float32Array
  #bone = 0
  /** The point in the bone's box, clamped to it, and what the clamping took off [m, joint's frame]. */
  readonly #local = new Float64Array(3)
  readonly #beyond = new Float64Array(3)
  #outside = 0
  /** Head's input [X, w[3..), g]. */
  readonly #features: Float64Array
  readonly #featureGradient: Float64Array
  readonly #sums: Float64Array
  readonly #localGradient = new Float64Array(3)
  readonly #warpGradient: Float64Array

  /** @param warps  the posed grids of all bones, kept: they change with the pose */
  constructor(shape: BoneNetworkShape, tensors: Tensors, warps: Float32Array, posed: PosedBones) {
    this.#shape = shape
    this.#posed = posed
    const r = shape.warp.resolution
    const warpNodes = shape.bones.map(() => ({ nodes: [r, r, r] as const }))
    this.#warps = gridsOfBones(warpNodes, 3 + shape.warp.features, warps)
    this.#grids = gridsOfBones(shape.bones, 2 + shape.grid.features, tensors.get('grid')!)
    this.#weight = tensors.get('head.0.weight')!
    this.#biases = tensors.get('head.0.bias')!
    this.#outputWeight = tensors.get('head.1.weight')!
    this.#outputBias = tensors.get('head.1.bias')!
    this.#features = new Float64Array(boneHeadInputs(shape))
    this.#featureGradient = new Float64Array(boneHeadInputs(shape))
    this.#sums = new Float64Array(shape.hidden)
    this.#warpGradient = new Float64Array(3 + shape.warp.features)
  }

  /** @param x  the point in the root frame [m], as y and z */
  forward(bone: number, x: number, y: number, z: number): void {
    const features = this.#features
    const { hidden } = this.#shape
    const { toBox } = this.#posed
    const { half } = this.#shape.bones[bone]
    this.#bone = bone
    for (let axis = 0; axis < 3; axis++) {
      const row = 12 * bone + 4 * axis
      const seen = toBox[row] * x + toBox[row + 1] * y + toBox[row + 2] * z + toBox[row + 3]
      this.#local[axis] = Math.min(Math.max(seen, -1), 1)
      this.#beyond[axis] = (seen - this.#local[axis]) * half[axis]
    }
    this.#outside = Math.sqrt(this.#beyond[0] ** 2 + this.#beyond[1] ** 2 + this.#beyond[2] ** 2)

    this.#warps[bone].sample(this.#local, 0, features, 0)
    for (let axis = 0; axis < 3; axis++) features[axis] = this.#local[axis] - features[axis]
    const gridAt = this.#gridAt
    this.#grids[bone].sample(features, 0, features, gridAt)

    let [r0, r1] = this.#outputBias
    for (let j = 0; j < hidden; j++) {
      let sum = this.#biases[bone * hidden + j]
      for (let i = 0; i < features.length; i++) sum += features[i] * this.#weight[i * hidden + j]
      this.#sums[j] = sum
      const value = silu.value(sum)
      r0 += value * this.#outputWeight[2 * j]
      r1 += value * this.#outputWeight[2 * j + 1]
    }
    this.distance = features[gridAt] + r0 + this.#outside / this.#shape.scale
    this.logit = features[gridAt + 1] + r1
  }

  /**
   * Adds ds * (gradient of s) + dl * (gradient of l) with respect to the point of the last forward().
   */
  backward(ds: number, dl: number, gradient: Float64Array): void {
    const { hidden, scale } = this.#shape
    const features = this.#featureGradient.fill(0)
    for (let j = 0; j < hidden; j++) {
      const upstream = ds * this.#outputWeight[2 * j] + dl * this.#outputWeight[2 * j + 1]
      const sum = this.#sums[j]
      const g = upstream * silu.slope(sum, silu.value(sum))
      for (let i = 0; i < features.length; i++) features[i] += g * this.#weight[i * hidden + j]
    }
    const gridAt = this.#gridAt
    features[gridAt] += ds
    features[gridAt + 1] += dl
    this.#grids[this.#bone].pullBack(this.#features, 0, features, gridAt, features, 0)

    // X = x - w: the gradient goes to x as it is, and to the first three channels with a minus.
    const local = this.#localGradient
    const warp = this.#warpGradient
    for (let i = 0; i < warp.length; i++) warp[i] = i < 3 ? -features[i] : features[i]
    local.set(features.subarray(0, 3))
    this.#warps[this.#bone].pullBack(this.#local, 0, warp, 0, local, 0)

    const { toBox } = this.#posed
    const { half } = this.#shape.bones[this.#bone]
    for (let axis = 0; axis < 3; axis++) {
      const beyond = this.#beyond[axis]
      // Beyond the box the clamped point stays, and the distance from it grows.
      const g = beyond === 0 ? local[axis] : (ds * beyond * half[axis]) / (this.#outside * scale)
      for (let column = 0; column < 3; column++) gradient[column] += g * toBox[12 * this.#bone + 4 * axis + column]
    }
  }

  /** Where the static grid's channels start within the features. */
  get #gridAt(): number {
    return 3 + this.#shape.warp.features
  }
}

function gridsOfBones(bones: readonly { nodes: Vec3 }[], channels: number, data: Float32Array): ScalarGrid[] {
  const starts = gridStarts(bones)
  return bones.map(({ nodes }, b) => {
    const grid: GridShape = { resolution: [...nodes], channels, lower: [-1, -1, -1], upper: [1, 1, 1] }
    return new ScalarGrid(grid, data.subarray(starts[b] * channels, starts[b + 1] * channels))
  })
}
