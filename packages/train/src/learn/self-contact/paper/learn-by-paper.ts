/**
 * The paper's two passes (Cai et al., section 4), as printed but for its misprints (paper-loss.ts). Each iteration adds
 * samples that the network gets wrong, or that lie next to its boundary, and takes a few steps over all of them. Samples
 * of the first pass are the point cloud; the second begins anew and learns distances to it as well.
 */
import { denseOfGaps, type GapShape, gapTensors, joinedArrays } from 'pliant/unstable'
import { adam, compileTrainingStep, type Feeds, parameter, type TrainingStep } from '../../../graph/index.js'
import type { ContactLabels } from '../../../label/contact-labels.js'
import { streamOf } from '../../../streams/random-streams.js'
import { initialDenseTensors } from '../../initial.js'
import {
  type Acquiring,
  type Advanced,
  type Columns,
  type RoundData,
  type RoundRandom,
  type RoundState,
  runRounds,
} from '../../rounds/index.js'
import { ContactNetwork } from '../contact-network.js'
import { graphOfGaps } from '../gap-sight.js'
import type { ContactRun, LearnedContact } from '../learned-contact.js'
import { PointCloud } from '../point-cloud.js'
import { stateOfWeights, weightsOfState } from '../step-weights.js'
import { paperLoss, trustOf } from './paper-loss.js'
import type { PaperOptions } from './paper-options.js'

/** Iterations of a round: a run that is killed goes on at its last whole one. */
const GROUP = 10

/** What iterations keep. `use`: a sample of the first pass, of the second, or one whose distance is learned. */
export interface PaperColumns extends Columns {
  codes: Float32Array
  signs: Int8Array
  use: Uint8Array
  distances: Float32Array
}
const FIRST_PASS = 0
const SECOND_PASS = 1
const DISTANCE = 2

export async function learnByPaper(
  labels: ContactLabels,
  options: PaperOptions,
  { threads, ...run }: ContactRun,
): Promise<LearnedContact<PaperColumns>> {
  const { iterations, epochs, explore, candidates, distances, hidden } = options
  const shape: GapShape = { codeSize: labels.codeSize, gaps: 0, hidden: [...hidden], activation: 'relu' }
  const learner = await PaperLearner.create(labels, shape, options, run.seed, threads)
  try {
    const [first, second] = iterations.map((count) => Math.ceil(count / GROUP))
    const { weights, data } = await runRounds<PaperColumns>({
      ...run,
      rounds: first + second,
      widths: { codes: shape.codeSize, signs: 1, use: 1, distances: 1 },
      advance: (round, state, random, acquiring) =>
        round < first
          ? learner.advance(FIRST_PASS, round, state, random, acquiring)
          : learner.advance(SECOND_PASS, round - first, state, random, acquiring),
    })
    const [once, twice] = [iterations[0] * (explore + candidates), iterations[1] * (explore + candidates + distances)]
    const steps = epochs * (iterations[0] + iterations[1])
    return { shape, weights, labels: once + twice, steps, data }
  } finally {
    await learner.dispose()
  }
}

class PaperLearner {
  private cloud: { free: PointCloud; touching: PointCloud; points: number } | undefined

  private constructor(
    private readonly labels: ContactLabels,
    private readonly shape: GapShape,
    private readonly options: PaperOptions,
    private readonly seed: number,
    private readonly network: ContactNetwork,
    private readonly passes: readonly TrainingStep[],
  ) {}

  static async create(
    labels: ContactLabels,
    shape: GapShape,
    options: PaperOptions,
    seed: number,
    threads: number,
  ): Promise<PaperLearner> {
    const compile = (pass: 0 | 1): Promise<TrainingStep> => {
      const first = initialDenseTensors(denseOfGaps(shape), seed)
      const tensors = new Map(
        [...gapTensors(shape)].map(([name, dims]) => [name, parameter(name, dims, first.get(name)!)]),
      )
      const loss = paperLoss(shape, (name) => tensors.get(name)!, pass, options)
      return compileTrainingStep({ loss, parameters: [...tensors.values()], optimiser: adam() }, { threads })
    }
    const passes = [await compile(FIRST_PASS), ...(options.iterations[1] > 0 ? [await compile(SECOND_PASS)] : [])]
    return new PaperLearner(
      labels,
      shape,
      options,
      seed,
      await ContactNetwork.create(graphOfGaps(shape), threads),
      passes,
    )
  }

  /** @param round  of the pass */
  async advance(
    pass: 0 | 1,
    round: number,
    { data, weights }: RoundState<PaperColumns>,
    random: RoundRandom,
    { signal, onProgress }: Acquiring,
  ): Promise<Advanced<PaperColumns>> {
    const { iterations, epochs, learningRate } = this.options
    const step = this.passes[pass]
    // The second pass has a network of its own.
    if (weights && round > 0) step.restore(stateOfWeights(weights))
    const all = new Samples(this.shape.codeSize, data)
    const kept = all.count
    const last = Math.min(iterations[pass], (round + 1) * GROUP)
    for (let iteration = round * GROUP; iteration < last; iteration++) {
      signal?.throwIfAborted()
      await this.sample(all, pass, step, random(iteration - round * GROUP))
      const feeds = this.feeds(all, pass, iteration)
      for (let epoch = 0; epoch < epochs; epoch++) await step.run(feeds, { learningRate })
      onProgress({
        fraction: (iteration + 1 - round * GROUP) / (last - round * GROUP),
        stage: 'learn',
        detail: `iteration ${iteration + 1}/${iterations[pass]} of pass ${pass + 1}, ${all.count} samples`,
      })
    }
    return { added: all.columnsFrom(kept), weights: weightsOfState(step.state()) }
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.passes.map((pass) => pass.dispose()), this.network.dispose()])
  }

  /** Sections 4.2 and 4.3, and codes whose distances are learned. */
  private async sample(all: Samples, pass: 0 | 1, step: TrainingStep, random: ReturnType<RoundRandom>): Promise<void> {
    const { explore, pool, candidates, extra, distances } = this.options
    const { labels, network } = this
    const size = this.shape.codeSize
    const weights = step.parameters()
    const anywhere = labels.draw(explore, random)
    const drawn = labels.draw(pool, random)
    const nearness = (await network.valuesAt(weights, drawn)).map(Math.abs)
    const nearest = Uint32Array.from(nearness.keys())
      .sort((a, b) => nearness[a] - nearness[b] || a - b)
      .subarray(0, candidates)
    const near = new Float32Array(nearest.length * size)
    nearest.forEach((code, i) => {
      near.set(drawn.subarray(code * size, (code + 1) * size), i * size)
    })
    const asked = joinedArrays(Float32Array, [anywhere, near], (codes) => codes)
    const values = await network.valuesAt(weights, asked)
    const signs = await labels.signs(asked)
    signs.forEach((sign, i) => {
      const isWrong = values[i] * sign < 0
      const isExtra = i >= explore && i < explore + extra
      if (isWrong || isExtra) all.add(asked.subarray(i * size, (i + 1) * size), sign, pass)
    })
    if (pass === SECOND_PASS) await this.sampleDistances(all, labels.draw(distances, random))
  }

  /** Eq. 10. */
  private async sampleDistances(all: Samples, codes: Float32Array): Promise<void> {
    this.cloud ??= cloudOf(all, this.shape.codeSize)
    const { free, touching } = this.cloud
    const size = this.shape.codeSize
    const signs = await this.labels.signs(codes)
    signs.forEach((sign, i) => {
      const distance = sign * (sign > 0 ? touching : free).distance(codes, i * size)
      // A cloud that has no sample of the other sign tells nothing.
      if (Number.isFinite(distance)) all.add(codes.subarray(i * size, (i + 1) * size), sign, DISTANCE, distance)
    })
  }

  private feeds(all: Samples, pass: 0 | 1, iteration: number): Feeds {
    const { eikonal, trust, iterations } = this.options
    const random = streamOf('eikonalCodes', this.seed, pass * iterations[0] + iteration)
    const feeds = {
      ...all.signed(pass),
      eikonal: this.labels.draw(eikonal, random),
    }
    if (pass === FIRST_PASS) return feeds
    const { codes, values } = all.distant()
    const points = this.cloud?.points ?? 1
    const weights = values.map((distance) => trustOf(distance, points, this.shape.codeSize, trust))
    const sum = weights.reduce((total, weight) => total + weight, 0)
    return {
      ...feeds,
      distanceCodes: codes,
      distances: values,
      trust: weights.map((weight) => (sum > 0 ? weight / sum : 0)),
    }
  }
}

function cloudOf(all: Samples, size: number): { free: PointCloud; touching: PointCloud; points: number } {
  const { codes, signs } = all.signed(FIRST_PASS)
  const of = (sign: number): Float32Array => {
    const chosen = [...signs.keys()].filter((i) => signs[i] === sign)
    const points = new Float32Array(chosen.length * size)
    for (const [i, code] of chosen.entries()) points.set(codes.subarray(code * size, (code + 1) * size), i * size)
    return points
  }
  return { free: new PointCloud(of(1), size), touching: new PointCloud(of(-1), size), points: signs.length }
}

/** Samples of all iterations; few are added at a time to many. */
class Samples {
  private codes: Float32Array
  private readonly signs: number[]
  private readonly uses: number[]
  private readonly distances: number[]

  constructor(
    private readonly size: number,
    { columns, rows }: RoundData<PaperColumns>,
  ) {
    this.codes = new Float32Array(Math.max(1024, 2 * rows) * size)
    if (rows > 0) this.codes.set(columns.codes)
    this.signs = rows > 0 ? Array.from(columns.signs) : []
    this.uses = rows > 0 ? Array.from(columns.use) : []
    this.distances = rows > 0 ? Array.from(columns.distances) : []
  }

  get count(): number {
    return this.signs.length
  }

  add(code: Float32Array, sign: number, use: number, distance = 0): void {
    if ((this.count + 1) * this.size > this.codes.length) {
      const larger = new Float32Array(2 * this.codes.length)
      larger.set(this.codes)
      this.codes = larger
    }
    this.codes.set(code, this.count * this.size)
    this.signs.push(sign)
    this.uses.push(use)
    this.distances.push(distance)
  }

  columnsFrom(first: number): PaperColumns {
    return {
      codes: this.codes.slice(first * this.size, this.count * this.size),
      signs: Int8Array.from(this.signs.slice(first)),
      use: Uint8Array.from(this.uses.slice(first)),
      distances: Float32Array.from(this.distances.slice(first)),
    }
  }

  /** Of one pass. */
  signed(use: number): { codes: Float32Array; signs: Float32Array } {
    const { codes, values } = this.of(use, this.signs)
    return { codes, signs: values }
  }

  distant(): { codes: Float32Array; values: Float32Array } {
    return this.of(DISTANCE, this.distances)
  }

  private of(use: number, column: readonly number[]): { codes: Float32Array; values: Float32Array } {
    const count = this.uses.reduce((sum, other) => sum + Number(other === use), 0)
    const codes = new Float32Array(count * this.size)
    const values = new Float32Array(count)
    let at = 0
    for (let i = 0; i < this.count; i++) {
      if (this.uses[i] !== use) continue
      codes.set(this.codes.subarray(i * this.size, (i + 1) * this.size), at * this.size)
      values[at++] = column[i]
    }
    return { codes, values }
  }
}
