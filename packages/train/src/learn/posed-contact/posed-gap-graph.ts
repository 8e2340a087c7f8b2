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
import type { JointChain } from '../joints/joint-chain.js'
import { jointGraph } from '../joints/joint-graph.js'

/**
 * @param chain   of all joints that gaps name
 * @param ends    gap.ends and pair.middles, which stay as they are
 * @param tensor  of each other name that `posedGapTensors(shape)` lists
 * @param codes   [rows, r]
 * @param rows    how many, or the name that stands for it
 * @returns how far pairs of parts are apart, [rows, P]
 */
export function posedGapGraph(
  shape: PosedGapShape,
  chain: JointChain,
  { ends, middles }: { ends: Float32Array; middles: Float32Array },
  tensor: (name: string) => Tensor,
  codes: Tensor,
  rows: Dimension,
): Tensor {
  const { gaps, pairs, activation, hidden } = shape
  const matrices = jointGraph(chain, codes, rows)
  const squares = squaresOf(chain, matrices, ends, rows)
  const logs = log(add(squares, square(tensor('gap.softening'))))
  const seen = add(mul(logs, tensor('gap.scale')), tensor('gap.shift'))
  let row = transpose(reshape(seen, [rows, pairs, gaps]), [1, 0, 2])
  for (let l = 0; l < pairWidths(shape).length - 1; l++) {
    const sums = add(batchMatmul(row, tensor(`pair.${l}.weight`)), tensor(`pair.${l}.bias`))
    row = l < hidden.length ? activate(activation, sums) : sums
  }
  const values = transpose(reshape(row, [pairs, rows]), [1, 0])
  return where(greater(squaresOf(chain, matrices, middles, rows), tensor('pair.far')), shape.far, values)
}

/** Squared lengths of gaps, [rows, gaps]. */
function squaresOf(chain: JointChain, matrices: Tensor, ends: Float32Array, rows: Dimension): Tensor {
  const gaps = ends.length / END_SIZE
  const { table, start } = tableOf(gaps, chain, ends)
  const moved = matmul(matrices, constant(table, [12 * chain.count, 3 * gaps]))
  const vectors = add(moved, constant(start, [3 * gaps]))
  return sum(square(reshape(vectors, [rows, gaps, 3])), 2)
}

/** Vectors of gaps are linear in the matrices: those of the chain by a table, those that stand still by a start. */
function tableOf(gaps: number, chain: JointChain, ends: Float32Array): { table: Float32Array; start: Float32Array } {
  const width = 3 * gaps
  const table = new Float32Array(12 * chain.count * width)
  const start = new Float32Array(width)
  for (let end = 0; end < 2 * gaps; end++) {
    const [joint, ...point] = ends.subarray((END_SIZE / 2) * end, (END_SIZE / 2) * (end + 1))
    const at = chain.joints.indexOf(joint)
    const [gap, sign] = [end >> 1, end % 2 === 0 ? 1 : -1]
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 4; column++) {
        const value = sign * (column < 3 ? point[column] : 1)
        if (at < 0) start[3 * gap + row] += chain.still[16 * joint + 4 * column + row] * value
        else table[(12 * at + 4 * row + column) * width + 3 * gap + row] += value
      }
    }
  }
  return { table, start }
}
