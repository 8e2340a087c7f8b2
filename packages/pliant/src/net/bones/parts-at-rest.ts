/** What the parts of an elastic body are at rest, checked: all that their frames need beside the nodes (part-frames.ts). */
import type { ModalBody } from '../../model/modal-body.js'
import { type BoneNetworkShape, MAX_DRIVERS } from './bone-shape.js'
import { PartMotions } from './part-motions.js'
import { type PartFramesData, partTensors, tensorsOfParts } from './part-shape.js'

/** Numbers that say how a part is stretched; neighbours take what is left of the drivers. */
export const STRETCH = 6
export const MAX_NEIGHBOURS = (3 * MAX_DRIVERS - STRETCH) / 3

/** What parts follow: nodes at rest, their masses, and the modes of the code. */
export type PartsBody = Pick<ModalBody, 'rest' | 'masses' | 'modes' | 'codeSize'>

export interface PartsAtRest {
  count: number
  motions: PartMotions
  /** Of each part as columns of a rotation, row by row. */
  axes: Float32Array
  /** Numbers of each part's neighbours, at most MAX_NEIGHBOURS. */
  neighbours: number[][]
  /** For each part and neighbour E^T (C_n - C), and one over its length: [parts, MAX_NEIGHBOURS, 4]. */
  resting: Float64Array
}

/** @throws RangeError if lengths disagree, or a neighbour is none of the parts */
export function partsAtRest(
  { bones }: Pick<BoneNetworkShape, 'bones'>,
  data: PartFramesData,
  body: PartsBody,
): PartsAtRest {
  const count = bones.length
  const tensors = tensorsOfParts(data)
  for (const [name, dims] of partTensors(count, body.masses.length)) {
    const { length } = tensors.get(name)!
    if (length !== dims[0] * dims[1]) {
      throw new RangeError(`parts: ${name} has ${length} values; ${count} parts of this body need [${dims}].`)
    }
  }
  const motions = new PartMotions(body, data.weights)
  const { axes } = data
  const neighbours = bones.map(({ drivers }) => drivers)
  for (const [part, others] of neighbours.entries()) {
    const lost = others.find((other) => !(other < count))
    if (lost !== undefined) throw new RangeError(`parts: a neighbour is ${lost} of ${count} parts.`)
    if (others.length > MAX_NEIGHBOURS) {
      throw new RangeError(`parts: part ${part} has ${others.length} neighbours; it may have ${MAX_NEIGHBOURS}.`)
    }
  }
  return { count, motions, axes, neighbours, resting: restingNeighbours(neighbours, axes, motions.centres) }
}

function restingNeighbours(neighbours: number[][], axes: Float32Array, centres: Float64Array): Float64Array {
  const resting = new Float64Array(4 * MAX_NEIGHBOURS * neighbours.length)
  for (const [part, others] of neighbours.entries()) {
    for (const [n, other] of others.entries()) {
      const away = [0, 1, 2].map((row) => centres[3 * other + row] - centres[3 * part + row])
      const at = 4 * (MAX_NEIGHBOURS * part + n)
      for (let axis = 0; axis < 3; axis++) {
        resting[at + axis] = away.reduce((sum, value, row) => sum + axes[9 * part + 3 * row + axis] * value, 0)
      }
      resting[at + 3] = 1 / (Math.hypot(...away) || 1)
    }
  }
  return resting
}
