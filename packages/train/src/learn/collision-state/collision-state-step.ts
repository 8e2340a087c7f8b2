/**
 * One step of learning the paper's collision detector (Tan et al., section 4.3), over codes of three sets: D_p touch deeper than
 * epsilon, D_b less deep, D_n are free.
 *
 *   L    = 5 L_PD + 2 L_r + 2 L_ce + 0.5 L_b
 *   L_PD = E [sum_i (S_i - PD_i)^2 + 0.2 (sum_i S_i - PD)^2]                                  all codes
 *   L_r  = E [max(0, alpha - (sum_i S_i^b - sum_i S_i^a))]                                    pairs with PD^a < PD^b
 *   L_ce = E [cross-entropy of sigmoid(l) and whether it touches]                             D_p and D_n
 *   L_b  = E |sigmoid(l) - 1/2|                                                               D_b
 *
 * Two misprints are mended (algorithms.md 0): L_r has the sign that orders depths as they are, and L_ce is not over D_n twice.
 * Pairs are neighbours in the batch, which is in random order.
 */
import { type CollisionStateSizes, collisionStateTensors } from 'pliant/unstable'
import {
  abs,
  adam,
  add,
  compileTrainingStep,
  concat,
  constant,
  div,
  greater,
  input,
  maximum,
  mul,
  parameter,
  relu,
  reshape,
  sigmoid,
  sign,
  slice,
  softplus,
  square,
  sub,
  sum,
  type Tensor,
  type TrainingStep,
  where,
} from '../../graph/index.js'
import type { Weights } from '../rounds/index.js'
import { type CollisionStateTensors, collisionStateGraph } from './collision-state-graph.js'
import type { CollisionLossWeights } from './collision-state-options.js'

export interface CollisionLoss extends CollisionLossWeights {
  /** alpha: by how much more the deeper of two must be called deep, rescaled. */
  margin: number
  /** Up to which depth a touching code is of D_b, rescaled; 0 for no such set. */
  epsilon: number
}

/** Parts of a batch that are differentiated one after the other: each fits the cache. */
const CHUNKS = 4

/** Inputs: `codes` [batch, codeSize], `depths` [batch, D], rescaled. @param start  values that learning begins with */
export function compileCollisionStep(
  shape: CollisionStateSizes,
  start: Weights,
  batch: number,
  options: CollisionLoss,
  threads: number,
): Promise<TrainingStep> {
  const tensors = new Map(
    [...collisionStateTensors(shape)].map(([name, dims]) => [name, parameter(name, dims, start.get(name)!)]),
  )
  const codes = input('codes', [batch, shape.codeSize])
  const depths = input('depths', [batch, shape.domains.length])
  const chunks = batch % CHUNKS === 0 && batch / CHUNKS > 1 ? CHUNKS : 1
  const rows = batch / chunks
  const share = (of: Tensor, chunk: number): Tensor => slice(of, 0, chunk * rows, (chunk + 1) * rows)
  // Sets are counted over the whole batch: a chunk by itself may have none of one.
  const truths = Array.from({ length: chunks }, (_, chunk) => truthOf(share(depths, chunk), rows, options))
  const counts = countsOf(truths, chunks)
  const loss = truths.map((truth, chunk) =>
    collisionLoss(
      collisionStateGraph(shape, (name) => tensors.get(name)!, share(codes, chunk), rows),
      truth,
      counts,
      rows,
      options,
    ),
  )
  return compileTrainingStep({ loss, parameters: [...tensors.values()], optimiser: adam() }, { threads })
}

/** What is known of some codes. */
interface Truth {
  /** PD_i, [rows, D], and PD, [rows]. */
  depths: Tensor
  whole: Tensor
  /** 1 for those that touch, for those of D_b, and for those of D_p and D_n, [rows]. */
  touching: Tensor
  boundary: Tensor
  classified: Tensor
  /** Of each code and the next one: 1 if the next is deeper, -1 if it is less deep. */
  order: Tensor
}

/** @param depths  PD_i, [rows, D] */
export function truthOf(depths: Tensor, rows: number, { epsilon }: Pick<CollisionLoss, 'epsilon'>): Truth {
  const whole = sum(depths, 1)
  const touching = where(greater(whole, 0), constant(1), 0)
  const boundary = mul(touching, where(greater(whole, epsilon), constant(0), 1))
  const order = sign(sub(nextOf(whole, rows), whole))
  return { depths, whole, touching, boundary, classified: sub(constant(1), boundary), order }
}

/** How many there are of each set in a chunk of a batch on the average, at least one in the batch. */
export function countsOf(
  truths: readonly Truth[],
  chunks: number,
): Record<'pairs' | 'classified' | 'boundary', Tensor> {
  const count = (of: (truth: Truth) => Tensor): Tensor =>
    div(maximum(truths.map((truth) => sum(of(truth))).reduce(add), 1), chunks)
  return {
    pairs: count(({ order }) => abs(order)),
    classified: count(({ classified }) => classified),
    boundary: count(({ boundary }) => boundary),
  }
}

export function collisionLoss(
  { depths, logits }: CollisionStateTensors,
  truth: Truth,
  counts: ReturnType<typeof countsOf>,
  rows: number,
  { depth, whole, ranking, classes, boundary, margin }: CollisionLoss,
): Tensor {
  const all = sum(depths, 1)
  const logit = reshape(logits, [rows])
  const parts = sum(square(sub(depths, truth.depths)))
  const wholes = sum(square(sub(all, truth.whole)))
  const rise = sub(nextOf(all, rows), all)
  const disorder = sum(mul(abs(truth.order), relu(sub(margin, mul(truth.order, rise)))))
  const entropy = sum(mul(truth.classified, sub(softplus(logit), mul(truth.touching, logit))))
  const away = sum(mul(truth.boundary, abs(sub(sigmoid(logit), 0.5))))
  return [
    mul(div(add(parts, mul(wholes, whole)), rows), depth),
    mul(div(disorder, counts.pairs), ranking),
    mul(div(entropy, counts.classified), classes),
    mul(div(away, counts.boundary), boundary),
  ].reduce(add)
}

/** Of each row the next one; of the last the first. */
function nextOf(values: Tensor, rows: number): Tensor {
  return rows === 1 ? values : concat([slice(values, 0, 1, rows), slice(values, 0, 0, 1)], 0)
}
