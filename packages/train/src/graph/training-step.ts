/**
 * A whole training step as one ONNX model: loss, metrics, gradients, optimiser. All parameters lie end to end in one
 * vector, so the optimiser is a dozen operators however many layers there are.
 */
import { Tensor as OrtTensor } from 'onnxruntime-node'
import type { Optimiser } from './adam.js'
import { add, mul } from './arithmetic.js'
import { sum } from './broadcast.js'
import { formatShape } from './dimension.js'
import { grad } from './grad.js'
import { concat, reshape } from './layout.js'
import { inputsOf, lowerGraph } from './lower.js'
import type { OnnxGraph } from './onnx/model.js'
import { ParameterVectors } from './parameter-vectors.js'
import { bindFeeds, createSession, type Feeds, type SessionOptions } from './session.js'
import { input, type Tensor } from './tensor.js'

export interface TrainingParts {
  /**
   * What to make small: a tensor of one element, or several whose mean it is (see `chunkBatch`). Several are
   * differentiated one after the other.
   */
  loss: Tensor | readonly Tensor[]
  /** Tensors of one element, reported beside the loss. */
  metrics?: Readonly<Record<string, Tensor>>
  /** What may change; parameters of the loss that are not listed stay as they are. */
  parameters: readonly Tensor[]
  optimiser: Optimiser
}

export interface StepOptions {
  learningRate: number
  /** Checked before the step begins. */
  signal?: AbortSignal
}

export interface StepResult {
  /** Before this step's change. */
  loss: number
  metrics: Record<string, number>
}

/** All that is needed to continue as if nothing had happened. */
export interface TrainingState {
  /** Steps done. */
  step: number
  /** Copies: parameters under their names, the optimiser's vectors as `<slot>/<name>`. */
  tensors: Map<string, Float32Array>
}

export interface TrainingStep {
  /**
   * One step. The feeds are the inputs of loss and metrics.
   * @throws RangeError if a feed or the learning rate does not fit; Error if the loss or a parameter would
   *   not be finite, and then the parameters stay those before the step; the signal's reason if it is aborted
   */
  run(feeds: Feeds, options: StepOptions): Promise<StepResult>
  /** Copies of the current values. */
  parameters(): Map<string, Float32Array>
  state(): TrainingState
  /** @throws RangeError if a tensor is missing or has the wrong length */
  restore(state: TrainingState): void
  dispose(): Promise<void>
}

/** Names of the model's inputs and outputs that are not the user's. */
const LOSS = 'pliant.loss'
const CHECK = 'pliant.check'
const vectorName = (i: number): string => `pliant.vector.${i}`
const nextName = (i: number): string => `pliant.next.${i}`
const scalarName = (i: number): string => `pliant.scalar.${i}`
const metricName = (name: string): string => `pliant.metric.${name}`

/** @throws RangeError if loss or metrics have more than one element, or the parameters are unfit */
export async function compileTrainingStep(parts: TrainingParts, options: SessionOptions = {}): Promise<TrainingStep> {
  const { optimiser } = parts
  const metrics = Object.keys(parts.metrics ?? {})
  const vectors = new ParameterVectors(parts.parameters, optimiser.slots)
  const { data, graph } = stepGraph(parts, vectors)
  const session = await createSession(graph, options)
  let step = 0
  let running = false

  const compute = async (feeds: Feeds, learningRate: number): Promise<(name: string) => number> => {
    const bound = bindFeeds(data, feeds)
    vectors.current.forEach((vector, i) => {
      bound[vectorName(i)] = vector
    })
    optimiser.scalarValues(step + 1, learningRate).forEach((value, i) => {
      bound[scalarName(i)] = new OrtTensor('float32', Float32Array.of(value), [])
    })
    const fetches: Record<string, OrtTensor | null> = { [LOSS]: null, [CHECK]: null }
    for (const name of metrics) fetches[metricName(name)] = null
    vectors.next.forEach((vector, i) => {
      fetches[nextName(i)] = vector
    })
    const results = await session.run(bound, fetches)
    return (name) => Number((results[name] as OrtTensor).data[0])
  }

  return {
    async run(feeds, { learningRate, signal }) {
      signal?.throwIfAborted()
      if (!Number.isFinite(learningRate)) {
        throw new RangeError(`training step: learning rate ${learningRate}; use a finite number.`)
      }
      if (running) throw new Error('training step: the step before is still running; await it first.')
      running = true
      try {
        const result = await compute(feeds, learningRate)
        const loss = result(LOSS)
        const remedy = `at step ${step + 1}; check the feeds or lower the learning rate.`
        if (!Number.isFinite(loss)) throw new Error(`training: loss ${loss} ${remedy}`)
        if (!Number.isFinite(result(CHECK))) throw new Error(`training: a gradient is not finite ${remedy}`)
        vectors.swap()
        step++
        return { loss, metrics: Object.fromEntries(metrics.map((name) => [name, result(metricName(name))])) }
      } finally {
        running = false
      }
    },
    parameters: () => vectors.parameters(),
    state: () => ({ step, tensors: vectors.save() }),
    restore(state) {
      if (!Number.isSafeInteger(state.step) || state.step < 0) {
        throw new RangeError(`restore: step ${state.step}; pass a state that state() made.`)
      }
      vectors.load(state.tensors)
      step = state.step
    },
    dispose: () => session.release(),
  }
}

/** The step as an ONNX graph, and the inputs that the user feeds. */
function stepGraph(parts: TrainingParts, vectors: ParameterVectors): { data: Tensor[]; graph: OnnxGraph } {
  const { optimiser, parameters, metrics = {} } = parts
  const losses = 'shape' in parts.loss ? [parts.loss] : parts.loss
  if (losses.length === 0) throw new RangeError('training step: no loss; pass at least one.')
  for (const loss of losses) checkScalar('loss', loss)
  for (const [name, tensor] of Object.entries(metrics)) checkScalar(`metric '${name}'`, tensor)

  // onnxruntime orders operators depth first from the results. With the parameters' gradients joined per loss and only
  // then added, it finishes one loss, and frees its activations, before it begins the next.
  const shares = losses.map((loss) => mul(reshape(loss, []), 1 / losses.length))
  const loss = shares.reduce(add)
  const gradient = shares
    .map((share) => grad(share, parameters).map((g) => reshape(g, [-1])))
    .map((gradients) => concat(gradients, 0))
    .reduce(add)

  const [current, ...slots] = vectors.current.map((_, i) => input(vectorName(i), [vectors.length]))
  const scalars = optimiser.scalars.map((_, i) => input(scalarName(i), []))
  const next = optimiser.update(current, gradient, slots, scalars)
  // One sum tells whether all new parameters are finite.
  const outputs: Record<string, Tensor> = { [LOSS]: loss, [CHECK]: sum(next.parameters) }
  for (const [name, tensor] of Object.entries(metrics)) outputs[metricName(name)] = tensor
  for (const [i, vector] of [next.parameters, ...next.slots].entries()) outputs[nextName(i)] = vector
  const data = inputsOf([loss, ...Object.values(metrics)])
  const inputs = [...data, current, ...slots, ...scalars]
  return { data, graph: lowerGraph({ inputs, outputs, replacements: vectors.views(current) }) }
}

function checkScalar(what: string, tensor: Tensor): void {
  if (tensor.shape.some((d) => d !== 1)) {
    throw new RangeError(`training step: ${what} has shape ${formatShape(tensor.shape)}; reduce it to one element.`)
  }
}
