/** The gap network on both engines: the trainer's graph, and the runtime. */
import { randomStream } from 'pliant'
import { GapNetwork, type GapShape, gapTensors } from 'pliant/unstable'
import { describe, expect, test } from 'vitest'
import { compileFunction, constant, grad, input, sum } from '../../../src/graph/index.js'
import { gapGraph } from '../../../src/learn/self-contact/gap-graph.js'

const shapes: [string, GapShape][] = [
  ['gaps', { codeSize: 5, gaps: 9, hidden: [24, 16], activation: 'silu' }],
  ['no gaps, as in the paper', { codeSize: 7, gaps: 0, hidden: [70, 70], activation: 'relu' }],
]

describe.each(shapes)('a network of %s (seed 41)', (_, shape) => {
  const random = randomStream(41)
  const dims = gapTensors(shape)
  const tensors = new Map(
    [...dims].map(([name, sizes]) => {
      const size = sizes.reduce((product, n) => product * n, 1)
      return [name, Float32Array.from({ length: size }, () => 0.1 + 0.25 * random.normal())]
    }),
  )
  const count = 41
  const codes = Float32Array.from({ length: count * shape.codeSize }, () => random.between(-1, 1))

  test('answers the same, values and gradients, as a graph and at run time', async () => {
    const q = input('codes', [count, shape.codeSize])
    const values = gapGraph(shape, (name) => constant(tensors.get(name)!, dims.get(name)!), q, count)
    const fn = await compileFunction({ inputs: [q], outputs: { values, gradients: grad(sum(values), [q])[0] } })
    const graph = await fn.run({ codes })
    await fn.dispose()
    for (const backend of ['scalar', 'simd'] as const) {
      const network = await GapNetwork.create(shape, tensors, { backend })
      const [distances, gradients] = [new Float64Array(count), new Float64Array(codes.length)]
      network.query(codes, count, distances, gradients)
      expectClose(distances, graph['values'])
      expectClose(gradients, graph['gradients'])
    }
  })
})

function expectClose(values: Float64Array, expected: Float32Array): void {
  expect(values.length).toBe(expected.length)
  values.forEach((value, i) => {
    expect(Math.abs(value - expected[i])).toBeLessThan(2e-4 * (1 + Math.abs(expected[i])))
  })
}
