/**
 * Fits a network to a data set: batches of a few poses with many points each, so that the work of a pose is shared by
 * its points.
 */
import { type NetworkShape, networkTensors } from 'pliant/unstable'
import { adam, chunkBatch, compileTrainingStep, input, parameter, type Tensor } from '../graph/index.js'
import type { Dataset } from '../label/dataset.js'
import type { TrainSpec } from '../spec/train-spec.js'
import { streamOf } from '../streams/random-streams.js'
import { initialTensors } from './initial.js'
import { clampedLoss, truncatedLoss } from './loss.js'
import { networkGraph } from './network-graph.js'
import { type Learned, type RunStepsOptions, runSteps } from './run-steps.js'
import { cosineRate } from './schedule.js'

/** What of a spec decides how a network is fitted. */
export type LearnSpec = Pick<
  TrainSpec,
  'method' | 'seed' | 'steps' | 'learningRate' | 'truncation' | 'posesPerBatch' | 'pointsPerBatchPose'
>

export interface LearnOptions extends RunStepsOptions {
  threads: number
}

export async function learn(
  spec: LearnSpec,
  shape: NetworkShape,
  data: Dataset,
  options: LearnOptions,
): Promise<Learned> {
  const batch = { poses: spec.posesPerBatch, points: spec.pointsPerBatchPose }
  const feeds = makeFeeds(shape, batch)
  const plan = {
    steps: spec.steps,
    draw: (step: number) => drawBatch(data, batch, spec.seed, step, shape.code, feeds),
    rate: (step: number, steps: number) =>
      spec.method === 'paper' ? spec.learningRate : cosineRate(step, steps, spec.learningRate),
  }
  return runSteps(await compileStep(spec, shape, batch, options.threads), plan, options)
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

async function compileStep(spec: LearnSpec, shape: NetworkShape, batch: BatchSize, threads: number) {
  const rows = batch.poses * batch.points
  const initial = initialTensors(shape, spec.seed)
  const parameters = new Map(
    [...networkTensors(shape)].map(([name, dims]) => [name, parameter(name, dims, initial.get(name)!)]),
  )
  const points = input('points', [rows, 3])
  const distances = input('distances', [rows, 1])
  const codes = shape.code > 0 ? input('codes', [batch.poses, shape.code]) : null
  const lossOf = spec.method === 'paper' ? clampedLoss : truncatedLoss
  const chunks = spec.method === 'paper' ? chunksOf(batch) : 1
  const build = (points: Tensor, distances: Tensor, codes: Tensor | null = null): Tensor => {
    const chunk = { points, codes, poses: batch.poses / chunks, pointsPerPose: batch.points }
    const predicted = networkGraph(shape, (name) => parameters.get(name)!, chunk)
    return lossOf(predicted, distances, spec.truncation)
  }
  return compileTrainingStep(
    {
      loss: chunkBatch([points, distances, ...(codes ? [codes] : [])], chunks, build),
      parameters: [...parameters.values()],
      optimiser: spec.method === 'paper' ? adam() : adam({ beta2: 0.99, clipNorm: 1 }),
    },
    { threads },
  )
}

/** Rows whose activations of the paper's wide layers stay in the cache; ours are narrow. */
const CHUNK_ROWS = 1024

/** Whole poses each, so many chunks that none has fewer rows than that. */
function chunksOf({ poses, points }: BatchSize): number {
  const most = Math.max(1, Math.floor((poses * points) / CHUNK_ROWS))
  return Array.from({ length: Math.min(most, poses) }, (_, i) => i + 1).findLast((chunks) => poses % chunks === 0)!
}

/** Fills the feeds of one step, and returns them: some poses, and some points of each. */
function drawBatch(
  data: Dataset,
  batch: BatchSize,
  seed: number,
  step: number,
  codeSize: number,
  feeds: BatchFeeds,
): BatchFeeds {
  const random = streamOf('batches', seed, step)
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
  return feeds
}
