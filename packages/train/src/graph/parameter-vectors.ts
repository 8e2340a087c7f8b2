/**
 * Where training keeps its numbers between steps: all parameters end to end in one vector, and as many vectors of the
 * same layout as the optimiser needs. There are two of each; a step reads one set and writes the other, and then they
 * swap roles, so nothing is copied and a failed step leaves the last good values in place.
 */
import { Tensor as OrtTensor } from 'onnxruntime-node'
import { reshape, slice } from './layout.js'
import type { Tensor } from './tensor.js'

/** Place of a parameter in each vector. */
interface Place {
  name: string
  start: number
  end: number
}

export class ParameterVectors {
  readonly length: number
  readonly #names: readonly string[]
  readonly #tensors: readonly Tensor[]
  readonly #places: readonly Place[]
  #current: OrtTensor[]
  #next: OrtTensor[]

  /**
   * Starts at the initial values, with zeros in the optimiser's vectors.
   * @param slots  names of the optimiser's vectors
   * @throws RangeError if there are no parameters, one is none, or two have one name
   */
  constructor(parameters: readonly Tensor[], slots: readonly string[]) {
    this.#tensors = parameters
    this.#places = layOut(parameters)
    this.#names = ['', ...slots]
    this.length = this.#places[this.#places.length - 1].end
    const allocate = (): OrtTensor[] =>
      this.#names.map(() => new OrtTensor('float32', new Float32Array(this.length), [this.length]))
    this.#current = allocate()
    this.#next = allocate()
    parameters.forEach((tensor, i) => {
      if (tensor.leaf?.kind === 'parameter') values(this.#current[0]).set(tensor.leaf.initial, this.#places[i].start)
    })
  }

  /** Parameters first, then the optimiser's vectors. */
  get current(): readonly OrtTensor[] {
    return this.#current
  }

  /** Where a step writes. */
  get next(): readonly OrtTensor[] {
    return this.#next
  }

  /** Makes what a step wrote the current values. */
  swap(): void {
    ;[this.#current, this.#next] = [this.#next, this.#current]
  }

  /** Each parameter as a part of the given vector. */
  views(vector: Tensor): Map<Tensor, Tensor> {
    return new Map(
      this.#tensors.map((tensor, i) => {
        const { start, end } = this.#places[i]
        return [tensor, reshape(slice(vector, 0, start, end), tensor.shape)]
      }),
    )
  }

  /** Copies of the parameters by name. */
  parameters(): Map<string, Float32Array> {
    return new Map(this.#places.map(({ name, start, end }) => [name, values(this.#current[0]).slice(start, end)]))
  }

  /** Copies of everything: parameters under their names, the optimiser's vectors as `<slot>/<name>`. */
  save(): Map<string, Float32Array> {
    return new Map(this.#parts().map(({ key, vector, start, end }) => [key, vector.slice(start, end)]))
  }

  /** @throws RangeError if a tensor is missing or has the wrong length; nothing is changed then */
  load(saved: ReadonlyMap<string, Float32Array>): void {
    const parts = this.#parts()
    for (const { key, start, end } of parts) {
      const found = saved.get(key)
      if (found?.length === end - start) continue
      const what = found ? `${found.length} values` : 'nothing'
      throw new RangeError(`restore: ${what} for '${key}', needs ${end - start}; pass the state of the same network.`)
    }
    for (const { key, vector, start } of parts) vector.set(saved.get(key)!, start)
  }

  #parts() {
    return this.#current.flatMap((tensor, i) => {
      const prefix = this.#names[i] && `${this.#names[i]}/`
      return this.#places.map(({ name, start, end }) => ({ key: prefix + name, vector: values(tensor), start, end }))
    })
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

function values(tensor: OrtTensor): Float32Array {
  return tensor.data as Float32Array
}
