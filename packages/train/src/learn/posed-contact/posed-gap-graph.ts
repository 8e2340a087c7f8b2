/** A posed gap network as a graph of tensors; the formula is the one in pliant's posed-gap-shape.ts, line by line. */
import { END_SIZE, type PosedGapShape, pairWidths } from 'pliant/unstable'
import {
  add,
  batchMatmul,
  constant,
  type Dimension,
  greater,
  log,
  matmul,
  mul,
  reshape,
  square,
  sum,
  type Tensor,
  transpose,
  where,
} from '../../graph/index.js'
import { activate } from '../dense-graph.js'
import type { FrameGraph } from './framed-shape.js'

/**
 * @param frames  all that gaps name
 * @param ends    gap.ends and pair.middles, which stay as they are
 * @param tensor  of each other name that `posedGapTensors(shape)` lists
 * @param codes   [rows, r]
 * @param rows    how many, or the name that stands for it
 * @returns how far pairs of parts are apart, [rows, P]
 */
export function posedGapGraph(
  shape: PosedGapShape,
  frames: FrameGraph,
  { ends, middles }: { ends: Float32Array; middles: Float32Array },
  tensor: (name: string) => Tensor,
  codes: Tensor,
  rows: Dimension,
): Tensor {
  const { gaps, pairs, activation, hidden } = shape
  const matrices = frames.matrices(codes, rows)
  const squares = squaresOf(frames, matrices, ends, rows)
  const logs = log(add(squares, square(tensor('gap.softening'))))
  const seen = add(mul(logs, tensor('gap.scale')), tensor('gap.shift'))
  let row = transpose(reshape(seen, [rows, pairs, gaps]), [1, 0, 2])
  for (let l = 0; l < pairWidths(shape).length - 1; l++) {
    const sums = add(batchMatmul(row, tensor(`pair.${l}.weight`)), tensor(`pair.${l}.bias`))
    row = l < hidden.length ? activate(activation, sums) : sums
  }
  const values = transpose(reshape(row, [pairs, rows]), [1, 0])
  return where(greater(squaresOf(frames, matrices, middles, rows), tensor('pair.far')), shape.far, values)
}

/** Squared lengths of gaps, [rows, gaps]. */
function squaresOf(frames: FrameGraph, matrices: Tensor, ends: Float32Array, rows: Dimension): Tensor {
  const gaps = ends.length / END_SIZE
  const { table, start } = tableOf(gaps, frames, ends)
  const moved = matmul(matrices, constant(table, [12 * frames.moving.length, 3 * gaps]))
  const vectors = add(moved, constant(start, [3 * gaps]))
  return sum(square(reshape(vectors, [rows, gaps, 3])), 2)
}

/** Vectors of gaps are linear in the matrices: those that move by a table, those that stand still by a start. */
function tableOf(
  gaps: number,
  { moving, still }: FrameGraph,
  ends: Float32Array,
): { table: Float32Array; start: Float32Array } {
  const width = 3 * gaps
  const table = new Float32Array(12 * moving.length * width)
  const start = new Float32Array(width)
  for (let end = 0; end < 2 * gaps; end++) {
    const [frame, ...point] = ends.subarray((END_SIZE / 2) * end, (END_SIZE / 2) * (end + 1))
    const at = Array.prototype.indexOf.call(moving, frame)
    const [gap, sign] = [end >> 1, end % 2 === 0 ? 1 : -1]
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 4; column++) {
        const value = sign * (column < 3 ? point[column] : 1)
        if (at < 0) start[3 * gap + row] += still[16 * frame + 4 * column + row] * value
        else table[(12 * at + 4 * row + column) * width + 3 * gap + row] += value
      }
    }
  }
  return { table, start }
}
