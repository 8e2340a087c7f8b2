/**
 * The networks that an object's file may hold: one of the whole object (net/network-shape.ts), or, of an elastic body,
 * one in the frames of its parts (net/bones).
 */
import type { NeuralFrame } from '../learned/neural.js'
import { NeuralField } from '../learned/neural.js'
import type { MeasuredErrors } from '../learned/own-error.js'
import type { TrainedField } from '../learned/trained-field.js'
import type { LinearModes } from '../model/linear-modes.js'
import { type BoneNetworkShape, boneMultiplications } from '../net/bones/bone-shape.js'
import { createNetwork, type NetworkOptions } from '../net/create-network.js'
import type { Tensors } from '../net/network.js'
import { multiplicationsPerQuery, type NetworkShape } from '../net/network-shape.js'
import type { BodyOfModes } from './stored-body.js'

export type ObjectNetworkShape = NetworkShape | BoneNetworkShape

export function isInParts(shape: ObjectNetworkShape): shape is BoneNetworkShape {
  return 'bones' in shape
}

/** Multiplications of one query once posed. */
export function objectMultiplications(shape: ObjectNetworkShape): number {
  return isInParts(shape) ? boneMultiplications(shape) : multiplicationsPerQuery(shape)
}

/** What a field follows, and what it was measured to be off by. */
export interface ObjectShape {
  model: LinearModes
  /** Of an elastic body, whose parts follow its nodes. */
  body: BodyOfModes | undefined
  measured: MeasuredErrors | undefined
}

export async function createObjectField(
  frame: NeuralFrame,
  shape: ObjectNetworkShape,
  tensors: Tensors,
  { model, body, measured }: ObjectShape,
  options: NetworkOptions,
): Promise<TrainedField> {
  if (!isInParts(shape)) {
    const { linearOwnError } = await import('../learned/linear-own-error.js')
    const ownErrorAt = (code: Float64Array) => linearOwnError({ shape: model, measured }, code)
    const field = new NeuralField(frame, await createNetwork(shape, tensors, options), ownErrorAt)
    if (!body) return field
    const { ModalField } = await import('../learned/modal.js')
    return new ModalField(body.modal, field)
  }
  // Kernels in bone frames are as large as all others together; pages without elastic bodies need not load them.
  const { createPartsField } = await import('../learned/create-parts.js')
  if (!body) throw new Error('artifact: a network in parts without a body; train it again.')
  return createPartsField(frame, shape, tensors, body.modal, options, { shape: body.mesh, measured })
}
