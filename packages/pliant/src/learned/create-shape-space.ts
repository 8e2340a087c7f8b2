/** A shape space as plain data, as the trainer makes it and a file may store it, and its networks made ready to be asked. */
import { AffineFeatures } from '../model/shape-space/affine-features.js'
import type { PartSight, ShapePart } from '../model/shape-space/shape-part.js'
import { type ShapeFrame, ShapeSpace } from '../model/shape-space/shape-space.js'
import type { NetworkOptions } from '../net/create-network.js'
import { checkDense } from '../net/dense/dense-checks.js'
import { createDenseNetwork } from '../net/dense/dense-network.js'
import type { DenseShape } from '../net/dense/dense-shape.js'
import { ScalarDenseNetwork } from '../net/dense/scalar-dense-network.js'
import type { Tensors as NetworkTensors } from '../net/network.js'

/** A dense network as plain data. */
export interface StoredNetwork {
  /** Its layers. */
  shape: DenseShape
  /** Its weights by name. */
  tensors: NetworkTensors
}

/** A part of a space of shapes with its networks as plain data. */
export interface StoredPart extends PartSight {
  /** From the features of its vertices, times its attention, to its share of the code. */
  encoder: StoredNetwork
  /** From its share of the code to features of its vertices, which its attention then weighs. */
  decoder: StoredNetwork
}

/** A learned space of shapes of one mesh, as plain data. */
export interface ShapeSpaceData extends ShapeFrame {
  /** Level 1, which has every vertex, then one per domain. */
  parts: readonly StoredPart[]
}

/** @throws RangeError if networks, parts and reference do not fit each other */
export async function createShapeSpace(data: ShapeSpaceData, options: NetworkOptions = {}): Promise<ShapeSpace> {
  data.parts.forEach(requireFits)
  const ready = ({ shape, tensors }: StoredNetwork) => createDenseNetwork(shape, tensors, options)
  const parts = data.parts.map(
    async (part): Promise<ShapePart> => ({
      ...part,
      encoder: await ready(part.encoder),
      decoder: await ready(part.decoder),
    }),
  )
  return new ShapeSpace(data, await Promise.all(parts))
}

/**
 * The same at once, in plain code: whether shapes touch is decided by their last digits, which are the same there on every
 * host.
 * @throws RangeError if networks, parts and reference do not fit each other
 */
export function exactShapeSpace(data: ShapeSpaceData): ShapeSpace {
  data.parts.forEach(requireFits)
  const ready = ({ shape, tensors }: StoredNetwork): ScalarDenseNetwork => {
    checkDense(shape, tensors)
    return new ScalarDenseNetwork(shape, tensors)
  }
  return new ShapeSpace(
    data,
    data.parts.map((part) => ({
      ...{ ...part, encoder: ready(part.encoder), decoder: ready(part.decoder) },
      affine: affineOf(part),
    })),
  )
}

function affineOf({ decoder: { shape, tensors }, ...sight }: StoredPart): AffineFeatures | undefined {
  if (shape.hidden.length > 0 || shape.output !== 'linear') return undefined
  return new AffineFeatures(sight, tensors.get('dense.0.weight')!, tensors.get('dense.0.bias')!)
}

/** @throws RangeError if the networks of a part do not fit its vertices and its code */
function requireFits({ encoder, decoder, codeSize, vertices }: StoredPart, i: number): void {
  const numbers = 9 * vertices.length
  if (encoder.shape.inputs !== numbers || decoder.shape.outputs !== numbers) {
    throw new RangeError(
      `shape space: part ${i} has ${vertices.length} vertices, its networks take ${encoder.shape.inputs} numbers and give ${decoder.shape.outputs}; nine for each vertex are needed.`,
    )
  }
  if (encoder.shape.outputs !== codeSize || decoder.shape.inputs !== codeSize) {
    throw new RangeError(
      `shape space: part ${i} has ${codeSize} code values, its networks give ${encoder.shape.outputs} and take ${decoder.shape.inputs}.`,
    )
  }
}
