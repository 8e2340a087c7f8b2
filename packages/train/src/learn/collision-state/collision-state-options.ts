/**
 * How the paper learns its collision detector (Tan et al., sections 4 and 5; what it leaves out: algorithms.md 1.3 to 1.6), and
 * the two baselines that it is compared with.
 */

/**
 * 'supervised' (Supv): all labels of codes as they are drawn, no boundary set. 'supervised-boundary' (Supv+bd): the same with it.
 * 'active-boundary' (Active+bd): a bootstrap, then rounds that label half of their codes where the network so far sees the
 * boundary (Algorithm 1). All take equally many labels.
 */
export type CollisionLearningMode = 'supervised' | 'supervised-boundary' | 'active-boundary'

export interface CollisionStateLearning {
  mode: CollisionLearningMode
  /** Exact labels in all. */
  labels: number
  /** Labels of the bootstrap (N_init): a count, or 'elbow': from `first` on so many more until the accuracy no longer rises. */
  initial: number | 'elbow'
  /** What the search for the elbow begins with, and adds each time. */
  first: number
  /** Rounds of active learning after the bootstrap; they share the other labels evenly (N_aug each). */
  rounds: number
  /** Epochs, batch and rate of the bootstrap and of baselines, */
  bootstrap: Schedule
  /** and of each round after it. */
  update: Schedule
  /** Of all epochs the share that is done, above 0: less for a smaller budget. */
  effort: number
  /** Widths of the networks, as in `CollisionStateShape`. */
  encoder: number[]
  state: number
  predictor: number[]
  classifier: number[]
  loss: CollisionLossWeights
  /**
   * Share of the touching codes that lie on the boundary (D_b): the least deep ones. The paper's epsilon is 1e-4 of a unit that
   * it does not tell; in metres, or in units of the rescaled depth, next to none of the codes of a hand are as shallow.
   */
  boundary: number
}

export interface Schedule {
  epochs: number
  batch: number
  learningRate: number
}

export interface CollisionLossWeights {
  /** Depths of domains, */
  depth: number
  /** within these the whole depth, */
  whole: number
  /** the order of depths, */
  ranking: number
  /** touching or free, */
  classes: number
  /** codes on the boundary. */
  boundary: number
}

/** Shares of labels in the bootstrap and in each of seven rounds as the paper has them of SCAPE and Hand: 4 to 1. */
export const INITIAL_SHARE = 4 / 11

export const COLLISION_STATE_LEARNING: CollisionStateLearning = {
  mode: 'active-boundary',
  labels: 60_000,
  initial: Math.round(INITIAL_SHARE * 60_000),
  first: 2000,
  rounds: 7,
  bootstrap: { epochs: 100, batch: 512, learningRate: 1e-3 },
  update: { epochs: 50, batch: 1024, learningRate: 1e-4 },
  effort: 1,
  encoder: [256, 256],
  state: 128,
  predictor: [64, 32],
  classifier: [32, 32],
  loss: { depth: 5, whole: 0.2, ranking: 2, classes: 2, boundary: 0.5 },
  boundary: 0.1,
}

/** Of labels that are not learned from but validated by, one in so many: the paper keeps 20%. */
export const VALIDATED_ONE_IN = 5

/** Steps over so many labels. */
export function stepsOver(labels: number, { epochs, batch }: Schedule, effort: number): number {
  return Math.max(1, Math.round(effort * epochs * stepsPerEpoch(labels, batch)))
}

export function stepsPerEpoch(labels: number, batch: number): number {
  return Math.max(1, Math.floor(learnedFrom(labels) / batch))
}

/** How many of so many labels are learned from. */
export function learnedFrom(labels: number): number {
  return labels - Math.floor(labels / VALIDATED_ONE_IN)
}

/** Steps of the whole with a bootstrap of a known size, at full effort. */
export function stepsOfAll({ mode, labels, initial, rounds, bootstrap, update }: CollisionStateLearning): number {
  if (mode !== 'active-boundary' || initial === 'elbow') return stepsOver(labels, bootstrap, 1)
  const updates = Array.from({ length: rounds }, (_, round) => {
    const known = initial + ((round + 1) * (labels - initial)) / rounds
    return stepsOver(known, update, 1)
  })
  return updates.reduce((sum, steps) => sum + steps, stepsOver(initial, bootstrap, 1))
}
