/** A shape space as plain data, as the trainer makes it and a file may store it, and its networks made ready to be asked. */
import type { PartSight, ShapePart } from '../model/shape-space/shape-part.js'
import { type ShapeFrame, ShapeSpace } from '../model/shape-space/shape-space.js'
import type { NetworkOptions } from '../net/create-network.js'
import { createDenseNetwork } from '../net/dense/dense-network.js'
import type { DenseShape } from '../net/dense/dense-shape.js'
import type { Tensors } from '../net/network.js'

export interface StoredNetwork {
  shape: DenseShape
  tensors: Tensors
}

export interface StoredPart extends PartSight {
  encoder: StoredNetwork
  decoder: StoredNetwork
}

export interface ShapeSpaceData extends ShapeFrame {
  /** Level 1, which has every vertex, then one per domain. */
  parts: readonly StoredPart[]
}

/** @throws RangeError if networks, parts and reference do not fit each other */
export async function createShapeSpace(data: ShapeSpaceData, options: NetworkOptions = {}): Promise<ShapeSpace> {
  const ready = ({ shape, tensors }: StoredNetwork) => createDenseNetwork(shape, tensors, options)
  const parts = await Promise.all(
    data.parts.map(async (part, i): Promise<ShapePart> => {
      const numbers = 9 * part.vertices.length
      const { encoder, decoder, codeSize } = part
      if (encoder.shape.inputs !== numbers || decoder.shape.outputs !== numbers) {
        throw new RangeError(
          `shape space: part ${i} has ${part.vertices.length} vertices, its networks take ${encoder.shape.inputs} numbers and give ${decoder.shape.outputs}; nine for each vertex are needed.`,
        )
      }
      if (encoder.shape.outputs !== codeSize || decoder.shape.inputs !== codeSize) {
        throw new RangeError(
          `shape space: part ${i} has ${codeSize} code values, its networks give ${encoder.shape.outputs} and take ${decoder.shape.inputs}.`,
        )
      }
      return { ...part, encoder: await ready(encoder), decoder: await ready(decoder) }
    }),
  )
  return new ShapeSpace(data, parts)
}
