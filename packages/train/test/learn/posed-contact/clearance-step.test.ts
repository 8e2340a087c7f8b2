/** The loss of clearances: errors within reach, and nothing for being beyond the end of what labels tell. */
import { expect, it } from 'vitest'
import { add, matmul } from '../../../src/graph/index.js'
import type { ClearanceGraph } from '../../../src/learn/posed-contact/clearance-graph.js'
import { compileClearanceStep } from '../../../src/learn/posed-contact/clearance-step.js'

/** A network that says the same three clearances of every code. */
const GRAPH: ClearanceGraph = {
  codeSize: 1,
  pairs: 3,
  tensors: new Map([
    ['slope', [1, 3]],
    ['value', [3]],
  ]),
  values: (tensor, codes) => add(matmul(codes, tensor('slope')), tensor('value')),
}

/** Loss and values after one step, for codes of zero. */
async function stepFrom(values: number[], clearances: number[]) {
  const start = new Map([
    ['slope', new Float32Array(3)],
    ['value', Float32Array.from(values)],
  ])
  const step = await compileClearanceStep(GRAPH, start, 8, 1)
  const feeds = {
    codes: new Float32Array(8),
    clearances: Float32Array.from({ length: 24 }, (_, i) => clearances[i % 3]),
  }
  const { loss } = await step.run(feeds, { learningRate: 0.01 })
  const moved = step
    .parameters()
    .get('value')!
    .map((value, i) => Math.sign(Math.fround(value) - Math.fround(values[i])))
  await step.dispose()
  return { loss, moved: [...moved] }
}

it('is none for what is further than labels reach, or deeper', async () => {
  const { loss, moved } = await stepFrom([1.5, -1.5, 0.25], [1, -1, 0.25])
  expect(loss).toBeCloseTo(0, 10)
  expect(moved).toEqual([0, 0, 0])
})

it('draws values to what labels tell, from either side', async () => {
  expect((await stepFrom([0.5, -0.5, 0.5], [1, -1, 0.25])).moved).toEqual([1, -1, -1])
  expect((await stepFrom([1.5, -1.5, -0.5], [0.5, -0.5, 0.25])).moved).toEqual([-1, 1, 1])
})

it('is the square of the error, weighted by nearness: 0.15 / (0.15 + |clearance|)', async () => {
  const { loss } = await stepFrom([0.1, 0.6, 1], [0, 0.5, 1])
  const due = 0.01 + (0.15 / 0.65) * 0.01
  expect(loss).toBeCloseTo(due, 6)
})
