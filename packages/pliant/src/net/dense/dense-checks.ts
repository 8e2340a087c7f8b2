/** Checks that every backend of dense networks makes before it touches memory. */
import type { Floats } from '../../math/floats.js'
import { isFloats, shown } from '../../math/require.js'
import type { Tensors } from '../network.js'
import { requireSizes, requireTensors } from '../network-checks.js'
import { type DenseShape, denseTensors } from './dense-shape.js'

/** @throws RangeError if a size is none, or a tensor is missing or has the wrong length */
export function checkDense(shape: DenseShape, tensors: Tensors): void {
  requireSizes('dense network', [
    ['inputs', shape.inputs, 1],
    ['outputs', shape.outputs, 1],
    ...shape.hidden.map((width, l): [string, number, number] => [`hidden layer ${l}`, width, 1]),
  ])
  requireTensors('dense network', denseTensors(shape), tensors)
}

/** @throws RangeError if the count is no whole number, or an array is none of floats or too short */
export function requireRows({ inputs, outputs }: DenseShape, given: Floats, count: number, values: Floats): void {
  requireRoomFor('inputs', given, count, inputs)
  requireRoomFor('values', values, count, outputs)
}

/** The same where gradients are asked for, too. */
export function requirePullBack(
  shape: DenseShape,
  given: Floats,
  count: number,
  cotangents: Floats | null,
  values: Floats,
  gradients: Floats,
): void {
  requireRows(shape, given, count, values)
  if (cotangents !== null) requireRoomFor('cotangents', cotangents, count, shape.outputs)
  requireRoomFor('gradients', gradients, count, shape.inputs)
}

function requireRoomFor(of: string, values: Floats, count: number, width: number): void {
  if (!Number.isInteger(count) || count < 0) {
    throw new RangeError(`dense network: ${shown(count)} rows asked; pass a whole number.`)
  }
  if (isFloats(values) && values.length >= count * width) return
  throw new RangeError(
    `dense network: ${of} is ${shown(values)}; ${count} rows of ${width} need ${count * width} in a Float32Array or Float64Array.`,
  )
}
