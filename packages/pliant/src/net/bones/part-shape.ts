/** What the parts of an elastic body are made of, as tensors beside those of the network in their frames. */
import type { Tensors } from '../network.js'

export interface PartFramesData {
  /** How much each node counts in each part, 0 to 1, [parts, nodes]. */
  weights: Float32Array
  /** Axes at rest as columns of a rotation, row by row, [parts, 9]. */
  axes: Float32Array
}

/** Name -> dimensions. */
export function partTensors(parts: number, nodes: number): Map<string, number[]> {
  return new Map([
    ['part.weights', [parts, nodes]],
    ['part.axes', [parts, 9]],
  ])
}

export function tensorsOfParts({ weights, axes }: PartFramesData): Map<string, Float32Array> {
  return new Map([
    ['part.weights', weights],
    ['part.axes', axes],
  ])
}

/** @throws RangeError if one is missing */
export function takeParts(tensors: Tensors): PartFramesData {
  const [weights, axes] = [...partTensors(0, 0).keys()].map((name) => {
    const tensor = tensors.get(name)
    if (!tensor) throw new RangeError(`parts: tensor '${name}' is missing; train the body again.`)
    return tensor
  })
  return { weights, axes }
}
