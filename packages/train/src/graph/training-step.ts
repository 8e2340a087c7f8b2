/**
 * A whole training step as one ONNX model: loss, metrics, gradients, optimiser. All parameters lie end to end in one
 * vector, so the optimiser is a dozen operators however many layers there are; that vector and the optimiser's stay in
 * tensors that swap roles at each step and are never copied out.
 */
import { Tensor as OrtTensor } from 'onnxruntime-node'
import type { Optimiser } from './adam.js'
import { add, mul } from './arithmetic.js'
import { grad } from './grad.js'
import { concat, reshape, slice } from './layout.js'
import { inputsOf, lowerGraph } from './lower.js'
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
   * @throws RangeError if a feed or the learning rate does not fit; Error if the loss is not finite, and then the
   *   parameters are those before the step; the signal's reason if it is aborted
   */
  run(feeds: Feeds, options: StepOptions): Promise<StepResult>
  /** Copies of the current values. */
  parameters(): Map<string, Float32Array>
  state(): TrainingState
  /** @throws RangeError if a tensor is missing or has the wrong length */
  restore(state: TrainingState): void
  dispose(): Promise<void>
}

/** Place of a parameter in the vector of all. */
interface Place {
  name: string
  start: number
  end: number
}

/** @throws RangeError if loss or metrics have more than one element, or the parameters are unfit */
export async function compileTrainingStep(parts: TrainingParts, options: SessionOptions = {}): Promise<TrainingStep> {
  const { optimiser } = parts
  const metrics = parts.metrics ?? {}
  const losses = 'shape' in parts.loss ? [parts.loss] : parts.loss
  if (losses.length === 0) throw new RangeError('training step: no loss; pass at least one.')
  for (const loss of losses) checkScalar('loss', loss)
  for (const [name, tensor] of Object.entries(metrics)) checkScalar(`metric '${name}'`, tensor)
  const places = layOut(parts.parameters)
  const total = places[places.length - 1].end

  // The graph sees each parameter as a part of one vector.
  const flat = input('pliant.parameters', [total])
  const slots = optimiser.slots.map((name) => input(`pliant.slot.${name}`, [total]))
  const scalars = optimiser.scalars.map((name) => input(`pliant.scalar.${name}`, []))
  const replacements = new Map(
    parts.parameters.map((tensor, i) => [
      tensor,
      reshape(slice(flat, 0, places[i].start, places[i].end), tensor.shape),
    ]),
  )
  // onnxruntime orders operators depth first from the results. With the parameters' gradients joined per loss and only
  // then added, it finishes one loss, and frees its activations, before it begins the next.
  const shares = losses.map((loss) => mul(reshape(loss, []), 1 / losses.length))
  const loss = shares.reduce(add)
  const gradient = shares
    .map((share) => grad(share, parts.parameters).map((g) => reshape(g, [-1])))
    .map((gradients) => concat(gradients, 0))
    .reduce(add)
  const next = optimiser.update(flat, gradient, slots, scalars)

  const data = inputsOf([loss, ...Object.values(metrics)])
  const outputs: Record<string, Tensor> = { 'pliant.loss': loss, 'pliant.next.parameters': next.parameters }
  next.slots.forEach((tensor, i) => {
    outputs[`pliant.next.${optimiser.slots[i]}`] = tensor
  })
  for (const [name, tensor] of Object.entries(metrics)) outputs[`pliant.metric.${name}`] = tensor
  const graph = lowerGraph({ inputs: [...data, flat, ...slots, ...scalars], outputs, replacements })
  const session = await createSession(graph, options)

  const vectors = ['parameters', ...optimiser.slots]
  const vectorInputs = ['pliant.parameters', ...optimiser.slots.map((name) => `pliant.slot.${name}`)]
  const allocate = (): OrtTensor[] => vectors.map(() => new OrtTensor('float32', new Float32Array(total), [total]))
  let current = allocate()
  let spare = allocate()
  let step = 0
  parts.parameters.forEach((tensor, i) => {
    if (tensor.leaf?.kind === 'parameter') values(current[0]).set(tensor.leaf.initial, places[i].start)
  })

  /** Name of a parameter's part of a vector in a saved state. */
  const stateName = (vector: number, place: Place): string =>
    vector === 0 ? place.name : `${vectors[vector]}/${place.name}`

  return {
    async run(feeds, { learningRate, signal }) {
      signal?.throwIfAborted()
      if (!Number.isFinite(learningRate)) {
        throw new RangeError(`training step: learning rate ${learningRate}; use a finite number.`)
      }
      const bound = bindFeeds(data, feeds)
      vectorInputs.forEach((name, i) => {
        bound[name] = current[i]
      })
      optimiser.scalarValues(step + 1, learningRate).forEach((value, i) => {
        bound[`pliant.scalar.${optimiser.scalars[i]}`] = new OrtTensor('float32', Float32Array.of(value), [])
      })
      const fetches: Record<string, OrtTensor | null> = { 'pliant.loss': null }
      vectors.forEach((name, i) => {
        fetches[`pliant.next.${name}`] = spare[i]
      })
      for (const name of Object.keys(metrics)) fetches[`pliant.metric.${name}`] = null
      const results = await session.run(bound, fetches)
      const number = (name: string): number => Number((results[name] as OrtTensor).data[0])
      const value = number('pliant.loss')
      if (!Number.isFinite(value)) {
        throw new Error(`training: loss ${value} at step ${step + 1}; check the feeds or lower the learning rate.`)
      }
      ;[current, spare] = [spare, current]
      step++
      return {
        loss: value,
        metrics: Object.fromEntries(Object.keys(metrics).map((name) => [name, number(`pliant.metric.${name}`)])),
      }
    },
    parameters: () => new Map(places.map(({ name, start, end }) => [name, values(current[0]).slice(start, end)])),
    state() {
      const tensors = new Map<string, Float32Array>()
      current.forEach((vector, i) => {
        for (const place of places) tensors.set(stateName(i, place), values(vector).slice(place.start, place.end))
      })
      return { step, tensors }
    },
    restore(state) {
      const parts = current.flatMap((vector, i) =>
        places.map((place) => ({
          vector,
          place,
          name: stateName(i, place),
          saved: state.tensors.get(stateName(i, place)),
        })),
      )
      for (const { name, saved, place } of parts) {
        const length = place.end - place.start
        if (saved?.length !== length) {
          const found = saved ? `${saved.length} values` : 'nothing'
          throw new RangeError(`restore: ${found} for '${name}', needs ${length}; pass the state of the same network.`)
        }
      }
      for (const { vector, saved, place } of parts) values(vector).set(saved!, place.start)
      step = state.step
    },
    dispose: () => session.release(),
  }
}

function layOut(parameters: readonly Tensor[]): Place[] {
  if (parameters.length === 0) throw new RangeError('training step: no parameters; list at least one.')
  const places: Place[] = []
  let start = 0
  for (const tensor of parameters) {
    if (tensor.leaf?.kind !== 'parameter') {
      throw new RangeError('training step: a listed tensor is no parameter; list what parameter() made.')
    }
    const { name, initial } = tensor.leaf
    if (places.some((place) => place.name === name)) {
      throw new RangeError(`training step: two parameters named '${name}'; give each its own name.`)
    }
    places.push({ name, start, end: start + initial.length })
    start += initial.length
  }
  return places
}

function checkScalar(what: string, tensor: Tensor): void {
  if (tensor.shape.some((d) => d !== 1)) {
    throw new RangeError(`training step: ${what} has shape [${tensor.shape.join(', ')}]; reduce it to one element.`)
  }
}

function values(tensor: OrtTensor): Float32Array {
  return tensor.data as Float32Array
}
