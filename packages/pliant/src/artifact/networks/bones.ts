/** Ours of a character: one network in the frames of its bones (net/bones), packed into bytes. */
import { type BoneNetworkShape, boneMultiplications } from '../../net/bones/bone-shape.js'
import { checkBones } from './check-bones.js'
import type { NetworkKind } from './network-kind.js'
import { packBones, unpackBones } from './packed-bones.js'

/** What a file says of a network in the frames of a skeleton's bones. */
export interface BonesNetwork {
  /** Name of the kind. */
  kind: 'bones'
  /** Its bones, grids and layers. */
  shape: BoneNetworkShape
}

export const network: NetworkKind<BonesNetwork> = {
  check: (network, { joints }, path) => checkBones(network['shape'], joints, `${path}.shape`),
  store: ({ shape }, tensors) => packBones(shape, tensors),
  take: ({ shape }, stored) => unpackBones(shape, stored),
  multiplications: ({ shape }) => boneMultiplications(shape),
}
