import { describe, expect, it } from 'vitest'
import { createDenseNetwork } from '../../../src/net/dense/dense-network.js'
import type { DenseShape } from '../../../src/net/dense/dense-shape.js'
import { ACTIVATIONS } from '../random-network.js'
import { askDense } from './compare-dense.js'
import { randomDenseShape, randomDenseTensors, randomRows } from './random-dense.js'

const twoByTwo: DenseShape = { inputs: 2, outputs: 2, hidden: [2], activation: 'relu', output: 'linear' }

describe('ScalarDenseNetwork', () => {
  it('computes what the formula says', async () => {
    const tensors = new Map([
      ['dense.0.weight', Float32Array.of(1, -1, 2, 3)],
      ['dense.0.bias', Float32Array.of(0.5, -4)],
      ['dense.1.weight', Float32Array.of(2, 0, 5, 1)],
      ['dense.1.bias', Float32Array.of(-1, 10)],
    ])
    const network = await createDenseNetwork(twoByTwo, tensors, { backend: 'scalar' })
    // x = (1, 2): h = relu(1 + 4 + 0.5, -1 + 6 - 4) = (5.5, 1), y = (11 + 5 - 1, 0 + 1 + 10)
    const { values, gradients } = askDense(network, Float32Array.of(1, 2), 1, Float32Array.of(1, 100))
    expect([...values]).toEqual([15, 11])
    // dy1/dh = (2, 5), dy2/dh = (0, 1): c^T dy/dh = (2, 105), and through W(0)
    expect([...gradients]).toEqual([2 - 105, 4 + 315])
  })

  const cases = [
    ...ACTIVATIONS.map((activation, i): [string, DenseShape] => [
      `${activation}, seed ${i}`,
      randomDenseShape(i, { activation, hidden: [20, 11], inputs: 7, outputs: 5, output: 'linear' }),
    ]),
    ...(['tanh', 'softplus', 'elu', 'silu'] as const).map((output, i): [string, DenseShape] => [
      `output ${output}, seed ${i + 10}`,
      randomDenseShape(i + 10, { output, activation: 'silu', hidden: [9], inputs: 4, outputs: 3 }),
    ]),
    ['no hidden layer, seed 20', randomDenseShape(20, { hidden: [], inputs: 5, outputs: 2, output: 'tanh' })],
  ] as [string, DenseShape][]
  it.each(cases)('pulls back what finite differences show (%s)', async (_, shape) => {
    const network = await createDenseNetwork(shape, randomDenseTensors(shape, 5), { backend: 'scalar' })
    const count = 20
    const inputs = randomRows(count, shape.inputs, 5)
    const cotangents = randomRows(count, shape.outputs, 6)
    const { gradients } = askDense(network, inputs, count, cotangents)
    // The network sees single precision: a step that it can hold.
    const step = 2 ** -10
    for (let i = 0; i < shape.inputs; i++) {
      const sums = [-1, 1].map((sign) => {
        const moved = inputs.map((x, k) => (k % shape.inputs === i ? Math.fround(x + sign * step) : x))
        const values = new Float64Array(count * shape.outputs)
        network.evaluate(moved, count, values)
        return { moved, values }
      })
      const off = Array.from({ length: count }, (_, row) => {
        let difference = 0
        for (let j = row * shape.outputs; j < (row + 1) * shape.outputs; j++) {
          difference += cotangents[j] * (sums[1].values[j] - sums[0].values[j])
        }
        const at = row * shape.inputs + i
        const slope = difference / (sums[1].moved[at] - sums[0].moved[at])
        return Math.abs(slope - gradients[at])
      })
      // A kink of relu between the two points shows in a few of them.
      const wrong = off.filter((by) => !(by < 1e-5))
      expect(wrong.length, `input ${i}: off by ${wrong}`).toBeLessThanOrEqual(shape.activation === 'relu' ? 3 : 0)
    }
  })
})

describe('createDenseNetwork', () => {
  const tensors = randomDenseTensors(twoByTwo, 1)
  it('refuses tensors and sizes that do not fit the shape', async () => {
    await expect(createDenseNetwork({ ...twoByTwo, outputs: 3 }, tensors)).rejects.toThrow(
      "dense network: tensor 'dense.1.weight' has 4 values; its shape [2, 3] needs 6.",
    )
    await expect(createDenseNetwork({ ...twoByTwo, inputs: 0 }, tensors)).rejects.toThrow(
      'dense network: inputs of size 0; it needs a whole number from 1 to 65536.',
    )
    await expect(createDenseNetwork(twoByTwo, new Map())).rejects.toThrow("tensor 'dense.0.weight' is missing")
  })

  it.each(['scalar', 'simd'] as const)('refuses queries whose arrays are too short (%s)', async (backend) => {
    const network = await createDenseNetwork(twoByTwo, tensors, { backend })
    const [two, four] = [new Float32Array(2), new Float32Array(4)]
    expect(() => network.evaluate(two, 2, four)).toThrow(
      'dense network: inputs is Float32Array of 2; 2 rows of 2 need 4 in a Float32Array or Float64Array.',
    )
    expect(() => network.evaluate(four, 2, two)).toThrow('dense network: values is Float32Array of 2; ')
    expect(() => network.evaluate(four, 1.5, four)).toThrow('dense network: 1.5 rows asked; pass a whole number.')
    expect(() => network.pullBack(four, 2, two, four, four)).toThrow('cotangents is Float32Array of 2; ')
    expect(() => network.pullBack(four, 2, null, four, two)).toThrow('gradients is Float32Array of 2; ')
  })
})
