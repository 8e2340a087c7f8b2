/**
 * A network in bone frames in its file (docs/artifact.md). Grids are most of it: their distances and features, and the
 * warp's basis, are bytes with scales; the logit, which decides between bones, and all else are 16-bit floats.
 * On an unseen clip that costs 3e-5% of the height; the logit as bytes, too, 3e-3% (docs/notes/character-paper.md).
 */
import { type BoneFrame, type BoneNetworkShape, boneTensors, gridStarts } from '../../net/bones/bone-shape.js'
import type { Tensors as NetworkTensors } from '../../net/network.js'
import { packBytes, unpackBytes } from '../compact.js'
import { type Tensors, take } from '../take.js'
import { tensorOf } from './network-kind.js'

/** @throws Error if a tensor is missing */
export function packBones(shape: BoneNetworkShape, network: NetworkTensors): Tensors {
  const stored: Tensors = new Map()
  for (const [name, dims] of boneTensors(shape)) {
    const data = tensorOf(network, name, dims)
    if (name === 'grid') storeGrid(stored, name, dims, shape.bones, data)
    else if (name === 'warp.basis') storeBytes(stored, name, dims, data, perCoefficient(dims))
    else stored.set(name, { shape: dims, data, half: true })
  }
  return stored
}

/** @throws Error if a tensor is missing or of another shape */
export function unpackBones(shape: BoneNetworkShape, tensors: Tensors): Map<string, Float32Array> {
  const network = new Map<string, Float32Array>()
  for (const [name, dims] of boneTensors(shape)) {
    if (name === 'grid') network.set(name, takeGrid(tensors, name, dims, shape.bones))
    else if (name === 'warp.basis') network.set(name, takeBytes(tensors, name, dims, perCoefficient(dims)))
    else network.set(name, take(tensors, name, dims, Float32Array))
  }
  return network
}

/** Which of the static grid's channels is the logit. */
const LOGIT = 1

/** [nodes, channels]: the logit as a tensor of its own, the others as bytes with a scale per bone and channel. */
function storeGrid(
  stored: Tensors,
  key: string,
  [nodes, channels]: number[],
  bones: readonly BoneFrame[],
  data: Float32Array,
): void {
  const isLogit = (_: number, i: number): boolean => i % channels === LOGIT
  stored.set(`${key}.logit`, { shape: [nodes], data: data.filter(isLogit), half: true })
  const others = data.filter((value, i) => !isLogit(value, i))
  storeBytes(stored, key, [nodes, channels - 1], others, perChannel(bones, channels - 1))
}

function takeGrid(
  tensors: Tensors,
  key: string,
  [nodes, channels]: number[],
  bones: readonly BoneFrame[],
): Float32Array {
  const logit = take(tensors, `${key}.logit`, [nodes], Float32Array)
  const others = takeBytes(tensors, key, [nodes, channels - 1], perChannel(bones, channels - 1))
  const grid = new Float32Array(logit.length * channels)
  for (let node = 0; node < logit.length; node++) {
    for (let channel = 0, other = 0; channel < channels; channel++) {
      grid[node * channels + channel] = channel === LOGIT ? logit[node] : others[node * (channels - 1) + other++]
    }
  }
  return grid
}

/** Scales of a tensor that is stored as bytes: their dimensions, and which one a value has. */
interface Scales {
  dims: number[]
  of(i: number): number
}

function perChannel(bones: readonly BoneFrame[], channels: number): Scales {
  const starts = gridStarts(bones)
  const boneOfNode = new Uint16Array(starts[bones.length])
  for (let b = 0; b < bones.length; b++) boneOfNode.fill(b, starts[b], starts[b + 1])
  return {
    dims: [bones.length, channels],
    of: (i) => boneOfNode[Math.floor(i / channels)] * channels + (i % channels),
  }
}

function perCoefficient([bones, coefficients, values]: number[]): Scales {
  return { dims: [bones, coefficients], of: (i) => Math.floor(i / values) }
}

function storeBytes(
  stored: Tensors,
  key: string,
  dims: number[],
  data: Float32Array,
  { dims: scaleDims, of }: Scales,
): void {
  const { bytes, scales } = packBytes(data, scaleDims[0] * scaleDims[1], of)
  stored.set(key, { shape: dims, data: bytes })
  stored.set(`${key}.scales`, { shape: scaleDims, data: scales })
}

function takeBytes(tensors: Tensors, key: string, dims: number[], { dims: scaleDims, of }: Scales): Float32Array {
  return unpackBytes(take(tensors, key, dims, Int8Array), take(tensors, `${key}.scales`, scaleDims, Float32Array), of)
}
