/**
 * Rows of a table by index, and its gradient, the sum of rows by index. Each is the gradient of the other.
 * The sum is ScatterElements: onnxruntime's ScatterND with reduction 'add' loses updates when two threads meet on a row.
 */
import { expand } from './broadcast.js'
import { cast, EXACT_INTEGERS } from './cast.js'
import { type Dimension, formatShape, shapeSize } from './dimension.js'
import { reshape } from './layout.js'
import { gemm } from './matmul.js'
import { constant, makeNode, type Tensor } from './tensor.js'

/**
 * @param table    (rows, channels)
 * @param indices  int32 of any shape, each in [0, rows); onnxruntime refuses others when it runs
 * @returns shape of indices x channels
 */
export function gather(table: Tensor, indices: Tensor): Tensor {
  check('gather', table, indices)
  const [rows, channels] = table.shape
  return makeNode('Gather', {
    operands: [table, indices],
    shape: [...indices.shape, channels],
    attributes: { axis: { int: 0 } },
    gradients: [
      (g) => {
        const count = shapeSize(indices.shape)
        return scatterAdd(rows, reshape(indices, [count]), reshape(g, [count, channels]))
      },
    ],
  })
}

/**
 * A table of zeros to which each update is added at its row; rows named twice get both.
 * @param rows     number of rows of the table
 * @param indices  int32, (n)
 * @param updates  (n, channels)
 */
export function scatterAdd(rows: Dimension, indices: Tensor, updates: Tensor): Tensor {
  check('scatterAdd', updates, indices)
  const channels = updates.shape[1]
  const zeros = expand(constant(0), [rows, channels])
  const targets = repeatColumns(reshape(indices, [indices.shape[0], 1]), channels as number, rows)
  return makeNode('ScatterElements', {
    operands: [zeros, targets, updates],
    shape: [rows, channels],
    attributes: { axis: { int: 0 }, reduction: { string: 'add' } },
    gradients: [null, null, (g) => gather(g, indices)],
  })
}

/** (n, 1) indices -> (n, columns). As a product with ones, where exact, it takes a sixth of the time of Expand. */
function repeatColumns(indices: Tensor, columns: number, rows: Dimension): Tensor {
  if (typeof rows === 'string' || rows >= EXACT_INTEGERS) return expand(indices, [indices.shape[0], columns])
  return cast(gemm(cast(indices, 'float32'), constant(1, [1, columns]), false, false), 'int32')
}

function check(what: string, table: Tensor, indices: Tensor): void {
  if (table.shape.length !== 2) {
    throw new RangeError(`${what}: table of shape ${formatShape(table.shape)}; pass (rows, channels).`)
  }
  if (indices.type !== 'int32') throw new RangeError(`${what}: indices of type ${indices.type}; pass int32 indices.`)
}
