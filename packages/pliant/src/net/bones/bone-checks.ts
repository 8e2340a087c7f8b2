/** Checks that every backend of the network in bone frames makes before it touches memory. */
import { requireFinite } from '../../math/require.js'
import type { Tensors } from '../network.js'
import { requireTensors } from '../network-checks.js'
import { type BoneNetworkShape, boneTensors, jointsOf, MAX_DRIVERS } from './bone-shape.js'

/** Bones that may answer one point. */
export const MAX_NEAREST = 8
const MAX_BONES = 1024
/** Nodes of a static grid along one axis. */
export const MOST_NODES = 256
/** Far above any use; products of a few such sizes still are exact numbers. */
const LARGEST_SIZE = 4096

/** @throws RangeError if the shape contradicts itself, or a tensor is missing or has the wrong length */
export function checkBoneNetwork(shape: BoneNetworkShape, tensors: Tensors): void {
  checkSizes(shape)
  for (const [what, value] of [
    ['fade', shape.fade],
    ['scale', shape.scale],
  ] as const) {
    if (!(value > 0 && value < Infinity)) {
      throw new RangeError(`bone network: ${what} is ${value}; it needs a positive length [m].`)
    }
  }
  if (!Number.isFinite(shape.sharpness)) {
    throw new RangeError(`bone network: sharpness is ${shape.sharpness}; it needs a number.`)
  }
  for (const { name, joint, half, nodes, radius } of shape.bones) {
    if (!Number.isInteger(joint) || joint < 0) {
      throw new RangeError(`bone network: bone '${name}' has joint ${joint}; it needs a joint's number.`)
    }
    if (!half.every((length) => length > 0 && length < Infinity)) {
      throw new RangeError(`bone network: the box of bone '${name}' is ${half.join(' x ')}; it needs positive halves.`)
    }
    if (!nodes.every((n) => Number.isInteger(n) && n >= 2 && n <= MOST_NODES)) {
      throw new RangeError(
        `bone network: the grid of bone '${name}' has ${nodes.join(' x ')} nodes; it needs 2 to ${MOST_NODES} along each axis.`,
      )
    }
    if (!Number.isFinite(radius)) {
      throw new RangeError(`bone network: bone '${name}' has radius ${radius}; it needs a length [m].`)
    }
  }
  requireTensors('bone network', boneTensors(shape), tensors)
}

/** Sizes go straight into the kernels' loops, so none may be zero, broken or absurd. */
function checkSizes(shape: BoneNetworkShape): void {
  const sizes: [string, number, number, number][] = [
    ['bones', shape.bones.length, 1, MAX_BONES],
    ['nearest', shape.nearest, 1, MAX_NEAREST],
    ['coefficients', shape.coefficients, 1, LARGEST_SIZE],
    ['codeHidden', shape.codeHidden, 1, LARGEST_SIZE],
    ['hidden', shape.hidden, 1, LARGEST_SIZE],
    ['warp.resolution', shape.warp.resolution, 2, 256],
    ['warp.features', shape.warp.features, 0, LARGEST_SIZE],
    ['grid.features', shape.grid.features, 0, LARGEST_SIZE],
  ]
  for (const [what, size, least, most] of sizes) {
    if (!Number.isInteger(size) || size < least || size > most) {
      throw new RangeError(`bone network: ${what} is ${size}; it needs a whole number from ${least} to ${most}.`)
    }
  }
}

/** @throws RangeError if matrices do not reach the last bone's joint, drivers are not all bones', or one is not finite */
export function checkBonePose(shape: BoneNetworkShape, matrices: ArrayLike<number>, drivers: ArrayLike<number>): void {
  checkPoseLengths(shape, matrices, drivers)
  requireFinitePose(matrices, drivers)
}

/** @throws RangeError if matrices do not reach the last bone's joint, or drivers are not all bones' */
export function checkPoseLengths(
  shape: BoneNetworkShape,
  matrices: ArrayLike<number>,
  drivers: ArrayLike<number>,
): void {
  const joints = jointsOf(shape)
  if (!(matrices?.length >= 16 * joints)) {
    throw new RangeError(
      `pose: ${matrices?.length} matrix values; the bones need ${16 * joints}, 4x4 of ${joints} joints.`,
    )
  }
  const needed = shape.bones.length * 3 * MAX_DRIVERS
  if (drivers?.length !== needed) {
    throw new RangeError(
      `pose: ${drivers?.length} driver values; ${shape.bones.length} bones need ${needed}, ${3 * MAX_DRIVERS} each.`,
    )
  }
}

/** @throws RangeError naming the first joint or bone whose number is not finite */
export function requireFinitePose(matrices: ArrayLike<number>, drivers: ArrayLike<number>): void {
  requireFinite('pose', matrices, 'joint', 16)
  requireFinite('pose', drivers, 'bone', 3 * MAX_DRIVERS)
}
