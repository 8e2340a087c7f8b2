/**
 * Fits a network to a data set: batches of a few poses with many points each, so that the work of a pose is shared by
 * its points. Batches are drawn from the seed by step; a resumed run sees what an unbroken one would have seen.
 */
import { type NetworkShape, networkTensors, randomStream } from 'pliant'
import { adam, compileTrainingStep, input, parameter, type TrainingState } from '../graph/index.js'
import type { Dataset } from '../sample/dataset.js'
import type { TrainSpec } from '../spec/train-spec.js'
import { initialTensors } from './initial.js'
import { clampedLoss, truncatedLoss } from './loss.js'
import { networkGraph } from './network-graph.js'
import { cosineRate } from './schedule.js'

/** Random streams of batches start here, one per step. */
const FIRST_STREAM = 2_000_000_000

export interface LearnOptions {
  threads: number
  /** Where to go on from. */
  resume?: { steps: number; state: TrainingState }
  /** Fewer steps than the spec's are done if this many seconds would not suffice. */
  budgetSeconds?: number
  signal?: AbortSignal
  onProgress?: (fraction: number, detail: string) => void
  /** Called now and then, and once when aborted, to save the state. */
  onCheckpoint?: (steps: number, state: TrainingState) => Promise<void>
  /** Seconds between checkpoints. */
  checkpointSeconds?: number
}

export interface Learned {
  tensors: Map<string, Float32Array>
  steps: number
  /** Smoothed loss at the end. */
  loss: number
}

/** Steps that are timed before a budget decides how many there will be. */
const TIMED_STEPS = 40

export async function learn(
  spec: TrainSpec,
  shape: NetworkShape,
  data: Dataset,
  options: LearnOptions,
): Promise<Learned> {
  const batch = { poses: spec.posesPerBatch, points: spec.pointsPerBatchPose }
  const step = await compileStep(spec, shape, batch, options.threads)
  try {
    if (options.resume) step.restore(options.resume.state)
    let steps = options.resume?.steps ?? spec.steps
    let done = options.resume?.state.step ?? 0
    let loss = Number.NaN
    const feeds = makeFeeds(shape, batch)
    const checkpointEvery = 1000 * (options.checkpointSeconds ?? 20)
    const began = performance.now()
    const first = done
    let saved = began
    while (done < steps) {
      if (options.signal?.aborted) {
        await options.onCheckpoint?.(steps, step.state())
        options.signal.throwIfAborted()
      }
      drawBatch(data, batch, spec.seed, done, shape.code, feeds)
      const learningRate = spec.method === 'paper' ? spec.learningRate : cosineRate(done, steps, spec.learningRate)
      const result = await step.run(feeds, { learningRate })
      loss = Number.isNaN(loss) ? result.loss : 0.98 * loss + 0.02 * result.loss
      done++
      if (options.budgetSeconds !== undefined && !options.resume && done === TIMED_STEPS) {
        const perStep = (performance.now() - began) / 1000 / TIMED_STEPS
        steps = Math.max(TIMED_STEPS, Math.min(steps, Math.floor(options.budgetSeconds / perStep)))
      }
      if (done % 20 === 0 || done === steps) {
        const perSecond = (1000 * (done - first)) / (performance.now() - began)
        const percent = (100 * loss).toFixed(3)
        options.onProgress?.(done / steps, `step ${done}/${steps}, loss ${percent}%, ${perSecond.toFixed(0)} steps/s`)
        // The run of a step blocks the event loop; this lets Ctrl-C in.
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
      if (options.onCheckpoint && performance.now() - saved > checkpointEvery && done < steps) {
        await options.onCheckpoint(steps, step.state())
        saved = performance.now()
      }
    }
    return { tensors: step.parameters(), steps, loss }
  } finally {
    await step.dispose()
  }
}

interface BatchSize {
  poses: number
  points: number
}

type BatchFeeds = { points: Float32Array; distances: Float32Array; codes?: Float32Array }

function makeFeeds(shape: NetworkShape, batch: BatchSize): BatchFeeds {
  const rows = batch.poses * batch.points
  const feeds: BatchFeeds = { points: new Float32Array(3 * rows), distances: new Float32Array(rows) }
  if (shape.code > 0) feeds.codes = new Float32Array(batch.poses * shape.code)
  return feeds
}

async function compileStep(spec: TrainSpec, shape: NetworkShape, batch: BatchSize, threads: number) {
  const rows = batch.poses * batch.points
  const initial = initialTensors(shape, spec.seed)
  const parameters = new Map(
    [...networkTensors(shape)].map(([name, dims]) => [name, parameter(name, dims, initial.get(name)!)]),
  )
  const points = input('points', [rows, 3])
  const distances = input('distances', [rows, 1])
  const codes = shape.code > 0 ? input('codes', [batch.poses, shape.code]) : null
  const predicted = networkGraph(shape, (name) => parameters.get(name)!, {
    points,
    codes,
    poses: batch.poses,
    pointsPerPose: batch.points,
  })
  const loss = spec.method === 'paper' ? clampedLoss : truncatedLoss
  return compileTrainingStep(
    {
      loss: loss(predicted, distances, spec.truncation),
      parameters: [...parameters.values()],
      optimiser: spec.method === 'paper' ? adam() : adam({ beta2: 0.99, clipNorm: 1 }),
    },
    { threads },
  )
}

/** Fills the feeds of one step: some poses, and some points of each. */
function drawBatch(
  data: Dataset,
  batch: BatchSize,
  seed: number,
  step: number,
  codeSize: number,
  feeds: BatchFeeds,
): void {
  const random = randomStream(seed, FIRST_STREAM + step)
  for (let p = 0; p < batch.poses; p++) {
    const pose = random.below(data.poses)
    feeds.codes?.set(data.codes.subarray(pose * codeSize, (pose + 1) * codeSize), p * codeSize)
    for (let n = 0; n < batch.points; n++) {
      const from = pose * data.pointsPerPose + random.below(data.pointsPerPose)
      const to = p * batch.points + n
      feeds.points[3 * to] = data.points[3 * from]
      feeds.points[3 * to + 1] = data.points[3 * from + 1]
      feeds.points[3 * to + 2] = data.points[3 * from + 2]
      feeds.distances[to] = data.distances[from]
    }
  }
}
