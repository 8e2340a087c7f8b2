/**
 * Learns how far parts of a shape are apart at any code, actively. A pilot finds the pairs of parts that come within reach
 * of each other, and where; each round labels codes as they come in use, from the second on half of them where the network so
 * far sees the first parts touch; in the end one offset is chosen by exact tests, as the least of many clearances, each a
 * little off, is too small in the mean, and as few contacts should be missed.
 *
 * Why clearances: one pose tells a number for every pair of parts, where an exact test tells one bit of them all
 * (docs/notes/posed-contact.md).
 */
import type { Random } from 'pliant'
import { type OnProgress, type PosedGapShape, progressWithin } from 'pliant/unstable'
import { BadInput } from '../../input/bad-input.js'
import type { ContactPool } from '../../label/contact-pool.js'
import { streamOf } from '../../streams/random-streams.js'
import { type RoundData, type RoundRandom, type RoundState, runRounds, type Weights } from '../rounds/index.js'
import { runSteps } from '../run-steps.js'
import { cosineRate } from '../schedule.js'
import { ContactNetwork } from '../self-contact/contact-network.js'
import { takeRows } from '../self-contact/contact-samples.js'
import type { ContactRun } from '../self-contact/learned-contact.js'
import { type ClearanceSizes, firstWeights, leastClearanceGraph, shapeOf } from './clearance-graph.js'
import { compileClearanceStep } from './clearance-step.js'
import type { FramedShape } from './framed-shape.js'
import { PairSamples } from './pair-samples.js'
import { type PlacesOfPair, partPlaces } from './part-places.js'
import type { ClearanceRows } from './posed-gaps.js'

export interface ClearanceLearning extends ClearanceSizes {
  /** Poses that are labelled in all rounds. */
  labels: number
  rounds: number
  /** Steps of all rounds; the last takes half of them. */
  steps: number
  learningRate: number
  batch: number
  /** Poses that tell which parts come near each other. */
  pilot: number
  /** Codes that are tested exactly to choose the offset. */
  tested: number
  /** Share of the touching ones among these that may be called free: that is worse than the other way round. */
  mostMissed: number
}

export const CLEARANCE_LEARNING: ClearanceLearning = {
  labels: 24_000,
  rounds: 4,
  steps: 6000,
  learningRate: 2e-3,
  batch: 64,
  pilot: 2000,
  tested: 8000,
  mostMissed: 0.0075,
  places: 8,
  seen: 4,
  softness: 0.3,
  hidden: [24, 24],
  activation: 'silu',
}

/** Codes that are drawn for each that is labelled where parts touch. */
const CANDIDATES = 8

/** Share of all steps that the last round takes. */
const LAST_SHARE = 0.5

export interface LearnedClearances {
  shape: PosedGapShape
  weights: Map<string, Float32Array>
  /** Parts of each pair, two numbers. */
  pairs: Uint16Array
  /** Clearance [m] of a unit of the distance. */
  metres: number
  labels: number
  steps: number
}

/** @throws BadInput if no parts come near each other, no pose touches itself, or every one does */
export async function learnClearances(
  framed: FramedShape,
  pool: ContactPool,
  options: ClearanceLearning,
  { threads, ...run }: ContactRun,
): Promise<LearnedClearances> {
  // In poses that are labelled, as efforts of rounds are; of exact tests, four take as long as one.
  const before = [options.pilot, options.tested / 4]
  const all = before[0] + before[1] + options.labels + options.steps * 4
  const [flown, begun] = [before[0] / all, (before[0] + before[1]) / all]
  const pilot = await flyPilot(pool, options.pilot, run.seed, progressWithin(run.onProgress, 0, flown))
  const tested = await testSome(pool, options.tested, run.seed, progressWithin(run.onProgress, flown, begun))
  const learner = new ClearanceLearner(framed, pool, options, pilot, threads, run.seed)
  try {
    const { weights } = await runRounds<ClearanceRows>({
      ...run,
      onProgress: progressWithin(run.onProgress, begun, 1),
      rounds: options.rounds,
      widths: { codes: pool.codeSize, clearances: pilot.asked.length },
      effort: (round) => ({ acquire: options.labels / options.rounds, learn: learner.stepsOf(round) * 4 }),
      acquire: (_round, state, random, { onProgress }) => learner.acquire(state, random(), onProgress),
      learn: (round, data, start, { random, steps }) => learner.learn(round, data, start, random, steps),
    })
    const { offset, slope } = await learner.calibrate(weights, tested)
    const { softness, ...shape } = shapeOf(framed, pilot.asked.length, pilot.reach, options)
    const metres = slope * pilot.reach
    return {
      shape: { ...shape, far: (1 - offset) / slope, perMetre: 1 / metres, softness: softness / slope },
      weights: inUnitsOfTheCode(weights, options.hidden.length, offset, slope),
      pairs: pilot.pairs,
      metres,
      labels: options.pilot + options.labels + options.tested,
      steps: options.steps,
    }
  } finally {
    await learner.dispose()
  }
}

/** What is known before the first round. */
interface Pilot {
  /** Pairs that come within reach, by their places in the list of all, and their parts. */
  asked: Uint32Array
  pairs: Uint16Array
  reach: number
  /** Where they were nearest. */
  contacts: { triangles: Uint32Array; weights: Float32Array }
}

async function flyPilot(pool: ContactPool, count: number, seed: number, onProgress: OnProgress): Promise<Pilot> {
  const onDone = (done: number): void =>
    onProgress({ fraction: done / count, stage: 'pilot', detail: `label poses, ${done} of ${count}` })
  onDone(0)
  const { pairs: all, reach } = await pool.pairsOfParts()
  const codes = pool.draw(count, streamOf('clearancePilot', seed))
  const { values, triangles, weights } = await pool.clearances({ codes, places: true }, onDone)
  const width = all.length / 2
  const asked = Uint32Array.from({ length: width }, (_, pair) => pair).filter((pair) => {
    for (let row = 0; row < count; row++) if (values[row * width + pair] < 1) return true
    return false
  })
  if (asked.length === 0) {
    throw new BadInput(
      `self-contact: no two parts come near each other in ${count} poses; there is nothing to learn. ${pool.advice}.`,
    )
  }
  const pairs = Uint16Array.from([...asked].flatMap((pair) => [all[2 * pair], all[2 * pair + 1]]))
  return { asked, pairs, reach, contacts: { triangles, weights } }
}

interface TestedCodes {
  codes: Float32Array
  /** 1 for a free code, -1 for one that touches itself. */
  signs: Int8Array
}

/** Codes that choose the offset in the end; asked for before the rounds, as it takes seconds to see that there is no use in them. */
async function testSome(pool: ContactPool, count: number, seed: number, onProgress: OnProgress): Promise<TestedCodes> {
  const codes = pool.draw(count, streamOf('clearanceOffset', seed))
  const signs = await pool.signs(codes, (done) => {
    onProgress({ fraction: done / count, stage: 'pilot', detail: `test poses, ${done} of ${count}` })
  })
  if (!signs.includes(-1) || !signs.includes(1)) {
    const all = signs.includes(-1) ? 'all' : 'none'
    throw new BadInput(
      `self-contact: ${all} of ${signs.length} poses touch themselves; there is nothing to learn. ${pool.advice}, or tell neighbours otherwise (model.neighbours).`,
    )
  }
  return { codes, signs }
}

class ClearanceLearner {
  #network: ContactNetwork | undefined

  constructor(
    private readonly framed: FramedShape,
    private readonly pool: ContactPool,
    private readonly options: ClearanceLearning,
    private readonly pilot: Pilot,
    private readonly threads: number,
    private readonly seed: number,
  ) {}

  stepsOf(round: number): number {
    const { steps, rounds } = this.options
    const share = rounds === 1 ? 1 : round === rounds - 1 ? LAST_SHARE : (1 - LAST_SHARE) / (rounds - 1)
    return Math.max(1, Math.round(steps * share))
  }

  async acquire(
    { weights }: RoundState<ClearanceRows>,
    random: Random,
    onProgress: OnProgress,
  ): Promise<ClearanceRows> {
    const count = Math.ceil(this.options.labels / this.options.rounds)
    const codes = weights ? await this.#halfNear(weights, count, random) : this.pool.draw(count, random)
    const { values } = await this.pool.clearances({ codes, pairs: this.pilot.asked }, (done) => {
      onProgress({ fraction: done / count, stage: `label poses, ${done} of ${count}` })
    })
    return { codes, clearances: values }
  }

  async learn(
    round: number,
    data: RoundData<ClearanceRows>,
    start: Weights | undefined,
    random: RoundRandom,
    running: Parameters<typeof runSteps>[2],
  ): Promise<Weights> {
    const first =
      start ?? firstWeights(this.framed, this.#places(), data.columns, this.pilot.reach, this.options, this.seed)
    const samples = new PairSamples(this.framed, this.#shape(), first, data.columns)
    const { batch, learningRate } = this.options
    const step = await compileClearanceStep(this.#shape(), first, batch, this.threads)
    const plan = {
      steps: this.stepsOf(round),
      draw: (at: number) => samples.draw(batch, random(at)),
      rate: (at: number, steps: number) => cosineRate(at, steps, learningRate),
    }
    const { tensors } = await runSteps(step, plan, running)
    return new Map([...first, ...tensors, ['pair.far', samples.far]])
  }

  /**
   * What to take off every clearance, so that touching and free codes are told apart best, and how fast the least clearance
   * changes with the code where it is about none: what makes a distance in the space of codes of it.
   */
  async calibrate(weights: Weights, { codes, signs }: TestedCodes): Promise<{ offset: number; slope: number }> {
    const { values, gradients } = await (await this.#networkOf(weights)).gradientsAt(weights, codes)
    const { codeSize } = this.pool
    const order = Uint32Array.from(values.keys()).sort((a, b) => Math.abs(values[a]) - Math.abs(values[b]) || a - b)
    const slopes = Float64Array.from(order.subarray(0, Math.ceil(order.length / 10)), (row) =>
      Math.hypot(...gradients.subarray(row * codeSize, (row + 1) * codeSize)),
    ).sort()
    return { offset: bestOffset(values, signs, this.options.mostMissed), slope: slopes[slopes.length >> 1] }
  }

  async dispose(): Promise<void> {
    await this.#network?.dispose()
  }

  /** Half as they come, half those of many in which some parts are about to touch. */
  async #halfNear(weights: Weights, count: number, random: Random): Promise<Float32Array> {
    const near = Math.floor(count / 2)
    const candidates = this.pool.draw(CANDIDATES * near, random)
    const least = await this.#leastAt(weights, candidates)
    const order = Uint32Array.from(least.keys()).sort((a, b) => Math.abs(least[a]) - Math.abs(least[b]) || a - b)
    const { codeSize } = this.pool
    const codes = new Float32Array(count * codeSize)
    codes.set(takeRows(candidates, codeSize, order.subarray(0, near)))
    codes.set(this.pool.draw(count - near, random), near * codeSize)
    return codes
  }

  async #leastAt(weights: Weights, codes: Float32Array): Promise<Float32Array> {
    return (await this.#networkOf(weights)).valuesAt(weights, codes)
  }

  async #networkOf(weights: Weights): Promise<ContactNetwork> {
    this.#network ??= await ContactNetwork.create(
      leastClearanceGraph(this.framed, this.#shape(), weights),
      this.threads,
    )
    return this.#network
  }

  #shape(): PosedGapShape {
    return shapeOf(this.framed, this.pilot.asked.length, this.pilot.reach, this.options)
  }

  #places(): PlacesOfPair[] {
    return partPlaces(this.framed, this.pilot.pairs, this.pilot.contacts, this.options.places)
  }
}

/** Share of free codes that may be called touching for it. */
const MOST_ALARMS = 0.1

/**
 * Where to cut: of all cuts that miss few contacts the one that tells most codes right; if the network is so poor that this
 * takes many false alarms, where the shares of touching and of free codes on the wrong side are least together. Between two
 * values, so that none lies on it.
 */
export function bestOffset(values: Float32Array, signs: Int8Array, mostMissed: number): number {
  const order = Uint32Array.from(values.keys()).sort((a, b) => values[a] - values[b] || a - b)
  const touching = signs.reduce((sum, sign) => sum + (sign < 0 ? 1 : 0), 0)
  const free = signs.length - touching
  // All are called free at first.
  let [missed, alarms] = [touching, 0]
  const cuts = Array.from(order, (row, i) => {
    if (signs[row] < 0) missed--
    else alarms++
    const at = i + 1 < order.length ? (values[row] + values[order[i + 1]]) / 2 : values[row] + 1
    return { at, missed, alarms }
  })
  const careful = cuts.filter((cut) => cut.missed <= mostMissed * touching && cut.alarms <= MOST_ALARMS * free)
  const cost = (cut: (typeof cuts)[number]): number =>
    careful.length > 0 ? cut.missed + cut.alarms : cut.missed / touching + cut.alarms / free
  return (careful.length > 0 ? careful : cuts).reduce((best, cut) => (cost(cut) < cost(best) ? cut : best)).at
}

/** Clearances less an offset, over the slope. */
function inUnitsOfTheCode(weights: Weights, layer: number, offset: number, slope: number): Map<string, Float32Array> {
  const [weight, bias] = [`pair.${layer}.weight`, `pair.${layer}.bias`]
  return new Map([
    ...weights,
    [weight, weights.get(weight)!.map((value) => value / slope)],
    [bias, weights.get(bias)!.map((value) => (value - offset) / slope)],
    ['gap.radius', weights.get('gap.radius')!.map((value) => value / slope)],
  ])
}
