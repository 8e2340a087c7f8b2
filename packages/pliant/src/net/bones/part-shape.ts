/** What the parts of an elastic body are made of, as tensors beside those of the network in their frames. */
import type { Tensors } from '../network.js'

/** Values of an affine motion: a 3 x 3 matrix, row by row, and a place. */
export const AFFINE = 12

export interface PartFramesData {
  /** Centres at rest [m], [parts, 3]. */
  centres: Float32Array
  /** Axes at rest as columns of a rotation, row by row, [parts, 9]. */
  axes: Float32Array
  /** What one unit of each code entry adds to F (row by row) and c (part-frames.ts), [parts, 12, code]. */
  motions: Float32Array
}

/** Name -> dimensions. */
export function partTensors(parts: number, codeSize: number): Map<string, number[]> {
  return new Map([
    ['part.centres', [parts, 3]],
    ['part.axes', [parts, 9]],
    ['part.motions', [parts, AFFINE, codeSize]],
  ])
}

export function tensorsOfParts({ centres, axes, motions }: PartFramesData): Map<string, Float32Array> {
  return new Map([
    ['part.centres', centres],
    ['part.axes', axes],
    ['part.motions', motions],
  ])
}

/** @throws RangeError if one is missing */
export function takeParts(tensors: Tensors): PartFramesData {
  const [centres, axes, motions] = [...partTensors(0, 0).keys()].map((name) => {
    const tensor = tensors.get(name)
    if (!tensor) throw new RangeError(`parts: tensor '${name}' is missing; train the body again.`)
    return tensor
  })
  return { centres, axes, motions }
}
