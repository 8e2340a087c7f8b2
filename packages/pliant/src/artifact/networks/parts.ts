/** Ours of an elastic body: bones are the body's parts, which follow its nodes by weights that are stored as bytes. */
import type { Box } from '../../math/box.js'
import { type BoneNetworkShape, boneMultiplications } from '../../net/bones/bone-shape.js'
import { partTensors } from '../../net/bones/part-shape.js'
import { object, readBox } from '../checks.js'
import { take } from '../take.js'
import { checkBones } from './check-bones.js'
import { type NetworkKind, tensorOf } from './network-kind.js'
import { packBones, unpackBones } from './packed-bones.js'

/** What a file says of a network in the frames of an elastic body's parts. */
export interface PartsNetwork {
  /** Name of the kind. */
  kind: 'parts'
  /** Its parts, grids and layers. */
  shape: BoneNetworkShape
  /** Box in which points were drawn to learn from [m], around the shapes that were trained. */
  domain: Box
}

/** Weights are fractions of this. */
const WHOLE = 255
const WEIGHTS = 'part.weights'

export const network: NetworkKind<PartsNetwork> = {
  check(network, _context, path) {
    // Each bone is a part by itself: there are as many frames as bones.
    const { bones } = object(network['shape'], `${path}.shape`)
    checkBones(network['shape'], Array.isArray(bones) ? bones.length : 0, `${path}.shape`)
    readBox(network['domain'], `${path}.domain`)
  },
  store({ shape }, tensors, { nodes }) {
    const stored = packBones(shape, tensors)
    for (const [name, dims] of partTensors(shape.bones.length, nodes)) {
      const data = tensorOf(tensors, name, dims)
      stored.set(name, {
        shape: dims,
        data: name === WEIGHTS ? Uint8Array.from(data, (weight) => Math.round(WHOLE * weight)) : data,
      })
    }
    return stored
  },
  take({ shape }, stored, { nodes }) {
    const network = unpackBones(shape, stored)
    for (const [name, dims] of partTensors(shape.bones.length, nodes)) {
      network.set(
        name,
        name === WEIGHTS
          ? Float32Array.from(take(stored, name, dims, Uint8Array), (byte) => byte / WHOLE)
          : take(stored, name, dims, Float32Array),
      )
    }
    return network
  },
  multiplications: ({ shape }) => boneMultiplications(shape),
}

/** Weights as they come back from a file, so that what is trained is what users get. */
export function weightsAsStored(weights: Float32Array): Float32Array {
  return weights.map((weight) => Math.round(WHOLE * weight) / WHOLE)
}
