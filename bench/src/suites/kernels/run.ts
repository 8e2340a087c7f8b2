/**
 * The inference kernels: GFLOP/s and time per point of every backend, onnxruntime's beside, and what a pose costs.
 * A gradient is counted as twice the forward pass, which is what reverse mode does.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { streamOf } from '@pliant/train/unstable/streams'
import { simdSupport } from 'pliant'
import { createOrtNetwork } from 'pliant/ort'
import { createNetwork, type Network, type NetworkShape } from 'pliant/unstable'
import { networkOnnx } from '../../networks/network-onnx.js'
import { randomTensors } from '../../networks/random-tensors.js'
import type { RunOptions } from '../../suite/suite.js'
import { LEAST_ROUNDS } from '../../timing/turns.js'

export interface KernelRow {
  network: string
  backend: string
  threads: number
  /** Points per call. */
  count: number
  pass: 'forward' | 'gradient'
  microsecondsPerPoint: number
  gflops: number
}

export interface PoseRow {
  backend: string
  /** Coefficients that blend the dense layers; the warp grid is always blended. */
  blendedLayers: number
  poseMicroseconds: number
  /** A pose and one gradient: what a query costs when every query has a new shape. */
  poseAndQueryMicroseconds: number
  /** A gradient in a batch of 512. */
  queryMicroseconds: number
}

export interface KernelBenchResult {
  rows: KernelRow[]
  poses: PoseRow[]
  /** Largest difference of values and gradients between our kernels and onnxruntime, relative to 1 + their size. */
  disagreement: number
}

export const KERNEL_COUNTS = [1, 16, 128, 512, 2048, 16384]
/** Scalar code is some 20 times slower and its time strictly linear: larger batches would only take long. */
const SCALAR_MAX_COUNT = 512

const DENSE: Omit<NetworkShape, 'code' | 'hidden'> = {
  conditioning: { kind: 'input' },
  warp: null,
  grids: [],
  activation: 'relu',
  output: 'tanh',
}
const NETWORKS: Record<string, NetworkShape> = {
  '8x128': { ...DENSE, code: 128, hidden: Array(8).fill(128) },
  '4x64': { ...DENSE, code: 32, hidden: Array(4).fill(64) },
}

export async function benchKernels({ signal, onProgress, quick }: RunOptions): Promise<KernelBenchResult> {
  const seconds = quick ? 0.03 : 0.15
  const rows: KernelRow[] = []
  const names = Object.keys(NETWORKS)
  for (const [n, name] of names.entries()) {
    const contenders = [
      () => benchOwn(name, 'scalar', 1, seconds, signal),
      () => benchOwn(name, 'simd', 1, seconds, signal),
      () => benchOwn(name, 'simd', 2, seconds, signal),
      () => benchRelaxed(name, seconds, signal),
      () => benchOnnxruntime(name, 1, seconds, signal),
      () => benchOnnxruntime(name, 2, seconds, signal),
    ]
    for (const [i, contender] of contenders.entries()) {
      const fraction = (n + i / contenders.length) / (names.length + 0.2)
      onProgress?.({ fraction, stage: 'kernels', detail: `${name}, ${i + 1} of ${contenders.length} backends` })
      rows.push(...(await contender()))
    }
  }
  onProgress?.({ fraction: 0.95, stage: 'kernels', detail: 'poses' })
  const poses = [await benchPose(0, seconds, signal), await benchPose(16, seconds, signal)]
  return { rows, poses, disagreement: Math.max(...(await Promise.all(names.map(measureDisagreement)))) }
}

async function benchOwn(
  name: string,
  backend: Network['backend'],
  threads: number,
  seconds: number,
  signal?: AbortSignal,
): Promise<KernelRow[]> {
  const shape = NETWORKS[name]
  const network = await createNetwork(shape, randomTensors(shape), { backend, threads })
  network.pose(new Float32Array(shape.code))
  const counts = KERNEL_COUNTS.filter((count) => backend !== 'scalar' || count <= SCALAR_MAX_COUNT)
  const rows: KernelRow[] = []
  for (const count of counts) {
    signal?.throwIfAborted()
    const { points, values, gradients } = buffers(count)
    const forward = timeCalls(() => network.query(points, count, values), seconds)
    const gradient = timeCalls(() => network.query(points, count, values, gradients), seconds)
    rows.push(...bothRows(name, network.backend, threads, count, forward, gradient))
    // Let a signal through between measurements.
    await new Promise((resolve) => setImmediate(resolve))
  }
  network.dispose()
  return rows
}

/** Node 20 has relaxed SIMD behind a flag, so it is measured in a child process that has it. */
async function benchRelaxed(name: string, seconds: number, signal?: AbortSignal): Promise<KernelRow[]> {
  if (simdSupport() === 'relaxed') return benchOwn(name, 'simd-relaxed', 1, seconds, signal)
  const script = `import(${JSON.stringify(import.meta.url)}).then((bench) => bench.printRelaxed(${JSON.stringify(name)}, ${seconds}))`
  const args = ['--experimental-wasm-relaxed-simd', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { signal })
  return JSON.parse(stdout)
}

/** The child process's part: prints its rows as JSON. */
export async function printRelaxed(name: string, seconds: number): Promise<void> {
  const rows = simdSupport() === 'relaxed' ? await benchOwn(name, 'simd-relaxed', 1, seconds) : []
  process.stdout.write(JSON.stringify(rows))
}

async function benchOnnxruntime(
  name: string,
  threads: number,
  seconds: number,
  signal?: AbortSignal,
): Promise<KernelRow[]> {
  const shape = NETWORKS[name]
  const code = new Float32Array(shape.code)
  // Two files: onnxruntime computes every output of a graph, asked for or not.
  const evaluating = await createOrtNetwork(networkOnnx(shape, randomTensors(shape), false), { threads })
  const differentiating = await createOrtNetwork(networkOnnx(shape, randomTensors(shape), true), { threads })
  const rows: KernelRow[] = []
  for (const count of KERNEL_COUNTS) {
    signal?.throwIfAborted()
    const { points, values, gradients } = buffers(count)
    const forward = await timeAsyncCalls(() => evaluating.query(points, count, code, values), seconds)
    const gradient = await timeAsyncCalls(() => differentiating.query(points, count, code, values, gradients), seconds)
    rows.push(...bothRows(name, 'onnxruntime-node', threads, count, forward, gradient))
  }
  await evaluating.dispose()
  await differentiating.dispose()
  return rows
}

/** Speed means nothing if the rivals compute different things. */
async function measureDisagreement(name: string): Promise<number> {
  const shape = NETWORKS[name]
  const count = 1000
  const code = new Float32Array(shape.code).fill(0.1)
  const network = await createNetwork(shape, randomTensors(shape))
  const rival = await createOrtNetwork(networkOnnx(shape, randomTensors(shape), true))
  const ours = buffers(count)
  const theirs = buffers(count)
  network.pose(code)
  network.query(ours.points, count, ours.values, ours.gradients)
  await rival.query(theirs.points, count, code, theirs.values, theirs.gradients)
  network.dispose()
  await rival.dispose()
  const difference = (a: Float32Array, b: Float32Array): number =>
    Math.max(...a.map((x, i) => Math.abs(x - b[i]) / (1 + Math.abs(x))))
  return Math.max(difference(ours.values, theirs.values), difference(ours.gradients, theirs.gradients))
}

/** A warp grid blended per pose, static grids and a small head: docs/notes/prototypes.md. */
async function benchPose(blendedLayers: number, seconds: number, signal?: AbortSignal): Promise<PoseRow> {
  signal?.throwIfAborted()
  const box = { lower: [-1, -1, -1], upper: [1, 1, 1] } as const
  const cube = (nodes: number, channels: number) => ({ resolution: [nodes, nodes, nodes], channels, ...box }) as const
  const shape: NetworkShape = {
    code: 32,
    conditioning: { kind: 'blend', coefficients: 32, hidden: 32, layers: blendedLayers },
    warp: cube(12, 8),
    grids: [cube(16, 4), cube(32, 4), cube(64, 2)],
    hidden: [32, 32],
    activation: 'silu',
    output: 'linear',
  }
  const network = await createNetwork(shape, randomTensors(shape))
  const code = new Float32Array(shape.code).fill(0.1)
  const count = 512
  const { points, values, gradients } = buffers(count)
  const pose = timeCalls(() => network.pose(code), seconds)
  const poseAndQuery = timeCalls(() => {
    network.pose(code)
    network.query(points, 1, values, gradients)
  }, seconds)
  const batch = timeCalls(() => network.query(points, count, values, gradients), seconds)
  network.dispose()
  return {
    backend: network.backend,
    blendedLayers,
    poseMicroseconds: pose,
    poseAndQueryMicroseconds: poseAndQuery,
    queryMicroseconds: batch / count,
  }
}

/** @param forward,gradient  time per call [us] */
function bothRows(
  network: string,
  backend: string,
  threads: number,
  count: number,
  forward: number,
  gradient: number,
): KernelRow[] {
  // Multiplications and additions of the dense layers that depend on the point.
  const widths = [3, ...NETWORKS[network].hidden, 1]
  const flops = widths.slice(1).reduce((total, width, l) => total + 2 * width * widths[l], 0)
  const row = (pass: KernelRow['pass'], time: number, passes: number): KernelRow => ({
    network,
    backend,
    threads,
    count,
    pass,
    microsecondsPerPoint: time / count,
    gflops: (passes * flops * count) / (time * 1e3),
  })
  return [row('forward', forward, 1), row('gradient', gradient, 2)]
}

/**
 * Time of a call [us] in the fastest of many short series that together take `seconds`: other load on the machine can
 * only add time, and a median of figures this short would measure that load.
 */
function timeCalls(call: () => void, seconds: number): number {
  const series = (calls: number): number => {
    const start = performance.now()
    for (let i = 0; i < calls; i++) call()
    return performance.now() - start
  }
  let calls = 1
  // Also the warm-up, in which the engine compiles the hot kernels.
  for (let spent = 0; spent < (1000 * seconds) / 3; ) {
    const took = series(calls)
    spent += took
    if (took < 2) calls *= 2
  }
  const times: number[] = []
  for (let spent = 0; spent < 1000 * seconds || times.length < LEAST_ROUNDS; ) {
    const took = series(calls)
    spent += took
    times.push((1000 * took) / calls)
  }
  return Math.min(...times)
}

/** The same for calls that are awaited one by one, as onnxruntime's must be. */
async function timeAsyncCalls(call: () => Promise<void>, seconds: number): Promise<number> {
  const one = async (): Promise<number> => {
    const start = performance.now()
    await call()
    return performance.now() - start
  }
  for (let spent = 0; spent < (1000 * seconds) / 3; ) spent += await one()
  const times: number[] = []
  for (let spent = 0; spent < 1000 * seconds || times.length < LEAST_ROUNDS; ) {
    const took = await one()
    spent += took
    times.push(1000 * took)
  }
  return Math.min(...times)
}

function buffers(count: number) {
  const random = streamOf('benchPoints', 1)
  return {
    points: Float32Array.from({ length: 3 * count }, () => random.between(-1, 1)),
    values: new Float32Array(count),
    gradients: new Float32Array(3 * count),
  }
}
