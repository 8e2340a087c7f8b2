/** The paper's collision detector as a graph of tensors; the formula is the one in pliant's collision-state-shape.ts, line by line. */
import {
  type CollisionStateShape,
  type CollisionStateSizes,
  classifierOf,
  collisionStateTensors,
  encoderOf,
  mostEntries,
} from 'pliant/unstable'
import {
  add,
  batchMatmul,
  concat,
  constant,
  type Dimension,
  expand,
  matmul,
  mul,
  reshape,
  type Tensor,
  transpose,
} from '../../graph/index.js'
import { activate, denseGraph } from '../dense-graph.js'
import type { ContactGraph } from '../self-contact/contact-graph.js'

export interface CollisionStateTensors {
  /** S_i, [rows, D]. */
  depths: Tensor
  /** [rows, 1]. */
  logits: Tensor
}

/**
 * @param tensor  of each name that `collisionStateTensors(shape)` lists
 * @param codes   [rows, codeSize]
 * @param rows    how many, or the name that stands for it
 */
export function collisionStateGraph(
  shape: CollisionStateSizes,
  tensor: (name: string) => Tensor,
  codes: Tensor,
  rows: Dimension,
): CollisionStateTensors {
  const { state, predictor, domains } = shape
  const partOf = (part: string) => (name: string) => tensor(name.replace('dense', part))
  const whole = denseGraph(encoderOf(shape), partOf('encoder'), codes)
  const shared = expand(reshape(whole, [1, rows, state]), [domains.length, rows, state])
  let row = mostEntries(shape) > 0 ? concat([shared, ownEntries(shape, codes, rows)], 2) : shared
  for (let l = 0; l <= predictor.length; l++) {
    // One product of all domains, each with weights of its own.
    const sums = add(batchMatmul(row, tensor(`predictor.${l}.weight`)), tensor(`predictor.${l}.bias`))
    row = activate(l < predictor.length ? 'elu' : 'softplus', sums)
  }
  const depths = transpose(reshape(row, [domains.length, rows]), [1, 0])
  return { depths, logits: denseGraph(classifierOf(shape), partOf('classifier'), depths) }
}

/** z_i of every domain, then zeros up to the most entries that one has, [D, rows, most]. */
function ownEntries(shape: CollisionStateSizes, codes: Tensor, rows: Dimension): Tensor {
  const { domains, codeSize } = shape
  const most = mostEntries(shape)
  const chosen = new Float32Array(codeSize * domains.length * most)
  domains.forEach((entries, i) => {
    entries.forEach((entry, k) => {
      chosen[(entry * domains.length + i) * most + k] = 1
    })
  })
  const own = matmul(codes, constant(chosen, [codeSize, domains.length * most]))
  return transpose(reshape(own, [rows, domains.length, most]), [1, 0, 2])
}

/** The logit of a network that is learned. */
export function logitGraph(shape: CollisionStateSizes): ContactGraph {
  return {
    codeSize: shape.codeSize,
    tensors: collisionStateTensors(shape),
    values: (tensor, codes, rows) => collisionStateGraph(shape, tensor, codes, rows).logits,
  }
}

/** What a trained one answers: f. */
export function collisionDistanceGraph(shape: CollisionStateShape): ContactGraph {
  const { codeSize, tensors, values } = logitGraph(shape)
  return { codeSize, tensors, values: (...asked) => mul(values(...asked), -shape.perLogit) }
}
