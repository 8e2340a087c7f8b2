/**
 * Running an ONNX model with onnxruntime-node: session settings and the conversion of arrays to its tensors.
 * A run blocks the event loop while it computes (onnxruntime has no way to interrupt it), but each begins in its own
 * turn, so signals and timers are served between runs.
 */
import { InferenceSession, Tensor as OrtTensor } from 'onnxruntime-node'
import { dimensionFactors, formatShape, isStatic, type Shape, shapeSize } from './dimension.js'
import { encodeModel, type OnnxGraph } from './onnx/model.js'
import type { Tensor } from './tensor.js'

export interface SessionOptions {
  /** Threads within an operator, 1 or more. The last bits of results depend on it; default 2. */
  threads?: number
}

/** Arrays by input name: Float32Array for `input`, Int32Array for `intInput`; row-major. */
export type Feeds = Readonly<Record<string, Float32Array | Int32Array>>

/** Not the machine's count: the same default everywhere gives the same bits everywhere. */
const DEFAULT_THREADS = 2

export async function createSession(graph: OnnxGraph, options: SessionOptions): Promise<InferenceSession> {
  const threads = options.threads ?? DEFAULT_THREADS
  if (!Number.isInteger(threads) || threads < 1) {
    throw new RangeError(`compile: threads ${threads}; use a whole number >= 1.`)
  }
  return InferenceSession.create(encodeModel(graph), {
    executionProviders: ['cpu'],
    graphOptimizationLevel: 'all',
    executionMode: 'sequential',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Idle threads wait 50 us for the next operator before they sleep; by default they spin for milliseconds, which on
    // a machine with other work doubled both the time and the processor time of a step.
    extra: { session: { intra_op: { spin_duration_us: '50' } } },
    // Nothing but fatal errors on the terminal: the others come as exceptions.
    logSeverityLevel: 4,
  })
}

/**
 * Feeds as onnxruntime tensors, open dimensions resolved from the lengths.
 * @throws RangeError if one is missing, unknown, of the wrong type or length, or two disagree on an open dimension
 */
export function bindFeeds(inputs: readonly Tensor[], feeds: Feeds): Record<string, OrtTensor> {
  const names = new Set(inputs.map(inputName))
  for (const name of Object.keys(feeds)) {
    if (!names.has(name)) throw new RangeError(`run: no input '${name}'; the inputs are ${[...names].join(', ')}.`)
  }
  const symbols = new Map<string, number>()
  const bound: Record<string, OrtTensor> = {}
  for (const tensor of inputs) {
    const name = inputName(tensor)
    const data = feeds[name]
    if (!data) throw new RangeError(`run: input '${name}' is missing; pass ${formatShape(tensor.shape)} values.`)
    const expected = tensor.type === 'int32' ? Int32Array : Float32Array
    if (!(data instanceof expected)) throw new RangeError(`run: input '${name}'; pass a ${expected.name}.`)
    const shape = resolveShape(name, tensor.shape, data.length, symbols)
    bound[name] = new OrtTensor(tensor.type, data as Float32Array, shape)
  }
  return bound
}

function inputName(tensor: Tensor): string {
  return tensor.leaf?.kind === 'input' ? tensor.leaf.name : ''
}

function resolveShape(name: string, shape: Shape, length: number, symbols: Map<string, number>): number[] {
  const wrong = (): RangeError =>
    new RangeError(`run: input '${name}' has ${length} values, needs ${formatShape(shape)}; pass that many.`)
  const size = dimensionFactors(shapeSize(shape))
  const open = [...size.powers].filter(([symbol]) => !symbols.has(symbol))
  if (open.length > 1 || (open.length === 1 && open[0][1] !== 1)) {
    throw new RangeError(
      `run: input '${name}' leaves ${formatShape(shape)} undetermined; feed it after one that does not.`,
    )
  }
  if (open.length === 1) {
    let known = size.numerator / size.denominator
    for (const [symbol, power] of size.powers) known *= (symbols.get(symbol) ?? 1) ** power
    const value = length / known
    if (!Number.isInteger(value) || value < 1) throw wrong()
    symbols.set(open[0][0], value)
  }
  const resolved = shape.map((dimension) => {
    const { numerator, denominator, powers } = dimensionFactors(dimension)
    let value = numerator / denominator
    for (const [symbol, power] of powers) value *= symbols.get(symbol)! ** power
    return value
  })
  if (!isStatic(resolved) || resolved.some((d) => !Number.isInteger(d)) || shapeSize(resolved) !== length) throw wrong()
  return resolved
}
