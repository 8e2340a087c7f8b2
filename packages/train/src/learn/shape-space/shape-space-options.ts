/**
 * Sizes and weights of the bilevel autoencoder (Tan et al. 2022, section 3.1 and "Implementation"; Yang et al. 2020).
 * Sizes of the networks are not published; defaults are for 2,000 to 3,000 vertices and up to some 1,000 shapes.
 */
import { BELOW_ONE, COUNT, COUNT_OR_ZERO, NOT_NEGATIVE, oneOf, POSITIVE, type Rules, settingsOf } from 'pliant/unstable'

export interface ShapeSpaceOptions {
  /** |Z0|: entries of the level 1 code, and domains. */
  domains: number
  /** |Zi|: entries of the code of a domain, on average. */
  domainCode: number
  /** Whether entries go to domains by what they explain, or evenly, as published. */
  allotment: 'need' | 'even'
  /**
   * Units (tanh) of the one hidden layer of domains' networks; 0 for linear ones, which of some hundred shapes lose less on
   * unseen ones (docs/notes/shape-space.md).
   */
  hidden: number
  /** Directions of the data that networks see, at most: of the whole, and of each domain. */
  directions: number
  domainDirections: number
  /** Geodesic distance from a domain's centre, over the largest, up to which it attends for free; full price at twice that. */
  reach: number
  /** Lambda 1: of the sparsity of attention. */
  sparsity: number
  /** Lambda 2: of codes beyond 5. */
  codeRange: number
  /** How much displacements of vertices count against features in level 2. */
  vertexWeight: number
  /** Of each level. */
  steps: number
  /** Shapes in a step: of level 1 all of them if they are no more, of level 2 mixtures of two. */
  batch: number
  learningRate: number
  /** Of the inverse by which codes become shapes (`AcapInverse`). */
  fitWeight: number
}

export const SHAPE_SPACE_DEFAULTS: ShapeSpaceOptions = {
  domains: 10,
  domainCode: 5,
  allotment: 'need',
  hidden: 0,
  directions: 128,
  domainDirections: 32,
  reach: 0.2,
  sparsity: 0.5,
  codeRange: 0.5,
  vertexWeight: 1,
  steps: 1000,
  batch: 256,
  learningRate: 1e-3,
  fitWeight: 100,
}

/**
 * What the paper says of its training: 3,000 epochs, batches of 128, a rate of 0.01; its data sets are one or a few batches.
 * Hidden units are our guess, as sizes are not published.
 */
export const PAPER_SHAPE_SPACE: Partial<ShapeSpaceOptions> = {
  allotment: 'even',
  hidden: 32,
  vertexWeight: 0,
  steps: 3000,
  batch: 128,
  learningRate: 0.01,
}

const RULES: Rules<ShapeSpaceOptions> = {
  domains: COUNT,
  domainCode: COUNT,
  allotment: oneOf('need', 'even'),
  hidden: COUNT_OR_ZERO,
  directions: COUNT,
  domainDirections: COUNT,
  reach: BELOW_ONE,
  sparsity: NOT_NEGATIVE,
  codeRange: NOT_NEGATIVE,
  vertexWeight: NOT_NEGATIVE,
  steps: COUNT,
  batch: COUNT,
  learningRate: POSITIVE,
  fitWeight: NOT_NEGATIVE,
}

/** @throws RangeError naming the first that does not fit */
export function shapeSpaceSettings(options: Partial<ShapeSpaceOptions>): ShapeSpaceOptions {
  return settingsOf('shape space', options, SHAPE_SPACE_DEFAULTS, RULES)
}
