/** A gap network as a graph of tensors; the formula is the one in pliant's gap-shape.ts, line by line. */
import { denseOfGaps, type GapShape } from 'pliant/unstable'
import {
  add,
  concat,
  type Dimension,
  log,
  matmul,
  mul,
  reshape,
  slice,
  square,
  sum,
  type Tensor,
} from '../../graph/index.js'
import { denseGraph } from '../dense-graph.js'

/**
 * @param tensor  of each name that `gapTensors(shape)` lists
 * @param codes   [rows, r]
 * @param rows    how many, or the name that stands for it
 * @returns values, [rows, 1]
 */
export function gapGraph(shape: GapShape, tensor: (name: string) => Tensor, codes: Tensor, rows: Dimension): Tensor {
  const { codeSize, gaps } = shape
  if (gaps === 0) return denseGraph(denseOfGaps(shape), tensor, codes)
  const vector = tensor('gap.vector')
  const moved = matmul(codes, slice(vector, 0, 0, codeSize))
  const vectors = add(moved, reshape(slice(vector, 0, codeSize, codeSize + 1), [3 * gaps]))
  const squares = sum(square(reshape(vectors, [rows, gaps, 3])), 2)
  const logs = log(add(squares, square(tensor('gap.softening'))))
  const seen = add(mul(logs, tensor('gap.scale')), tensor('gap.shift'))
  return denseGraph(denseOfGaps(shape), tensor, concat([codes, seen], 1))
}
