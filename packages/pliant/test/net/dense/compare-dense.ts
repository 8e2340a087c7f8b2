/** Every backend against the scalar reference over random dense networks; shared by the Node and the browser tests. */
import { expect } from 'vitest'
import type { NetworkOptions } from '../../../src/net/create-network.js'
import { createDenseNetwork, type DenseNetwork } from '../../../src/net/dense/dense-network.js'
import type { DenseShape } from '../../../src/net/dense/dense-shape.js'
import { randomDenseShape, randomDenseTensors, randomRows } from './random-dense.js'

export const COUNTS = [0, 1, 2, 3, 31, 32, 33, 500]

/** Backends agree to this, relative to 1 + the size of the value. */
const TOLERANCE = 1e-5

export interface DenseAnswer {
  values: Float64Array
  gradients: Float64Array
}

export function askDense(
  network: DenseNetwork,
  inputs: Float32Array,
  count: number,
  cotangents: Float32Array | null,
): DenseAnswer {
  const { inputs: n, outputs: m } = network.shape
  const answer = { values: new Float64Array(count * m), gradients: new Float64Array(count * n) }
  network.pullBack(inputs, count, cotangents, answer.values, answer.gradients)
  return answer
}

/**
 * Asks two networks of one random shape the same questions and compares values and products.
 * @param make    makes the one that is compared
 * @param counts  of rows to ask
 */
export async function compareDenseWithScalar(
  seed: number,
  options: NetworkOptions,
  fixed: Partial<DenseShape> = {},
  make: typeof createDenseNetwork = createDenseNetwork,
  counts = COUNTS,
): Promise<void> {
  const shape = randomDenseShape(seed, fixed)
  const tensors = randomDenseTensors(shape, seed)
  const reference = await createDenseNetwork(shape, tensors, { backend: 'scalar' })
  const network = await make(shape, tensors, options)
  expect(network.backend).toBe(options.backend)
  for (const count of counts) {
    const inputs = randomRows(count, shape.inputs, seed + count)
    const what = `${count} rows, ${JSON.stringify(shape)}`
    for (const cotangents of [randomRows(count, shape.outputs, seed + count + 1), null]) {
      const expected = askDense(reference, inputs, count, cotangents)
      const actual = askDense(network, inputs, count, cotangents)
      const evaluated = new Float32Array(count * shape.outputs)
      network.evaluate(inputs, count, evaluated)
      expect(firstDifference(evaluated, actual.values), `evaluate: ${what}`).toBe(-1)
      expect(largest(actual.values, expected.values), `values: ${what}`).toBeLessThan(TOLERANCE)
      // At a kink of relu the last bit decides between two right gradients.
      const rows = rowsApart(actual.gradients, expected.gradients, shape.inputs, count)
      expect(rows.length, `gradients of rows ${rows}: ${what}`).toBeLessThanOrEqual(Math.floor(count / 250))
    }
  }
  network.dispose()
}

/** Where two arrays differ first, -1 if nowhere: of long ones faster than toEqual by far. */
export function firstDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const length = Math.max(a.length, b.length)
  for (let i = 0; i < length; i++) if (!Object.is(a[i], b[i])) return i
  return -1
}

function largest(actual: Float64Array, expected: Float64Array): number {
  return expected.reduce((most, value, i) => Math.max(most, Math.abs(actual[i] - value) / (1 + Math.abs(value))), 0)
}

/** Rows whose gradients differ, relative to 1 + their length. */
function rowsApart(actual: Float64Array, expected: Float64Array, width: number, count: number): number[] {
  return Array.from({ length: count }, (_, row) => row).filter((row) => {
    const [a, b] = [actual, expected].map((all) => all.subarray(row * width, (row + 1) * width))
    const difference = Math.hypot(...a.map((value, i) => value - b[i]))
    return !(difference < TOLERANCE * (1 + Math.hypot(...b)))
  })
}
