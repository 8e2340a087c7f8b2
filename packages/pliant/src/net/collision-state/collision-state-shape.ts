/**
 * The collision detector of Tan et al. (section 3.2), as plain data: from a code to how deep each domain of a shape is in the
 * rest of it, and from these to whether the shape touches itself. The paper gives no sizes; ours are those of algorithms.md 1.3.
 *
 *   S_0 = tanh(encoder(z))                        collision state of the whole, bounded
 *   S_i = softplus(predictor_i(S_0, z_i))         z_i: entries of the code that are domain i's own; D domains
 *   l   = classifier(S_1, ..., S_D)               logit: the shape touches itself where l > 0
 *   f   = -perLogit l                             about a distance in the space of codes
 *   f_i = perDepth (limit - S_i)                  the same of one domain
 *
 * Behind every hidden layer is CELU with alpha = 1, which is ELU. The gradient of f does not vanish far from the boundary as
 * that of the paper's sigmoid(l) does, and f >= 0 is the same constraint as sigmoid(l) <= 1/2.
 *
 * Tensors by name, row-major: encoder.l.weight [in, out], encoder.l.bias [out]; predictor.l.weight [D, in, out],
 * predictor.l.bias [D, 1, out], where the first sees S_0, then z_i, then zeros up to the most entries that a domain has;
 * classifier.l.weight [in, out], classifier.l.bias [out].
 */
import { type DenseShape, denseMultiplications, denseTensors } from '../dense/dense-shape.js'

/** Sizes of a network from a code to depths of domains and a distance. */
export interface CollisionStateShape {
  /** Numbers of a code. */
  codeSize: number
  /** Entries of the code that are each domain's own; those of none are shared. */
  domains: number[][]
  /** Widths of the encoder's hidden layers. */
  encoder: number[]
  /** Numbers of the collision state, S_0. */
  state: number
  /** Widths of the hidden layers of each predictor. */
  predictor: number[]
  /** Widths of the classifier's hidden layers. */
  classifier: number[]
  /** Distance that a unit of the logit is worth at the boundary, in the unit of the code. */
  perLogit: number
  /** The same of a unit of S_i. */
  perDepth: number
  /** S_i above which a domain counts as touching. */
  limit: number
  /** Depth that a unit of S_i stands for [m]. */
  metres: number
}

/** The sizes alone, as networks that are still learned have them. */
export type CollisionStateSizes = Omit<CollisionStateShape, 'perLogit' | 'perDepth' | 'limit' | 'metres'>

export function encoderOf({ codeSize, encoder, state }: CollisionStateSizes): DenseShape {
  return { inputs: codeSize, hidden: encoder, outputs: state, activation: 'elu', output: 'tanh' }
}

/** @param entries  of the code that it sees beside S_0 */
export function predictorOf({ state, predictor }: CollisionStateSizes, entries: number): DenseShape {
  return { inputs: state + entries, hidden: predictor, outputs: 1, activation: 'elu', output: 'softplus' }
}

export function classifierOf({ domains, classifier }: CollisionStateSizes): DenseShape {
  return { inputs: domains.length, hidden: classifier, outputs: 1, activation: 'elu', output: 'linear' }
}

/** Most entries of the code that a domain has of its own. */
export function mostEntries({ domains }: Pick<CollisionStateSizes, 'domains'>): number {
  return domains.reduce((most, entries) => Math.max(most, entries.length), 0)
}

/** Name -> dimensions of every tensor. */
export function collisionStateTensors(shape: CollisionStateSizes): Map<string, number[]> {
  const count = shape.domains.length
  const named = (name: string, dense: DenseShape): [string, number[]][] =>
    [...denseTensors(dense)].map(([tensor, dims]) => [tensor.replace('dense', name), dims])
  return new Map([
    ...named('encoder', encoderOf(shape)),
    ...named('predictor', predictorOf(shape, mostEntries(shape))).map(([name, dims]): [string, number[]] => [
      name,
      dims.length === 1 ? [count, 1, ...dims] : [count, ...dims],
    ]),
    ...named('classifier', classifierOf(shape)),
  ])
}

/** Multiplications of one value. */
export function collisionStateMultiplications(shape: CollisionStateSizes): number {
  const predictors = shape.domains.map(({ length }) => denseMultiplications(predictorOf(shape, length)))
  return predictors.reduce(
    (sum, one) => sum + one,
    denseMultiplications(encoderOf(shape)) + denseMultiplications(classifierOf(shape)),
  )
}
