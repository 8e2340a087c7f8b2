/**
 * One step of learning clearances: each pair of parts by the square of its error, weighted more the nearer it is to touching.
 * Beyond the reach of labels a clearance is only known to be more, or deeper: there it is pushed no further than that.
 */
import type { PosedGapShape } from 'pliant/unstable'
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
  reshape,
  slice,
  square,
  sub,
  sum,
  type Tensor,
  type TrainingStep,
  where,
} from '../../graph/index.js'
import type { Weights } from '../rounds/index.js'
import { clearanceTensors } from './clearance-graph.js'
import { pairClearances } from './posed-gap-graph.js'

/** Of clearances, in units of the reach: what errors far from touching are worth beside those at it. */
const NEAR = 0.15

/** Clearances beyond this are at the end of what is told. */
const END = 0.999

/** Inputs as `PairBatch` has them. @param start  values that learning begins with */
export function compileClearanceStep(
  shape: PosedGapShape,
  start: Weights,
  batch: number,
  threads: number,
): Promise<TrainingStep> {
  const { pairs, places, seen } = shape
  const { learned, fixed } = clearanceTensors(shape, start)
  const tensors = new Map([...learned].map(([name, dims]) => [name, parameter(name, dims, start.get(name)!)]))
  const given = input('places', [3, batch, pairs, 2 * places])
  const sides = [0, 1].map((side) =>
    [0, 1, 2].map((axis) =>
      reshape(slice(slice(given, 0, axis, axis + 1), 3, side * places, (side + 1) * places), [batch, pairs, places]),
    ),
  )
  const values = pairClearances(
    shape,
    sides,
    input('seen', [batch, pairs, 6 * seen]),
    (name) => fixed.get(name) ?? tensors.get(name)!,
    batch,
  )
  const loss = lossOf(values, input('clearances', [batch, pairs]), batch)
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
