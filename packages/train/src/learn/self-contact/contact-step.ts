/**
 * One step of our own learner: signs of labelled codes by softplus(-k t f), values next to points of the boundary, where the
 * normal is known exactly, f(q* + s n) = s, and, once there are any, distances. No second derivatives: a slope of one at the
 * boundary is what neighbouring values ask for, and further away what distances do.
 */
import {
  abs,
  adam,
  add,
  compileTrainingStep,
  concat,
  constant,
  input,
  less,
  mean,
  mul,
  parameter,
  reshape,
  slice,
  softplus,
  square,
  sub,
  type Tensor,
  type TrainingStep,
  where,
} from '../../graph/index.js'
import type { Weights } from '../rounds/index.js'
import type { ContactGraph } from './contact-graph.js'

/** Rows of a batch: labelled codes, codes next to the boundary, codes with distances. */
export interface ContactBatch {
  signs: number
  boundary: number
  distances: number
}

export interface ContactLossOptions {
  /** k of the sign's loss [1 / unit of the code]. */
  sharpness: number
  boundaryWeight: number
  distanceWeight: number
}

/** Half-widths of the Huber losses, in the unit of the code. */
const BOUNDARY_HUBER = 0.01
const DISTANCE_HUBER = 0.02

/** Parts of a batch that are differentiated one after the other: each fits the cache. */
const CHUNKS = 8

/** @param start  values that learning begins with */
export function compileContactStep(
  graph: ContactGraph,
  start: Weights,
  batch: ContactBatch,
  options: ContactLossOptions,
  learnsGaps: boolean,
  threads: number,
): Promise<TrainingStep> {
  const isLearned = (name: string): boolean => learnsGaps || !name.startsWith('gap.')
  const tensors = new Map(
    [...graph.tensors].map(([name, dims]) => {
      const values = start.get(name)!
      return [name, isLearned(name) ? parameter(name, dims, values) : constant(values, dims)]
    }),
  )
  const parameters = [...tensors].filter(([name]) => isLearned(name)).map(([, tensor]) => tensor)
  const loss = lossesOf(graph, (name) => tensors.get(name)!, batch, options)
  return compileTrainingStep({ loss, parameters, optimiser: adam({ beta2: 0.99, clipNorm: 1 }) }, { threads })
}

/** Inputs: `signCodes`, `signs`, `boundaryCodes`, `offsets`, `distanceCodes`, `distances`; those that have rows. */
function lossesOf(
  graph: ContactGraph,
  tensor: (name: string) => Tensor,
  batch: ContactBatch,
  { sharpness, boundaryWeight, distanceWeight }: ContactLossOptions,
): Tensor[] {
  const signLoss = (f: Tensor, signs: Tensor): Tensor => mean(softplus(mul(mul(f, signs), -sharpness)))
  const terms: Term[] = [
    { rows: batch.signs, codes: 'signCodes', targets: 'signs', weight: 1, loss: signLoss },
    {
      rows: batch.boundary,
      codes: 'boundaryCodes',
      targets: 'offsets',
      weight: boundaryWeight,
      loss: huber(BOUNDARY_HUBER),
    },
    {
      rows: batch.distances,
      codes: 'distanceCodes',
      targets: 'distances',
      weight: distanceWeight,
      loss: huber(DISTANCE_HUBER),
    },
  ].filter(({ rows }) => rows > 0)
  const inputs = terms.map(({ rows, codes, targets }) => ({
    codes: input(codes, [rows, graph.codeSize]),
    targets: input(targets, [rows]),
  }))
  return Array.from({ length: CHUNKS }, (_, chunk) => {
    const share = (of: Tensor, rows: number): Tensor =>
      slice(of, 0, (chunk * rows) / CHUNKS, ((chunk + 1) * rows) / CHUNKS)
    const rows = terms.reduce((sum, term) => sum + term.rows / CHUNKS, 0)
    const codes = concat(
      terms.map((term, i) => share(inputs[i].codes, term.rows)),
      0,
    )
    const values = reshape(graph.values(tensor, codes, rows), [rows])
    let first = 0
    return terms
      .map((term, i) => {
        const own = slice(values, 0, first, first + term.rows / CHUNKS)
        first += term.rows / CHUNKS
        return mul(term.loss(own, share(inputs[i].targets, term.rows)), term.weight)
      })
      .reduce(add)
  })
}

interface Term {
  rows: number
  codes: string
  targets: string
  weight: number
  loss(f: Tensor, targets: Tensor): Tensor
}

/** Half the square, over the width, up to the width; straight beyond. */
function huber(width: number): Term['loss'] {
  return (f, targets) => {
    const error = sub(f, targets)
    return mean(where(less(abs(error), width), mul(square(error), 0.5 / width), sub(abs(error), 0.5 * width)))
  }
}
