/**
 * Our own learner of self-contact. Against the paper's (./paper): the network sees gaps between parts of the body; labels
 * go where the learned boundary is, and there give exact points of the true one, with its normal; distances are measured
 * along the learned boundary in the end, not to the nearest sample. What each gave: docs/notes/self-contact.md.
 *
 * Rounds: the first labels uniform codes and finds points of the boundary between free and touching ones, of whose contacts
 * the gaps are chosen; each next one labels more, at the boundary as it is learned by then; the last adds distances.
 */
import type { Random } from 'pliant'
import type { Feeds } from '../../graph/index.js'
import { BadInput } from '../../input/bad-input.js'
import type { ContactLabels } from '../../label/contact-labels.js'
import {
  type Effort,
  type RoundData,
  type RoundRandom,
  type RoundState,
  runRounds,
  type Weights,
} from '../rounds/index.js'
import { runSteps } from '../run-steps.js'
import { cosineRate } from '../schedule.js'
import { ContactNetwork } from './contact-network.js'
import type { ContactOptions } from './contact-options.js'
import {
  BOUNDARY,
  boundaryRows,
  type ContactColumns,
  contactWidths,
  DISTANCE,
  distanceRows,
  joinedRows,
  labelledRows,
  rowsOfUse,
  SIGN,
  takeRows,
  testsOf,
} from './contact-samples.js'
import { type ContactBatch, compileContactStep } from './contact-step.js'
import type { GapSight } from './gap-sight.js'
import type { ContactRun, LearnedContact } from './learned-contact.js'
import { codesNearBoundary } from './near-boundary.js'
import { cloudsOf } from './point-cloud.js'
import { slideDistances } from './slide-distances.js'

/** Share of the first round's labels that are of uniform codes: nothing is known yet. */
const FIRST_UNIFORM = 0.6

/** Clouds that distances are measured from. Twelve gave next to nothing (docs/notes/self-contact-learning.md). */
const CLOUDS = 3

/** Shares of a batch: labelled codes, points of the boundary, distances; before and after there are any. */
const SHARES = { before: [4, 4, 0], after: [2, 3, 3] } as const

/** On all distances and on all steps [s]. */
export interface SpentSeconds {
  distances: number
  steps: number
}

/**
 * @param sight  what the network sees beside the code
 * @throws BadInput if no code of the box touches itself, or every one does
 */
export async function learnContact(
  labels: ContactLabels,
  sight: GapSight,
  options: ContactOptions,
  { threads, ...run }: ContactRun,
): Promise<LearnedContact<ContactColumns> & { spent: SpentSeconds }> {
  const learner = new ContactLearner(labels, sight, options, run.seed, threads)
  try {
    const { weights, data } = await runRounds<ContactColumns>({
      ...run,
      rounds: options.rounds + 1,
      widths: contactWidths(labels.codeSize),
      effort: (round) => learner.effort(round),
      acquire: (round, state, random) => learner.acquire(round, state, random),
      async learn(round, data, start, { random, steps }) {
        const first = start ?? learner.firstWeights(data)
        return learner.learn(round, data, first, random, steps)
      },
    })
    const { spent } = learner
    return { shape: sight.shapeOf(weights), weights, labels: testsOf(data), steps: options.steps, data, spent }
  } finally {
    await learner.dispose()
  }
}

class ContactLearner {
  readonly spent: SpentSeconds = { distances: 0, steps: 0 }
  private network: ContactNetwork | undefined

  constructor(
    private readonly labels: ContactLabels,
    private readonly sight: GapSight,
    private readonly options: ContactOptions,
    private readonly seed: number,
    private readonly threads: number,
  ) {}

  /** In exact tests: a code in a batch of a step takes a tenth of one, a point that slides three. */
  effort(round: number): Effort {
    const { batch, distances, rounds } = this.options
    return {
      acquire: round === rounds ? 3 * distances : this.labelsPerRound,
      learn: 0.1 * batch * this.stepsOf(round),
    }
  }

  async acquire(
    round: number,
    { data, weights }: RoundState<ContactColumns>,
    random: RoundRandom,
  ): Promise<ContactColumns> {
    if (!weights) return this.acquireFirst(random())
    if (round === this.options.rounds) return this.acquireDistances(data, weights, random())
    return this.acquireAtBoundary(weights, random())
  }

  /** Of the contacts that were found. */
  firstWeights(data: RoundData<ContactColumns>): Weights {
    const { columns } = data
    const found = rowsOfUse(data, BOUNDARY)
    const contacts = {
      triangles: takeRows(columns.triangles, 2, found),
      weights: takeRows(columns.weights, 6, found),
    }
    const weights = this.sight.begin(contacts, columns.codes, this.seed)
    if (this.options.detail > 1) spreadFirstLayer(weights, this.options.detail, columns.codes, this.labels.codeSize)
    return weights
  }

  async learn(
    round: number,
    data: RoundData<ContactColumns>,
    start: Weights,
    random: RoundRandom,
    running: Parameters<typeof runSteps>[2],
  ): Promise<Weights> {
    const { options, threads } = this
    const isLast = round === options.rounds
    const shares = SHARES[isLast ? 'after' : 'before']
    const [signs, boundary, distances] = shares.map((share) => (share * options.batch) / 8)
    const step = await compileContactStep(
      this.sight.graphOf(start),
      start,
      { signs, boundary, distances },
      options,
      options.learnsGaps,
      threads,
    )
    const drawer = new BatchDrawer(data, { signs, boundary, distances }, this.labels.codeSize, options.span)
    const plan = {
      steps: this.stepsOf(round),
      draw: (at: number) => drawer.draw(random(at)),
      rate: (at: number, all: number) => cosineRate(at, all, options.learningRate),
    }
    const { tensors } = await this.timed('steps', () => runSteps(step, plan, running))
    return new Map([...start, ...tensors])
  }

  async dispose(): Promise<void> {
    await this.network?.dispose()
  }

  private async networkFor(weights: Weights): Promise<ContactNetwork> {
    this.network ??= await ContactNetwork.create(this.sight.graphOf(weights), this.threads)
    return this.network
  }

  private stepsOf(round: number): number {
    const { steps, rounds, lastShare } = this.options
    return Math.max(1, Math.round(steps * (round === rounds ? lastShare : (1 - lastShare) / rounds)))
  }

  private get labelsPerRound(): number {
    return Math.floor(this.options.labels / this.options.rounds)
  }

  private async acquireFirst(random: Random): Promise<ContactColumns> {
    const { labels, labelsPerRound } = this
    const codes = labels.draw(Math.round(FIRST_UNIFORM * labelsPerRound), random)
    const signs = await labels.signs(codes)
    const size = labels.codeSize
    const free = [...signs.keys()].filter((i) => signs[i] > 0)
    const touching = [...signs.keys()].filter((i) => signs[i] < 0)
    if (touching.length === 0) {
      throw new BadInput(
        `self-contact: none of ${signs.length} codes in the box touches itself; there is nothing to learn. Pull further (model.reach).`,
      )
    }
    if (free.length === 0) {
      throw new BadInput(
        `self-contact: all of ${signs.length} codes in the box touch themselves; there is nothing to learn. Mend the mesh, or pull less far (model.reach).`,
      )
    }
    const points = Math.round(((1 - FIRST_UNIFORM) * labelsPerRound) / labels.testsPerPoint.between)
    const pick = (list: readonly number[]): Float32Array => {
      const rows = Uint32Array.from({ length: points }, () => list[random.below(list.length)])
      return takeRows(codes, size, rows)
    }
    const found = await labels.between(pick(free), pick(touching))
    return joinedRows([labelledRows(codes, signs), boundaryRows(found, size)])
  }

  private async acquireAtBoundary(weights: Weights, random: Random): Promise<ContactColumns> {
    const { labels, labelsPerRound, options } = this
    const uniform = labels.draw(Math.round(options.uniformShare * labelsPerRound), random)
    const points = Math.round(((1 - options.uniformShare) * labelsPerRound) / labels.testsPerPoint.along)
    const near = await codesNearBoundary(await this.networkFor(weights), weights, labels, points, random)
    const found = await labels.along(near.codes, near.directions)
    return joinedRows([labelledRows(uniform, await labels.signs(uniform)), boundaryRows(found, labels.codeSize)])
  }

  private async acquireDistances(
    data: RoundData<ContactColumns>,
    weights: Weights,
    random: Random,
  ): Promise<ContactColumns> {
    const { bounds, codeSize } = this.labels
    const found = takeRows(data.columns.codes, codeSize, rowsOfUse(data, BOUNDARY))
    const clouds = cloudsOf(found, codeSize, CLOUDS)
    const codes = this.labels.draw(this.options.distances, random)
    const network = await this.networkFor(weights)
    const slid = await this.timed('distances', () => slideDistances(network, weights, bounds, clouds, codes))
    return distanceRows(codes, slid)
  }

  private async timed<T>(part: keyof SpentSeconds, work: () => Promise<T>): Promise<T> {
    const began = performance.now()
    const result = await work()
    this.spent[part] += (performance.now() - began) / 1000
    return result
  }
}

/** Makes units of the first layer steeper by a factor, and has each turn at a labelled code; of what they see of it. */
function spreadFirstLayer(weights: Weights, factor: number, codes: Float32Array, codeSize: number): void {
  const [weight, bias] = [weights.get('dense.0.weight')!, weights.get('dense.0.bias')!]
  for (let i = 0; i < weight.length; i++) weight[i] *= factor
  for (let unit = 0; unit < bias.length; unit++) {
    for (let k = 0; k < codeSize; k++) bias[unit] -= weight[k * bias.length + unit] * codes[unit * codeSize + k]
  }
}

/** Batches of rows of all uses. */
class BatchDrawer {
  private readonly signs: Uint32Array
  private readonly boundary: Uint32Array
  private readonly distances: Uint32Array

  constructor(
    private readonly data: RoundData<ContactColumns>,
    private readonly batch: ContactBatch,
    private readonly size: number,
    private readonly span: number,
  ) {
    this.signs = rowsOfUse(data, SIGN)
    this.boundary = rowsOfUse(data, BOUNDARY)
    this.distances = rowsOfUse(data, DISTANCE)
  }

  draw(random: Random): Feeds {
    const { batch } = this
    const feeds: Record<string, Float32Array> = {
      ...this.valued('signCodes', 'signs', this.signs, batch.signs, random),
      ...this.nextToBoundary(random),
    }
    if (batch.distances === 0) return feeds
    return { ...feeds, ...this.valued('distanceCodes', 'distances', this.distances, batch.distances, random) }
  }

  private valued(codes: string, values: string, rows: Uint32Array, count: number, random: Random) {
    const { columns } = this.data
    const drawn = Uint32Array.from({ length: count }, () => rows[random.below(rows.length)])
    return { [codes]: takeRows(columns.codes, this.size, drawn), [values]: takeRows(columns.values, 1, drawn) }
  }

  /** q* + s n, and s. */
  private nextToBoundary(random: Random) {
    const { batch, boundary, data, size, span } = this
    const drawn = Uint32Array.from({ length: batch.boundary }, () => boundary[random.below(boundary.length)])
    const codes = takeRows(data.columns.codes, size, drawn)
    const offsets = Float32Array.from(drawn, () => span * random.between(-1, 1))
    for (let i = 0; i < codes.length; i++) {
      const row = Math.floor(i / size)
      codes[i] += offsets[row] * data.columns.normals[drawn[row] * size + (i % size)]
    }
    return { boundaryCodes: codes, offsets }
  }
}
