/** The dense network on all four engines: the trainer's graph, its ONNX export on onnxruntime, SIMD and plain code. */
import { randomStream } from 'pliant'
import { createOrtDenseNetwork } from 'pliant/unstable'
import { type Activation, createDenseNetwork, type DenseShape, denseTensors } from 'pliant/unstable/dense'
import { describe, expect, it } from 'vitest'
import { exportDenseOnnx } from '../../src/export/dense-onnx.js'
import { compileFunction, constant, exportOnnx, grad, input, square, sum } from '../../src/graph/index.js'
import { denseGraph, pullBackGraph } from '../../src/learn/dense-graph.js'
import { initialDenseTensors } from '../../src/learn/initial.js'

const ACTIVATIONS: Activation[] = ['relu', 'silu', 'tanh', 'elu', 'softplus']
const OUTPUTS: DenseShape['output'][] = ['linear', 'tanh', 'softplus', 'elu', 'silu']

const shapes: [string, DenseShape][] = [
  ...ACTIVATIONS.map((activation, i): [string, DenseShape] => [
    `${activation}, output ${OUTPUTS[i]}`,
    { inputs: 11, outputs: 6, hidden: [24, 17], activation, output: OUTPUTS[i] },
  ]),
  ['one output', { inputs: 5, outputs: 1, hidden: [32], activation: 'softplus', output: 'linear' }],
  ['a decoder', { inputs: 60, outputs: 1800, hidden: [48], activation: 'elu', output: 'linear' }],
  ['no hidden layer', { inputs: 7, outputs: 3, hidden: [], activation: 'relu', output: 'tanh' }],
]

interface Answer {
  values: Float32Array
  gradients: Float32Array
}

describe.each(shapes)('a dense network of %s (seed 31)', (_, shape) => {
  const { inputs: n, outputs: m } = shape
  const random = randomStream(31)
  const tensors = initialDenseTensors(shape, 31)
  for (const [name, values] of tensors) if (name.endsWith('bias')) values.set(values.map(() => 0.3 * random.normal()))
  const dims = denseTensors(shape)
  const tensor = (name: string) => constant(tensors.get(name)!, dims.get(name)!)
  const count = 37
  const inputs = Float32Array.from({ length: count * n }, () => random.between(-1, 1))
  const cotangents = Float32Array.from({ length: count * m }, () => random.between(-1, 1))

  it('answers the same on all engines', async () => {
    const expected = await askRuntime('scalar')
    expectClose(await askRuntime('simd'), expected)
    expectClose(await askOrt(), expected)
    const graph = await compileGraph()
    expectClose(await graph.run({ inputs, cotangents }), expected)
    await graph.dispose()
  })

  it('can be differentiated through its pull back, by its weights', async () => {
    const x = input('inputs', [count, n])
    const c = input('cotangents', [count, m])
    const values = denseGraph(shape, tensor, x)
    const length = sum(square(pullBackGraph(values, c, x)))
    const fn = await compileFunction({ inputs: [x, c], outputs: { length, slope: grad(length, [c])[0] } })
    const { length: before, slope } = await fn.run({ inputs, cotangents })
    // |J^T c|^2 is a quadratic form of c: its slope along c is twice itself.
    const along = cotangents.reduce((total, value, i) => total + value * slope[i], 0)
    expect(along / (2 * before[0])).toBeCloseTo(1, 4)
    await fn.dispose()
  })

  async function askRuntime(backend: 'scalar' | 'simd'): Promise<Answer> {
    const network = await createDenseNetwork(shape, tensors, { backend })
    const answer = { values: new Float32Array(count * m), gradients: new Float32Array(count * n) }
    network.pullBack(inputs, count, cotangents, answer.values, answer.gradients)
    return answer
  }

  async function askOrt(): Promise<Answer> {
    const network = await createOrtDenseNetwork(exportDenseOnnx(shape, tensors), shape)
    const answer = { values: new Float32Array(count * m), gradients: new Float32Array(count * n) }
    await network.pullBack(inputs, count, cotangents, answer.values, answer.gradients)
    const evaluated = new Float32Array(count * m)
    await network.evaluate(inputs, count, evaluated)
    expect(evaluated).toEqual(answer.values)
    await network.dispose()
    return answer
  }

  function compileGraph() {
    const x = input('inputs', ['rows', n])
    const c = input('cotangents', ['rows', m])
    const values = denseGraph(shape, tensor, x)
    return compileFunction({ inputs: [x, c], outputs: { values, gradients: pullBackGraph(values, c, x) } })
  }
})

describe('createOrtDenseNetwork', () => {
  const shape: DenseShape = { inputs: 2, outputs: 3, hidden: [4], activation: 'silu', output: 'linear' }
  const tensors = initialDenseTensors(shape, 1)

  it('answers more rows than it asks onnxruntime at once, and weighs outputs 1 where nothing is said', async () => {
    const count = 5001
    const network = await createOrtDenseNetwork(exportDenseOnnx(shape, tensors), shape)
    const reference = await createDenseNetwork(shape, tensors, { backend: 'scalar' })
    const random = randomStream(3)
    const inputs = Float64Array.from({ length: 2 * count }, () => random.between(-1, 1))
    const answers = [0, 1].map(() => ({ values: new Float32Array(3 * count), gradients: new Float32Array(2 * count) }))
    await network.pullBack(inputs, count, null, answers[0].values, answers[0].gradients)
    reference.pullBack(inputs, count, null, answers[1].values, answers[1].gradients)
    expectClose(answers[0], answers[1])
    await network.dispose()
  })

  it('refuses arrays that are too short, and files of other names', async () => {
    const network = await createOrtDenseNetwork(exportDenseOnnx(shape, tensors), shape)
    const short = new Float32Array(2)
    await expect(network.evaluate(new Float32Array(4), 2, short)).rejects.toThrow('dense network: values is')
    await network.dispose()
    const x = input('points', ['n', 3])
    const other = exportOnnx({ inputs: [x], outputs: { distance: sum(x, [1]) }, parametersAsConstants: true })
    await expect(createOrtDenseNetwork(other, shape)).rejects.toThrow(
      "ort: the file's inputs are 'points'; a dense network needs 'inputs', 'cotangents'.",
    )
  })
})

function expectClose(actual: Answer, expected: Answer): void {
  for (const name of ['values', 'gradients'] as const) {
    expect(actual[name].length).toBe(expected[name].length)
    const worst = expected[name].reduce(
      (most, value, i) => Math.max(most, Math.abs(actual[name][i] - value) / (1 + Math.abs(value))),
      0,
    )
    expect(worst, name).toBeLessThan(2e-5)
  }
}
