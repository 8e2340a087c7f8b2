/**
 * The networks that an object's file may hold: one of the whole object (net/network-shape.ts), or, of an elastic body,
 * one in the frames of its parts (net/bones).
 */
import type { NeuralFrame } from '../field/neural.js'
import { NeuralField } from '../field/neural.js'
import type { TrainedField } from '../field/trained-field.js'
import type { ModalBody } from '../model/modal-body.js'
import { type BoneNetworkShape, boneMultiplications } from '../net/bones/bone-shape.js'
import { createNetwork, type NetworkOptions } from '../net/create-network.js'
import type { Tensors } from '../net/network.js'
import { multiplicationsPerQuery, type NetworkShape } from '../net/network-shape.js'

export type ObjectNetworkShape = NetworkShape | BoneNetworkShape

export function isInParts(shape: ObjectNetworkShape): shape is BoneNetworkShape {
  return 'bones' in shape
}

/** Multiplications of one query once posed. */
export function objectMultiplications(shape: ObjectNetworkShape): number {
  return isInParts(shape) ? boneMultiplications(shape) : multiplicationsPerQuery(shape)
}

/** @param modal  of an elastic body, whose parts follow its nodes */
export async function createObjectField(
  frame: NeuralFrame,
  shape: ObjectNetworkShape,
  tensors: Tensors,
  modal: ModalBody | undefined,
  options: NetworkOptions,
): Promise<TrainedField> {
  if (!isInParts(shape)) return new NeuralField(frame, await createNetwork(shape, tensors, options))
  // Kernels in bone frames are as large as all others together; pages without elastic bodies need not load them.
  const { createPartsField } = await import('../field/create-parts.js')
  if (!modal) throw new Error('artifact: a network in parts without a body; train it again.')
  return createPartsField(frame, shape, tensors, modal, options)
}
