/**
 * The training engine: GFLOP/s of whole training steps (loss, gradients, Adam) of an 8x128 network at batch 16,384, and
 * the same machine's largest single-precision matrix product through the same library, measured between them.
 */
import {
  abs,
  adam,
  add,
  chunkBatch,
  clamp,
  compileFunction,
  compileTrainingStep,
  concat,
  grad,
  input,
  matmul,
  matrixProductFlops,
  mean,
  mul,
  norm,
  parameter,
  relu,
  softplus,
  square,
  sub,
  type Tensor,
  tanh,
} from '@pliant/train/unstable/graph'
import { streamOf } from '@pliant/train/unstable/streams'
import type { Random } from 'pliant'
import { describeMachine, type Machine } from '../../origin/machine.js'
import type { RunOptions } from '../../suite/suite.js'
import { median } from '../../timing/median.js'
import { LEAST_ROUNDS } from '../../timing/turns.js'

export interface TrainBenchOptions extends RunOptions {
  /** Thread counts to measure, by default 1 and 2. */
  threads?: readonly number[]
}

export interface StepFigure {
  milliseconds: number
  gflops: number
  /** Share of the matrix product peak measured in the same run on as many threads. */
  peakShare: number
}

export interface TrainBenchRow {
  threads: number
  /** Best of all 1024^3 products of this run. */
  peakGflops: number
  /** ReLU, tanh output, clamped L1. */
  l1: StepFigure
  /** Softplus, L1 plus (|gradient with respect to the point| - 1)^2: a gradient of a gradient. */
  eikonal: StepFigure
}

export interface TrainBenchResult {
  machine: Machine
  network: string
  batch: number
  /** Parts of the batch that a step handles one after the other, to stay in the cache. */
  chunks: number
  /** How operations were counted, and how many a step has. */
  counting: { l1: { flops: number; how: string }; eikonal: { flops: number; how: string } }
  rows: TrainBenchRow[]
}

const BATCH = 16_384
/** 1,024 rows of 128 values are 512 kB. 16 chunks took a quarter off the time of one, 8 a tenth. */
const CHUNKS = 16
const CODE = 128
const LAYERS = 8
const WIDTH = 128
const CLAMP = 0.1
const PEAK_SIZE = 1024

/** @throws the signal's reason if it is aborted */
export async function benchTrain(options: TrainBenchOptions = {}): Promise<TrainBenchResult> {
  const threadCounts = options.threads ?? [1, 2]
  const repeats = options.quick ? LEAST_ROUNDS : 12
  const feeds = randomBatch()
  const l1 = clampedL1()
  const eikonal = eikonalLoss()
  const macs = (3 + CODE) * WIDTH + (LAYERS - 1) * WIDTH * WIDTH + WIDTH
  const counting = {
    l1: {
      flops: 6 * macs * BATCH,
      how: `6 x ${macs} multiply-adds x ${BATCH} points: forward 2, backward 4; elementwise work and Adam count 0`,
    },
    eikonal: {
      flops: eikonal.losses.reduce((s, loss) => s + matrixProductFlops([loss, ...grad(loss, eikonal.parameters)]), 0),
      how: 'every matrix product in the step, from its shapes: forward, point gradient, backward through both',
    },
  }
  const rows: TrainBenchRow[] = []
  for (const [i, threads] of threadCounts.entries()) {
    const report = (part: number, detail: string): void =>
      options.onProgress?.({ fraction: (i + part / 2) / threadCounts.length, stage: 'train', detail })
    const peak = await measurePeak(threads)
    const timeStep = async ({ losses, parameters }: Training): Promise<number> => {
      const step = await compileTrainingStep({ loss: losses, parameters, optimiser: adam() }, { threads })
      const run = () => step.run(feeds, { learningRate: 1e-4, signal: options.signal })
      try {
        await run()
        const times: number[] = []
        for (let k = 0; k < repeats; k++) {
          // Between the steps: a machine that slows down during the run then slows both.
          await peak.run()
          times.push(await timed(run))
        }
        return median(times)
      } finally {
        await step.dispose()
      }
    }
    try {
      report(0, `L1 step on ${threads} thread(s)`)
      const l1Time = await timeStep(l1)
      report(1, `eikonal step on ${threads} thread(s)`)
      const eikonalTime = await timeStep(eikonal)
      const peakGflops = peak.best()
      const figure = (milliseconds: number, flops: number): StepFigure => {
        const gflops = flops / milliseconds / 1e6
        return { milliseconds, gflops, peakShare: gflops / peakGflops }
      }
      rows.push({
        threads,
        peakGflops,
        l1: figure(l1Time, counting.l1.flops),
        eikonal: figure(eikonalTime, counting.eikonal.flops),
      })
    } finally {
      await peak.dispose()
    }
  }
  const network = `3 + ${CODE} -> ${LAYERS} x ${WIDTH} -> 1`
  return { machine: describeMachine(), network, batch: BATCH, chunks: CHUNKS, counting, rows }
}

interface Training {
  losses: Tensor[]
  parameters: Tensor[]
}

function clampedL1(): Training {
  const { evaluate, parameters } = network(relu)
  const losses = chunks((points, code, distance) => {
    const f = clamp(tanh(evaluate(points, code)), -CLAMP, CLAMP)
    return mean(abs(sub(f, clamp(distance, -CLAMP, CLAMP))))
  })
  return { losses, parameters }
}

function eikonalLoss(): Training {
  const { evaluate, parameters } = network(softplus)
  const losses = chunks((points, code, distance) => {
    const f = evaluate(points, code)
    const slope = norm(grad(f, [points])[0], 1)
    return add(mean(abs(sub(f, distance))), mul(0.1, mean(square(sub(slope, 1)))))
  })
  return { losses, parameters }
}

function chunks(build: (...inputs: Tensor[]) => Tensor): Tensor[] {
  const inputs = [input('points', [BATCH, 3]), input('code', [BATCH, CODE]), input('distance', [BATCH, 1])]
  return chunkBatch(inputs, CHUNKS, build)
}

function network(activation: (t: Tensor) => Tensor) {
  const random = streamOf('benchWeights', 1)
  const sizes = [3 + CODE, ...new Array<number>(LAYERS).fill(WIDTH), 1]
  const layers = sizes.slice(1).map((columns, i) => {
    const rows = sizes[i]
    const weights = uniform(random, rows * columns, Math.sqrt(6 / rows))
    return {
      weight: parameter(`layer.${i}.weight`, [rows, columns], weights),
      bias: parameter(`layer.${i}.bias`, [columns], uniform(random, columns, 0.1)),
    }
  })
  const evaluate = (points: Tensor, code: Tensor): Tensor => {
    let value = concat([points, code], 1)
    for (const [i, { weight, bias }] of layers.entries()) {
      value = add(matmul(value, weight), bias)
      if (i < LAYERS) value = activation(value)
    }
    return value
  }
  return { evaluate, parameters: layers.flatMap(({ weight, bias }) => [weight, bias]) }
}

function randomBatch() {
  const random = streamOf('benchBatch', 1)
  return {
    points: uniform(random, BATCH * 3, 1),
    code: uniform(random, BATCH * CODE, 1),
    distance: uniform(random, BATCH, 0.2),
  }
}

function uniform(random: Random, length: number, limit: number): Float32Array {
  return Float32Array.from({ length }, () => random.between(-limit, limit))
}

/** The machine's matrix product: `run` measures once more, `best` gives the fastest so far [GFLOP/s]. */
async function measurePeak(threads: number) {
  const random = streamOf('benchMatrices', 1)
  const size = PEAK_SIZE * PEAK_SIZE
  const a = input('a', [PEAK_SIZE, PEAK_SIZE])
  const b = input('b', [PEAK_SIZE, PEAK_SIZE])
  const product = await compileFunction({ inputs: [a, b], outputs: { product: matmul(a, b) } }, { threads })
  const feeds = { a: uniform(random, size, 1), b: uniform(random, size, 1) }
  let fastest = Number.POSITIVE_INFINITY
  return {
    async run(): Promise<void> {
      fastest = Math.min(fastest, await timed(() => product.run(feeds)))
    },
    best: () => (2 * PEAK_SIZE ** 3) / fastest / 1e6,
    dispose: () => product.dispose(),
  }
}

/** Time of one call [ms]. */
async function timed(call: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await call()
  return performance.now() - began
}
