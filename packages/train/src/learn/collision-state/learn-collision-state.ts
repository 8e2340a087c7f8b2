/**
 * Learns the paper's collision detector over the codes of any shape (Tan et al., Algorithm 1): a bootstrap from codes as they are
 * drawn, then rounds that label as many new codes each, half of them brought to the boundary that the network sees by now, and
 * go on from the weights before. Its two baselines label all codes as they are drawn, and learn once.
 */
import type { Random } from 'pliant'
import type { CollisionStateShape, CollisionStateSizes, OnProgress } from 'pliant/unstable'
import { max, reshape } from '../../graph/index.js'
import type { DepthLabels } from '../../label/depth-labels.js'
import { type RoundData, type RoundRandom, type RoundState, runRounds, type Weights } from '../rounds/index.js'
import { runSteps } from '../run-steps.js'
import type { ContactGraph } from '../self-contact/contact-graph.js'
import { ContactNetwork } from '../self-contact/contact-network.js'
import { takeRows } from '../self-contact/contact-samples.js'
import type { ContactRun } from '../self-contact/learned-contact.js'
import { collisionStateGraph, logitGraph } from './collision-state-graph.js'
import { type CollisionStateLearning, learnedFrom, stepsOver } from './collision-state-options.js'
import { compileCollisionStep } from './collision-state-step.js'
import { type DepthScale, depthScale, median, requireBoth, wholeDepths } from './depth-scale.js'
import { findElbow } from './elbow.js'
import { EpochBatches, rowsToLearn, someOf, validated } from './epoch-batches.js'
import { firstWeights } from './first-weights.js'
import { seekBoundary } from './risk-seeking.js'
import { UnitBox } from './unit-box.js'

export interface LearnedCollisionState {
  shape: CollisionStateShape
  /** Of codes as they are. */
  weights: Map<string, Float32Array>
  labels: number
  steps: number
  /** Labels of the bootstrap, and right answers on those that were never learned from after each round, as a share. */
  initial: number
  accuracies: number[]
}

type DepthColumns = { codes: Float32Array; depths: Float32Array }

/** Beside the weights of a round, in the same log: validated accuracies of all rounds so far, which tell what the next one does. */
const ACCURACIES = 'accuracies'

/** Rounds that a search for the elbow takes at most. */
const MOST_BOOTSTRAPS = 12

/** @throws BadInput if none of the first codes touches itself, or all do */
export async function learnCollisionState(
  labels: DepthLabels,
  options: CollisionStateLearning,
  { threads, ...run }: ContactRun,
): Promise<LearnedCollisionState> {
  const learner = new CollisionLearner(labels, options, threads, run.seed)
  const isActive = options.mode === 'active-boundary'
  const bootstraps = isActive && options.initial === 'elbow' ? MOST_BOOTSTRAPS : 1
  try {
    const { weights, data } = await runRounds<DepthColumns>({
      ...run,
      rounds: isActive ? bootstraps + options.rounds : 1,
      widths: { codes: labels.codeSize, depths: labels.domains.length },
      effort: isActive && options.initial !== 'elbow' ? effortOf(options, options.initial) : undefined,
      isEnough: (_round, { data: known }) => known.rows >= options.labels,
      acquire: (_round, state, random, { onProgress }) => learner.acquire(state, random(), onProgress),
      learn: (_round, known, start, { random, steps }) => learner.learn(known, start, random, steps),
    })
    return {
      ...(await learner.finish(weights, data)),
      labels: data.rows,
      steps: learner.stepsOf(data, weights),
      initial: learner.bootstrapOf(data, weights) ?? data.rows,
      accuracies: [...weights.get(ACCURACIES)!],
    }
  } finally {
    await learner.dispose()
  }
}

/** What a step costs beside a label, about. */
const STEP_EFFORT = 8

function effortOf({ labels, rounds, bootstrap, update, effort }: CollisionStateLearning, initial: number) {
  const added = (labels - initial) / rounds
  return (round: number) => ({
    acquire: round === 0 ? initial : added,
    learn: STEP_EFFORT * stepsOver(initial + round * added, round === 0 ? bootstrap : update, effort),
  })
}

class CollisionLearner {
  readonly #box: UnitBox
  readonly #sizes: CollisionStateSizes
  #network: ContactNetwork | undefined

  constructor(
    private readonly labels: DepthLabels,
    private readonly options: CollisionStateLearning,
    private readonly threads: number,
    private readonly seed: number,
  ) {
    const { encoder, state, predictor, classifier } = options
    const domains = labels.domains.map((entries) => [...entries])
    this.#box = new UnitBox(labels.bounds)
    this.#sizes = { codeSize: labels.codeSize, domains, encoder, state, predictor, classifier }
  }

  async acquire(
    { data, weights }: RoundState<DepthColumns>,
    random: Random,
    onProgress: OnProgress,
  ): Promise<DepthColumns> {
    const count = this.#wanted(data, weights)
    const isUpdate = this.bootstrapOf(data, weights) !== undefined
    const codes = isUpdate ? await this.#halfRisky(data, weights!, count, random) : this.labels.draw(count, random)
    const depths = await this.labels.depths(codes, (done) =>
      onProgress({ fraction: done / count, stage: `label codes, ${done} of ${count}` }),
    )
    if (data.rows === 0) requireBoth(depths, this.#sizes.domains.length, this.labels.advice)
    return { codes, depths }
  }

  async learn(
    data: RoundData<DepthColumns>,
    before: Weights | undefined,
    random: RoundRandom,
    running: Parameters<typeof runSteps>[2],
  ): Promise<Weights> {
    const isUpdate = this.bootstrapOf(data, before) !== undefined
    const schedule = isUpdate ? this.options.update : this.options.bootstrap
    // A bootstrap of more labels begins anew, as a smaller one would have.
    const start = isUpdate ? before! : firstWeights(this.#sizes, this.seed)
    const batch = Math.min(schedule.batch, learnedFrom(data.rows))
    const scale = this.#scaleOf(data)
    const codes = this.#box.into(data.columns.codes)
    const depths = data.columns.depths.map((depth) => depth / scale.metres)
    const { mode, loss, effort } = this.options
    const learning = { ...loss, margin: scale.margin, epsilon: mode === 'supervised' ? 0 : scale.epsilon }
    const step = await compileCollisionStep(this.#sizes, start, batch, learning, this.threads)
    const batches = new EpochBatches(data.rows, batch, random)
    const plan = {
      steps: stepsOver(data.rows, schedule, effort),
      draw: (at: number) => {
        const rows = batches.rowsOf(at)
        return {
          codes: takeRows(codes, this.#sizes.codeSize, rows),
          depths: takeRows(depths, this.#sizes.domains.length, rows),
        }
      },
      rate: () => schedule.learningRate,
    }
    const { tensors } = await runSteps(step, plan, running)
    const accuracy = await this.#validate(tensors, data)
    return new Map([...tensors, [ACCURACIES, Float32Array.of(...(before?.get(ACCURACIES) ?? []), accuracy)]])
  }

  /** The network of codes as they are, in units of their distance. */
  async finish(
    weights: Weights,
    data: RoundData<DepthColumns>,
  ): Promise<Pick<LearnedCollisionState, 'shape' | 'weights'>> {
    const codes = this.#box.into(takeRows(data.columns.codes, this.#sizes.codeSize, validated(data.rows)))
    const { values, gradients } = await (await this.#networkOf()).gradientsAt(weights, codes)
    const order = Uint32Array.from(values.keys()).sort((a, b) => Math.abs(values[a]) - Math.abs(values[b]) || a - b)
    // Where the classifier is least sure.
    const near = order.subarray(0, Math.ceil(order.length / 10))
    const deepest = await this.#deepestAt(weights, takeRows(codes, this.#sizes.codeSize, near))
    const slopes = Array.from(near, (row) => this.#box.lengthOf(gradients, row))
    const depthSlopes = Array.from(near, (_, i) => this.#box.lengthOf(deepest.gradients, i))
    const tensors = this.#box.outOfWeights(this.#sizes, weights)
    tensors.delete(ACCURACIES)
    return {
      shape: {
        ...this.#sizes,
        perLogit: 1 / Math.max(LEAST_SLOPE, median(slopes)),
        perDepth: 1 / Math.max(LEAST_SLOPE, median(depthSlopes)),
        limit: median([...deepest.values]),
        metres: this.#scaleOf(data).metres,
      },
      weights: tensors,
    }
  }

  /** Steps of all rounds. */
  stepsOf(data: RoundData<DepthColumns>, weights: Weights): number {
    const { bootstrap, update, effort } = this.options
    const first = this.bootstrapOf(data, weights) ?? data.rows
    return data.firstRows
      .slice(1)
      .reduce((sum, rows) => sum + stepsOver(rows, rows > first ? update : bootstrap, effort), 0)
  }

  /** Labels of the bootstrap; undefined while it goes on. @param weights  of the last round that was learned */
  bootstrapOf({ firstRows }: RoundData<DepthColumns>, weights: Weights | undefined): number | undefined {
    const { mode, initial, labels } = this.options
    if (mode !== 'active-boundary' || weights === undefined) return undefined
    if (initial !== 'elbow') return firstRows[1]
    const accuracies = [...weights.get(ACCURACIES)!]
    const sizes = firstRows.slice(1, accuracies.length + 1)
    const ends = sizes.findIndex((size, i) => {
      const isLast = i + 1 === MOST_BOOTSTRAPS || size >= MOST_BOOTSTRAP * labels
      return isLast || findElbow(sizes.slice(0, i + 1), accuracies.slice(0, i + 1)) >= 0
    })
    return ends < 0 ? undefined : sizes[ends]
  }

  async dispose(): Promise<void> {
    await this.#network?.dispose()
  }

  /** How many codes the next round labels. */
  #wanted(data: RoundData<DepthColumns>, weights: Weights | undefined): number {
    const { mode, initial, labels, first, rounds } = this.options
    if (mode !== 'active-boundary') return labels
    const bootstrap = this.bootstrapOf(data, weights)
    if (bootstrap === undefined) return Math.min(initial === 'elbow' ? first : initial, labels - data.rows)
    return Math.min(Math.ceil((labels - bootstrap) / rounds), labels - data.rows)
  }

  /** Half as they are drawn, half of those known, brought to where the network sees the boundary. */
  async #halfRisky(
    { columns, rows }: RoundData<DepthColumns>,
    weights: Weights,
    count: number,
    random: Random,
  ): Promise<Float32Array> {
    const { codeSize } = this.labels
    const risky = Math.floor(count / 2)
    const from = someOf(rowsToLearn(rows), risky, random)
    const codes = this.#box.into(takeRows(columns.codes, codeSize, from))
    await seekBoundary(await this.#networkOf(), weights, codes, this.#box.bounds)
    const all = new Float32Array(count * codeSize)
    all.set(this.#box.outOf(codes))
    all.set(this.labels.draw(count - risky, random), risky * codeSize)
    return all
  }

  /** Share of codes that were not learned from and are told right. */
  async #validate(weights: Weights, { columns, rows }: RoundData<DepthColumns>): Promise<number> {
    const asked = validated(rows)
    if (asked.length === 0) return 0
    const codes = this.#box.into(takeRows(columns.codes, this.#sizes.codeSize, asked))
    const logits = await (await this.#networkOf()).valuesAt(weights, codes)
    const wholes = wholeDepths(takeRows(columns.depths, this.#sizes.domains.length, asked), this.#sizes.domains.length)
    return logits.reduce((sum, logit, i) => sum + Number(logit > 0 === wholes[i] > 0), 0) / asked.length
  }

  /** The depth of the deepest domain. */
  async #deepestAt(weights: Weights, codes: Float32Array) {
    const sizes = this.#sizes
    const graph: ContactGraph = {
      ...logitGraph(sizes),
      values: (tensor, at, rows) => reshape(max(collisionStateGraph(sizes, tensor, at, rows).depths, 1), [rows, 1]),
    }
    const network = await ContactNetwork.create(graph, this.threads)
    try {
      return await network.gradientsAt(weights, codes)
    } finally {
      await network.dispose()
    }
  }

  /** By the first round alone, as networks go on from round to round. */
  #scaleOf(data: RoundData<DepthColumns>): DepthScale {
    return depthScale(data.ofRound(0).depths, this.#sizes.domains.length, this.options.boundary)
  }

  async #networkOf(): Promise<ContactNetwork> {
    this.#network ??= await ContactNetwork.create(logitGraph(this.#sizes), this.threads)
    return this.#network
  }
}

/** Share of all labels that a search for the elbow may take. */
const MOST_BOOTSTRAP = 0.5

/** A network that says the same of all codes has no slope. */
const LEAST_SLOPE = 1e-6
