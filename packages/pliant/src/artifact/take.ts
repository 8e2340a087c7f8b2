/** Tensors out of a container, checked before use: a file that lies about them must not be believed. */
import type { StoredTensor } from './safetensors.js'

type ArrayClass<T> = abstract new (...args: never[]) => T

/** @throws Error if the tensor is missing or of another shape or type */
export function take<T>(
  tensors: ReadonlyMap<string, StoredTensor>,
  name: string,
  shape: readonly number[],
  type: ArrayClass<T>,
): T {
  const tensor = tensors.get(name)
  if (!tensor || !(tensor.data instanceof type) || tensor.shape.join() !== shape.join()) {
    throw new Error(
      `artifact: tensor ${name} is ${tensor ? `[${tensor.shape}]` : 'missing'}, should be [${shape}]; train it again.`,
    )
  }
  return tensor.data
}

/** Indices, each below a limit. @throws Error naming the first that is not */
export function below(values: Uint32Array, limit: number, name: string): Uint32Array {
  const wrong = values.findIndex((value) => value >= limit)
  if (wrong >= 0) throw new Error(`artifact: ${name}[${wrong}] is ${values[wrong]} of ${limit}; train it again.`)
  return values
}

/** Starts of consecutive ranges that end at `total`. @throws Error if they are not */
export function rising(values: Uint32Array, total: number, name: string): Uint32Array {
  const wrong = values.findIndex((value, i) => value < (i > 0 ? values[i - 1] : 0) || value > total)
  if (wrong >= 0 || values[0] !== 0 || values[values.length - 1] !== total) {
    throw new Error(`artifact: ${name} does not rise from 0 to ${total}; train it again.`)
  }
  return values
}
