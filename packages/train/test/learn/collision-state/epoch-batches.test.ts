import { randomStream } from 'pliant'
import { describe, expect, it } from 'vitest'
import { stepsPerEpoch } from '../../../src/learn/collision-state/collision-state-options.js'
import { EpochBatches, rowsToLearn, someOf, validated } from '../../../src/learn/collision-state/epoch-batches.js'

const random = (index = 0) => randomStream(5, index)

describe('batches of epochs', () => {
  it('go through all but one row in five, once in each epoch, in another order', () => {
    const batches = new EpochBatches(50, 10, random)
    expect(stepsPerEpoch(50, 10)).toBe(4)
    const epochs = [0, 1].map((epoch) => [0, 1, 2, 3].flatMap((step) => [...batches.rowsOf(4 * epoch + step)]))
    const learned = Array.from({ length: 50 }, (_, row) => row).filter((row) => row % 5 !== 4)
    for (const rows of epochs) expect([...rows].sort((a, b) => a - b)).toEqual(learned)
    expect(epochs[0]).not.toEqual(epochs[1])
    expect([...validated(50), ...learned].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, row) => row))
  })

  it('are the same whichever step is asked first', () => {
    const [forward, backward] = [new EpochBatches(33, 8, random), new EpochBatches(33, 8, random)]
    const steps = [0, 1, 2, 3, 4, 5, 6, 7, 8]
    const asked = steps.map((step) => [...forward.rowsOf(step)])
    const again = [...steps].reverse().map((step) => [...backward.rowsOf(step)])
    expect(again.reverse()).toEqual(asked)
    for (const rows of asked) expect(rows).toHaveLength(8)
  })
})

it('some of the rows that are learned from are each once, while there are enough', () => {
  const rows = rowsToLearn(100)
  expect(rows).toHaveLength(80)
  const some = someOf(rows, 60, random())
  expect(new Set(some).size).toBe(60)
  for (const row of some) expect(row % 5).not.toBe(4)
  expect(new Set(someOf(rows, 200, random())).size).toBe(80)
  expect(someOf(rows, 60, random(1))).not.toEqual(some)
})
