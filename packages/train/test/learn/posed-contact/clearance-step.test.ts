/** The loss of clearances: errors within reach, and nothing for being beyond the end of what labels tell. */
import type { PosedGapShape } from 'pliant/unstable'
import { posedGapTensors } from 'pliant/unstable'
import { expect, it } from 'vitest'
import { compileClearanceStep } from '../../../src/learn/posed-contact/clearance-step.js'

/** Three pairs, each with a ball of either part, a metre apart. */
const SHAPE: PosedGapShape = {
  ...{ codeSize: 1, frames: 1, pairs: 3, places: 1, seen: 1 },
  ...{ hidden: [], activation: 'silu', far: 1, perMetre: 1, softness: 0.3 },
}

/** Loss, and where radii go in one step, of pairs that say such clearances whatever they see. */
async function stepFrom(values: number[], clearances: number[]) {
  const start = new Map(
    [...posedGapTensors(SHAPE)].map(([name, dims]) => {
      const size = dims.reduce((product, n) => product * n, 1)
      return [name, name === 'gap.radius' ? Float32Array.from(values, (value) => 1 - value) : new Float32Array(size)]
    }),
  )
  const step = await compileClearanceStep(SHAPE, start, 8, 1)
  const feeds = {
    // x of the first places is 0, of the second 1; y and z of all are 0.
    places: Float32Array.from({ length: 3 * 8 * 3 * 2 }, (_, i) => (i < 48 ? i % 2 : 0)),
    seen: new Float32Array(8 * 3 * 6).fill(0.5),
    clearances: Float32Array.from({ length: 24 }, (_, i) => clearances[i % 3]),
  }
  const { loss } = await step.run(feeds, { learningRate: 0.01 })
  const radii = step.parameters().get('gap.radius')!
  const moved = values.map((value, i) => Math.sign(Math.fround(1 - value) - radii[i]))
  const learned = [...step.parameters().keys()]
  await step.dispose()
  return { loss, moved, learned }
}

it('is none for what is further than labels reach, or deeper', async () => {
  const { loss, moved, learned } = await stepFrom([1.5, -1.5, 0.25], [1, -1, 0.25])
  expect(loss).toBeCloseTo(0, 8)
  expect(moved.slice(0, 2)).toEqual([0, 0])
  expect(learned.sort()).toEqual(['gap.radius', 'pair.0.bias', 'pair.0.weight'])
})

it('draws values to what labels tell, from either side', async () => {
  expect((await stepFrom([0.5, -0.5, 0.5], [1, -1, 0.25])).moved).toEqual([1, -1, -1])
  expect((await stepFrom([1.5, -1.5, -0.5], [0.5, -0.5, 0.25])).moved).toEqual([-1, 1, 1])
})

it('is the square of the error, weighted by nearness: 0.15 / (0.15 + |clearance|)', async () => {
  const { loss } = await stepFrom([0.1, 0.6, 1], [0, 0.5, 1])
  const due = 0.01 + (0.15 / 0.65) * 0.01
  expect(loss).toBeCloseTo(due, 5)
})
