/** Tensors out of a container, checked before use: a file that lies about them must not be believed. */
import { areFinite } from '../math/require.js'
import type { StoredTensor } from './safetensors.js'

type ArrayClass<T> = abstract new (...args: never[]) => T

/** Taking a tensor removes it, so that `requireNoneLeft` can tell what nobody knew. */
export type Tensors = Map<string, StoredTensor>

/** @throws Error if the tensor is missing, of another shape or type, or holds what is not finite */
export function take<T>(tensors: Tensors, name: string, shape: readonly number[], ...types: ArrayClass<T>[]): T {
  const tensor = tensors.get(name)
  const type = types.find((one) => tensor?.data instanceof one)
  if (!tensor || !type || tensor.shape.join() !== shape.join()) {
    throw new Error(
      `artifact: tensor ${name} is ${tensor ? `[${tensor.shape}]` : 'missing'}, should be [${shape}]; train it again.`,
    )
  }
  if (!areFinite(tensor.data)) {
    const wrong = tensor.data.findIndex((value) => !Number.isFinite(value))
    throw new Error(`artifact: tensor ${name} has ${tensor.data[wrong]} at value ${wrong}; train it again.`)
  }
  tensors.delete(name)
  return tensor.data as T
}

/** Indices of any width, each below a limit. @throws Error naming the first that is not */
export function takeIndices(tensors: Tensors, name: string, shape: readonly number[], limit: number): Uint32Array {
  const stored = take<Uint8Array | Uint16Array | Uint32Array>(
    tensors,
    name,
    shape,
    Uint32Array,
    Uint16Array,
    Uint8Array,
  )
  const values = Uint32Array.from(stored)
  const wrong = values.findIndex((value) => value >= limit)
  if (wrong >= 0) throw new Error(`artifact: ${name}[${wrong}] is ${values[wrong]} of ${limit}; train it again.`)
  return values
}

/** Starts of consecutive ranges that end at `total`. @throws Error if they are not */
export function rising(values: Uint32Array, total: number, name: string): Uint32Array {
  const wrong = values.findIndex((value, i) => value < (i > 0 ? values[i - 1] : 0))
  if (wrong >= 0 || values[0] !== 0 || values[values.length - 1] !== total) {
    throw new Error(`artifact: ${name} does not rise from 0 to ${total}; train it again.`)
  }
  return values
}

/** @throws Error if the container holds more than was taken */
export function requireNoneLeft(tensors: Tensors): void {
  const [name] = tensors.keys()
  if (name !== undefined) throw new Error(`artifact: tensor ${name} belongs to no part of it; train it again.`)
}
