/** A dense network (formula and tensors: dense-shape.ts), ready to be asked, by the fastest backend that the host has. */
import type { Floats } from '../../math/floats.js'
import { chooseBackend } from '../choose-backend.js'
import type { NetworkOptions } from '../create-network.js'
import type { Backend, Tensors } from '../network.js'
import { checkDense } from './dense-checks.js'
import type { DenseShape } from './dense-shape.js'
import { ScalarDenseNetwork } from './scalar-dense-network.js'
import { createSimdDenseNetwork } from './wasm/simd-dense-network.js'

/** Rows lie one after the other: row i of inputs is inputs[i * n .. (i + 1) * n). */
export interface DenseNetwork {
  readonly shape: DenseShape
  readonly backend: Backend
  readonly backendNote?: string
  /**
   * Values at `count` rows.
   * @param inputs  [count, n]
   * @param out     receives [count, m]
   */
  evaluate(inputs: Floats, count: number, out: Floats): void
  /**
   * Values and vector-Jacobian products, in one pass.
   * @param inputs        [count, n]
   * @param cotangents    [count, m]: what each output weighs; null weighs all of them 1
   * @param outValues     receives [count, m]
   * @param outGradients  receives [count, n]: the sum over the outputs of cotangent times the output's gradient
   */
  pullBack(inputs: Floats, count: number, cotangents: Floats | null, outValues: Floats, outGradients: Floats): void
  /** Ends helper threads, if any. */
  dispose(): void
}

/**
 * @param tensors  everything that `denseTensors(shape)` lists
 * @throws RangeError if a tensor is missing or has the wrong length, or the shape contradicts itself
 * @throws RangeError, Error if there is no such backend, or not on this host, or its content security policy forbids it
 */
export async function createDenseNetwork(
  shape: DenseShape,
  tensors: Tensors,
  options: NetworkOptions = {},
): Promise<DenseNetwork> {
  checkDense(shape, tensors)
  const { backend, backendNote } = chooseBackend(options.backend)
  if (backend === 'scalar') return new ScalarDenseNetwork(shape, tensors, backendNote)
  return createSimdDenseNetwork(shape, tensors, { relaxed: backend === 'simd-relaxed', threads: options.threads ?? 1 })
}
