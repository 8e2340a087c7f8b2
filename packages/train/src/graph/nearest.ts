/** The places of the smallest values in each row. */
import { cast } from './cast.js'
import { formatShape } from './dimension.js'
import { makeNode, operandInts, type Tensor } from './tensor.js'

/**
 * No gradient flows: what is found there is looked up again by `gather`.
 * @param values  (n, columns)
 * @returns int32 (n, count), the smallest first; of equal values the one further left
 */
export function smallestIndices(values: Tensor, count: number): Tensor {
  const [rows, columns] = values.shape
  if (values.shape.length !== 2 || typeof columns !== 'number' || !(count >= 1 && count <= columns)) {
    throw new RangeError(`smallestIndices: ${count} of ${formatShape(values.shape)}; pass (n, columns), 1 to columns.`)
  }
  const places = makeNode('TopK', {
    operands: [values, operandInts([count])],
    shape: [rows, count],
    type: 'int64',
    attributes: { axis: { int: 1 }, largest: { int: 0 }, sorted: { int: 1 } },
    output: 1,
  })
  return cast(places, 'int32')
}
