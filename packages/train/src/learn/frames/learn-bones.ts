import { type BoneNetworkShape, boneTensors, MAX_DRIVERS } from 'pliant/unstable'
import {
  abs,
  adam,
  add,
  compileTrainingStep,
  constant,
  div,
  greater,
  input,
  less,
  mean,
  mul,
  parameter,
  relu,
  slice,
  sub,
  type Tensor,
  where,
} from '../../graph/index.js'
import { streamOf } from '../../streams/random-streams.js'
import { truncatedError } from '../loss.js'
import { type Learned, type RunStepsOptions, runSteps } from '../run-steps.js'
import { cosineRate } from '../schedule.js'
import type { BoneData } from './bone-data.js'
import { type BoneFeeds, boneInputs, fillBoneRow, makeBoneFeeds } from './bone-feeds.js'
import { boneGraph } from './bone-graph.js'

export interface LearnBonesOptions extends RunStepsOptions {
  steps: number
  learningRate: number
  posesPerBatch: number
  pointsPerBatchPose: number
  /** Distances are learned up to this many body heights. */
  truncation: number
  /** Weight of the slope's error. */
  slopeWeight: number
  /**
   * Length of steps on the grids' distances beside those on everything else. They are some hundredths and begin as the
   * rest shape's own; steps as long as those of weights undo that first (docs/notes/character.md).
   */
  distanceStep: number
  seed: number
  threads: number
}
export const LEARN_BONES_DEFAULTS = {
  steps: 6000,
  learningRate: 1e-2,
  posesPerBatch: 16,
  pointsPerBatchPose: 256,
  truncation: 0.06,
  slopeWeight: 0.01,
  distanceStep: 0.1,
  seed: 1,
  threads: 2,
} as const

/** Length of the step that slopes are taken over, in body heights. */
const SLOPE_STEP = 0.004

export async function learnBones(
  shape: BoneNetworkShape,
  initial: ReadonlyMap<string, Float32Array>,
  data: BoneData,
  options: LearnBonesOptions,
): Promise<Learned> {
  const { steps, posesPerBatch: poses, pointsPerBatchPose: perPose, seed, distanceStep } = options
  const points = poses * perPose
  // Every point twice: where it is, and a short step away.
  const batch = boneInputs(shape, poses, 2 * points)
  // A grid is its parameter times the length of its channels' steps, so that one rate serves all.
  const stepLengths = [distanceStep, ...new Array<number>(1 + shape.grid.features).fill(1)]
  const parameters = new Map(
    [...boneTensors(shape)].map(([name, dims]) => {
      const values = initial.get(name)!
      return [name, parameter(name, dims, name === 'grid' ? perChannel(values, stepLengths, (v, l) => v / l) : values)]
    }),
  )
  const tensor = (name: string): Tensor =>
    name === 'grid' ? mul(parameters.get(name)!, constant(stepLengths)) : parameters.get(name)!
  const answers = boneGraph(shape, tensor, batch)
  const step = await compileTrainingStep(
    {
      loss: boneLoss(slice(answers, 0, 0, points), slice(answers, 0, points, 2 * points), points, options),
      parameters: [...parameters.values()],
      optimiser: adam({ beta2: 0.99, clipNorm: 1 }),
    },
    { threads: options.threads },
  )
  const feeds = {
    ...makeBoneFeeds(shape, poses, 2 * points),
    exact: new Float32Array(points),
    hidden: new Float32Array(points),
    slope: new Float32Array(points),
  }
  const plan = {
    steps,
    draw: (done: number) => drawBatch(shape, data, poses, perPose, seed, done, feeds),
    rate: (done: number, all: number) => cosineRate(done, all, options.learningRate),
  }
  const learned = await runSteps(step, plan, options)
  learned.tensors.set(
    'grid',
    perChannel(learned.tensors.get('grid')!, stepLengths, (v, length) => v * length),
  )
  return learned
}

function perChannel(
  grid: Float32Array,
  lengths: readonly number[],
  change: (value: number, length: number) => number,
): Float32Array {
  return grid.map((value, i) => change(value, lengths[i % lengths.length]))
}

function boneLoss(
  here: Tensor,
  beside: Tensor,
  points: number,
  { truncation, slopeWeight }: LearnBonesOptions,
): Tensor {
  const exact = input('exact', [points, 1])
  const hidden = input('hidden', [points, 1])
  const slope = input('slope', [points, 1])
  const distance = where(greater(hidden, 0.5), relu(sub(here, exact)), truncatedError(here, exact, truncation))
  // Adding the mark puts hidden points beyond the band, where no slope is known.
  const inBand = less(add(abs(exact), hidden), 0.9 * truncation)
  const slopeError = where(inBand, abs(sub(div(sub(beside, here), SLOPE_STEP), slope)), 0)
  return add(mean(distance), mul(mean(slopeError), slopeWeight))
}

type Feeds = BoneFeeds & { exact: Float32Array; hidden: Float32Array; slope: Float32Array }

function drawBatch(
  shape: BoneNetworkShape,
  data: BoneData,
  poses: number,
  perPose: number,
  seed: number,
  step: number,
  feeds: Feeds,
): Feeds {
  const random = streamOf('batches', seed, step)
  const bones = shape.bones.length
  const perPoseDrivers = bones * 3 * MAX_DRIVERS
  const points = poses * perPose
  const direction = [0, 0, 0]
  for (let p = 0; p < poses; p++) {
    const pose = random.below(data.poses)
    const from = pose * perPoseDrivers
    feeds.drivers.set(data.drivers.subarray(from, from + perPoseDrivers), p * perPoseDrivers)
    for (let n = 0; n < perPose; n++) {
      const source = pose * data.pointsPerPose + random.below(data.pointsPerPose)
      const row = p * perPose + n
      for (let axis = 0; axis < 3; axis++) direction[axis] = random.normal()
      const length = Math.hypot(direction[0], direction[1], direction[2])
      let slope = 0
      for (let axis = 0; axis < 3; axis++) {
        direction[axis] /= length
        slope += direction[axis] * data.normals[3 * source + axis]
      }
      feeds.exact[row] = data.distances[source] / shape.scale
      feeds.hidden[row] = data.hidden[source]
      feeds.slope[row] = slope
      for (const [half, way] of [0, SLOPE_STEP * shape.scale].entries()) {
        const x = data.points[3 * source] + way * direction[0]
        const y = data.points[3 * source + 1] + way * direction[1]
        const z = data.points[3 * source + 2] + way * direction[2]
        for (let k = 0; k < shape.nearest; k++) {
          const bone = data.bones[source * shape.nearest + k]
          const window = data.windows[source * shape.nearest + k]
          const to = (half * points + row) * shape.nearest + k
          fillBoneRow(feeds, shape, to, x, y, z, bone, window, data.toBox, 12 * (pose * bones + bone))
          feeds.posedBone[to] = p * bones + bone
        }
      }
    }
  }
  return feeds
}
