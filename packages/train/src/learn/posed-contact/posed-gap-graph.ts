/** A posed gap network as a graph of tensors; the formula is the one in pliant's posed-gap-shape.ts, line by line. */
import { denseOfPosedGaps, type PosedGapShape, TERM_SIZE } from 'pliant/unstable'
import {
  add,
  concat,
  constant,
  type Dimension,
  log,
  matmul,
  mul,
  reshape,
  square,
  sum,
  type Tensor,
} from '../../graph/index.js'
import { denseGraph } from '../dense-graph.js'
import type { JointChain } from '../joints/joint-chain.js'
import { jointGraph } from '../joints/joint-graph.js'

/**
 * @param chain   of all joints that terms name
 * @param terms   gap.terms, which stay as they are
 * @param tensor  of each other name that `posedGapTensors(shape)` lists
 * @param codes   [rows, r]
 * @param rows    how many, or the name that stands for it
 * @returns how far pairs of parts are apart, [rows, P]
 */
export function posedGapGraph(
  shape: PosedGapShape,
  chain: JointChain,
  terms: Float32Array,
  tensor: (name: string) => Tensor,
  codes: Tensor,
  rows: Dimension,
): Tensor {
  const { gaps } = shape
  const { table, start } = tableOf(shape, chain, terms)
  const moved = matmul(jointGraph(chain, codes, rows), constant(table, [12 * chain.count, 3 * gaps]))
  const vectors = add(moved, constant(start, [3 * gaps]))
  const squares = sum(square(reshape(vectors, [rows, gaps, 3])), 2)
  const logs = log(add(squares, square(tensor('gap.softening'))))
  const seen = add(mul(logs, tensor('gap.scale')), tensor('gap.shift'))
  return denseGraph(denseOfPosedGaps(shape), tensor, concat([codes, seen], 1))
}

/** Vectors of gaps are linear in the matrices: those of the chain by a table, those that stand still by a start. */
function tableOf(
  { gaps }: PosedGapShape,
  chain: JointChain,
  terms: Float32Array,
): { table: Float32Array; start: Float32Array } {
  const width = 3 * gaps
  const table = new Float32Array(12 * chain.count * width)
  const start = new Float32Array(width)
  for (let t = 0; t < terms.length; t += TERM_SIZE) {
    const [gap, joint, ...point] = terms.subarray(t, t + TERM_SIZE)
    const at = chain.joints.indexOf(joint)
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 4; column++) {
        if (at < 0) start[3 * gap + row] += chain.still[16 * joint + 4 * column + row] * point[column]
        else table[(12 * at + 4 * row + column) * width + 3 * gap + row] += point[column]
      }
    }
  }
  return { table, start }
}
