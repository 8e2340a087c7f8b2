/**
 * One step of learning clearances: each pair of parts by the square of its error, weighted more the nearer it is to touching.
 * Beyond the reach of labels a clearance is only known to be more, or deeper: there it is pushed no further than that.
 */
import {
  abs,
  adam,
  add,
  compileTrainingStep,
  constant,
  div,
  greater,
  input,
  less,
  mul,
  parameter,
  relu,
  slice,
  square,
  sub,
  sum,
  type Tensor,
  type TrainingStep,
  where,
} from '../../graph/index.js'
import type { Weights } from '../rounds/index.js'
import type { ClearanceGraph } from './clearance-graph.js'

/** Of clearances, in units of the reach: what errors far from touching are worth beside those at it. */
const NEAR = 0.15

/** Clearances beyond this are at the end of what is told. */
const END = 0.999

/** Parts of a batch that are differentiated one after the other: each fits the cache. */
const CHUNKS = 4

/** Inputs: `codes`, `clearances`. @param start  values that learning begins with */
export function compileClearanceStep(
  graph: ClearanceGraph,
  start: Weights,
  batch: number,
  threads: number,
): Promise<TrainingStep> {
  const tensors = new Map([...graph.tensors].map(([name, dims]) => [name, parameter(name, dims, start.get(name)!)]))
  const codes = input('codes', [batch, graph.codeSize])
  const clearances = input('clearances', [batch, graph.pairs])
  const loss = Array.from({ length: CHUNKS }, (_, chunk) => {
    const share = (of: Tensor): Tensor => slice(of, 0, (chunk * batch) / CHUNKS, ((chunk + 1) * batch) / CHUNKS)
    const rows = batch / CHUNKS
    return lossOf(
      graph.values((name) => tensors.get(name)!, share(codes), rows),
      share(clearances),
      rows,
    )
  })
  const optimiser = adam({ beta2: 0.99, clipNorm: 1 })
  return compileTrainingStep({ loss, parameters: [...tensors.values()], optimiser }, { threads })
}

function lossOf(values: Tensor, clearances: Tensor, rows: number): Tensor {
  const tooNear = relu(sub(constant(1), values))
  const tooFar = relu(add(values, 1))
  const within = sub(values, clearances)
  const error = where(greater(clearances, END), tooNear, where(less(clearances, -END), tooFar, within))
  const weight = div(constant(NEAR), add(abs(clearances), NEAR))
  return div(sum(mul(weight, square(error))), rows)
}
