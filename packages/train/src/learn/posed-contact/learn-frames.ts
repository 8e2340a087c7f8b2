/**
 * Learns where patches of a shape are at any code, so that gaps between them can be told without posing the surface: a dense
 * network to the frames that rigid motions of the patches' vertices give (label/frame-tasks.ts). An error of a rotation counts
 * by what it does at the rim of its patch.
 */
import { FRAME_SIZE } from 'pliant/unstable'
import { type DenseShape, denseTensors } from 'pliant/unstable/dense'
import {
  adam,
  compileTrainingStep,
  constant,
  div,
  input,
  mul,
  parameter,
  square,
  sub,
  sum,
  type Tensor,
} from '../../graph/index.js'
import type { ContactPool } from '../../label/contact-pool.js'
import { streamOf } from '../../streams/random-streams.js'
import { denseGraph } from '../dense-graph.js'
import { type RoundData, runRounds, type Weights } from '../rounds/index.js'
import { runSteps } from '../run-steps.js'
import { cosineRate } from '../schedule.js'
import { takeRows } from '../self-contact/contact-samples.js'
import type { ContactRun } from '../self-contact/learned-contact.js'

export interface FrameLearning {
  /** Codes that are posed to learn from. */
  labels: number
  steps: number
  learningRate: number
  batch: number
  hidden: number[]
  activation: DenseShape['activation']
}

export const FRAME_LEARNING: FrameLearning = {
  labels: 20_000,
  steps: 4000,
  learningRate: 2e-3,
  batch: 512,
  hidden: [128, 128],
  activation: 'silu',
}

/** A network from a code to frames, three rows of four for each. */
export interface FrameNetwork {
  shape: DenseShape
  tensors: Weights
  /** Root mean square of what it puts the rims of patches beside where they are [m], on codes of its own. */
  error: number
}

type FrameColumns = { codes: Float32Array; frames: Float32Array }

/** Codes that the error is told by. */
const HELD_OUT = 1024

/** @param radii  of the patches [m]: what a rotation moves */
export async function learnFrames(
  pool: ContactPool,
  radii: Float64Array,
  options: FrameLearning,
  { threads, ...run }: ContactRun,
): Promise<FrameNetwork> {
  const { codeSize } = pool
  const width = FRAME_SIZE * radii.length
  const { hidden, activation } = options
  const shape: DenseShape = { inputs: codeSize, outputs: width, hidden: [...hidden], activation, output: 'linear' }
  const { weights, data } = await runRounds<FrameColumns>({
    ...run,
    rounds: 1,
    widths: { codes: codeSize, frames: width },
    effort: () => ({ acquire: options.labels, learn: 4 * options.steps }),
    async acquire(_round, _state, random, { onProgress }) {
      const count = options.labels + HELD_OUT
      const codes = pool.draw(count, random())
      const frames = await pool.frames(codes, (done) => {
        onProgress({ fraction: done / count, stage: `pose patches, ${done} of ${count}` })
      })
      return { codes, frames }
    },
    async learn(_round, samples, _start, { random, steps: running }) {
      const scales = scalesOf(samples, options.labels, pool.bounds, radii)
      const step = await compileStep(shape, scales, firstWeights(shape, run.seed), options.batch, threads)
      const plan = {
        steps: options.steps,
        draw: (at: number) => {
          const stream = random(at)
          const rows = Uint32Array.from({ length: options.batch }, () => stream.below(options.labels))
          return {
            codes: scaled(takeRows(samples.columns.codes, codeSize, rows), scales.codes),
            frames: scaled(takeRows(samples.columns.frames, width, rows), scales.frames),
          }
        },
        rate: (at: number, steps: number) => cosineRate(at, steps, options.learningRate),
      }
      const { tensors } = await runSteps(step, plan, running)
      return unscaled(tensors, shape, scales)
    },
  })
  return { shape, tensors: weights, error: await errorOf(shape, weights, data, options.labels, radii) }
}

/** Numbers become value = (number - middle) / spread; `weights` say what an error of each is worth. */
interface Scales {
  codes: { middle: Float64Array; spread: Float64Array }
  frames: { middle: Float64Array; spread: Float64Array }
  weights: Float32Array
}

function scalesOf(
  { columns: { frames } }: RoundData<FrameColumns>,
  rows: number,
  { lower, upper }: ContactPool['bounds'],
  radii: Float64Array,
): Scales {
  const width = FRAME_SIZE * radii.length
  const middle = new Float64Array(width)
  const spread = new Float64Array(width)
  for (let i = 0; i < rows * width; i++) middle[i % width] += frames[i] / rows
  for (let i = 0; i < rows * width; i++) spread[i % width] += (frames[i] - middle[i % width]) ** 2 / rows
  for (let k = 0; k < width; k++) spread[k] = Math.max(LEAST_SPREAD, Math.sqrt(spread[k]))
  // In metres at the rim, over the mean of all: the loss begins at about one.
  const moves = spread.map((value, k) => value * (k % 4 === 3 ? 1 : radii[Math.trunc(k / FRAME_SIZE)]))
  const total = moves.reduce((sum, move) => sum + move * move, 0) / width
  return {
    codes: {
      middle: lower.map((low, k) => (low + upper[k]) / 2),
      spread: lower.map((low, k) => (upper[k] - low) / 2 || 1),
    },
    frames: { middle, spread },
    weights: Float32Array.from(moves, (move) => (move * move) / total),
  }
}

/** Of numbers that hardly change, so that none is divided by nothing. */
const LEAST_SPREAD = 1e-6

function scaled(rows: Float32Array, { middle, spread }: Scales['codes']): Float32Array {
  const width = middle.length
  return rows.map((value, i) => (value - middle[i % width]) / spread[i % width])
}

function firstWeights(shape: DenseShape, seed: number): Weights {
  return new Map(
    [...denseTensors(shape)].map(([name, dims], i) => {
      const random = streamOf('frameValues', seed, i)
      const size = dims.reduce((product, n) => product * n, 1)
      // He et al. 2015.
      const spread = name.endsWith('.bias') ? 0 : Math.sqrt(2 / dims[0])
      return [name, Float32Array.from({ length: size }, () => (spread === 0 ? 0 : spread * random.normal()))]
    }),
  )
}

function compileStep(shape: DenseShape, { weights }: Scales, start: Weights, batch: number, threads: number) {
  const tensors = new Map(
    [...denseTensors(shape)].map(([name, dims]) => [name, parameter(name, dims, start.get(name)!)]),
  )
  const codes = input('codes', [batch, shape.inputs])
  const frames = input('frames', [batch, shape.outputs])
  const values = denseGraph(shape, (name) => tensors.get(name)!, codes)
  const worth: Tensor = constant(weights, [1, shape.outputs])
  const loss = div(sum(mul(worth, square(sub(values, frames)))), batch * shape.outputs)
  return compileTrainingStep(
    { loss, parameters: [...tensors.values()], optimiser: adam({ beta2: 0.99, clipNorm: 1 }) },
    { threads },
  )
}

/** Scales of both ends become part of the first layer and of the last. */
function unscaled(tensors: ReadonlyMap<string, Float32Array>, shape: DenseShape, { codes, frames }: Scales): Weights {
  const out = new Map([...tensors].map(([name, values]) => [name, Float64Array.from(values)]))
  const last = shape.hidden.length
  const [weight, bias] = [out.get('dense.0.weight')!, out.get('dense.0.bias')!]
  const width = bias.length
  for (let i = 0; i < weight.length; i++) {
    const k = Math.trunc(i / width)
    weight[i] /= codes.spread[k]
    bias[i % width] -= weight[i] * codes.middle[k]
  }
  const [lastWeight, lastBias] = [out.get(`dense.${last}.weight`)!, out.get(`dense.${last}.bias`)!]
  const outputs = shape.outputs
  for (let i = 0; i < lastWeight.length; i++) lastWeight[i] *= frames.spread[i % outputs]
  for (let k = 0; k < outputs; k++) lastBias[k] = lastBias[k] * frames.spread[k] + frames.middle[k]
  return new Map([...out].map(([name, values]) => [name, Float32Array.from(values)]))
}

async function errorOf(
  shape: DenseShape,
  tensors: Weights,
  { columns, rows }: RoundData<FrameColumns>,
  first: number,
  radii: Float64Array,
): Promise<number> {
  const { createDenseNetwork } = await import('pliant/unstable/dense')
  const network = await createDenseNetwork(shape, new Map(tensors), { backend: 'scalar' })
  const found = new Float64Array(shape.outputs)
  let squares = 0
  for (let row = first; row < rows; row++) {
    network.evaluate(columns.codes.subarray(row * shape.inputs, (row + 1) * shape.inputs), 1, found)
    for (let k = 0; k < shape.outputs; k++) {
      const arm = k % 4 === 3 ? 1 : radii[Math.trunc(k / FRAME_SIZE)]
      squares += (arm * (found[k] - columns.frames[row * shape.outputs + k])) ** 2
    }
  }
  network.dispose()
  return Math.sqrt(squares / ((rows - first) * radii.length))
}
