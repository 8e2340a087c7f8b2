import type { OnProgress } from 'pliant/unstable'
import { expect, it } from 'vitest'
import { labelInBlocks } from '../../src/label/label-blocks.js'

it('labels every pose once, in order, and tells how far it is', async () => {
  const seen: number[] = []
  const told: number[] = []
  const label = async (from: number, count: number, tell: OnProgress): Promise<void> => {
    for (let pose = from; pose < from + count; pose++) seen.push(pose)
    tell({ fraction: 0.5, stage: '' })
    tell({ fraction: 1, stage: '' })
  }
  expect(await labelInBlocks(100, label, { onProgress: ({ fraction }) => told.push(fraction) })).toBe(100)
  expect(seen).toEqual(Array.from({ length: 100 }, (_, pose) => pose))
  expect(told).toEqual([...told].sort((a, b) => a - b))
  expect(told.at(-1)).toBe(1)
})

it('ends after a block when time is over, never without one, and never short of an end that is reached', async () => {
  let blocks = 0
  const label = async (): Promise<void> => {
    blocks++
  }
  expect(await labelInBlocks(1000, label, { isOver: () => blocks >= 3 })).toBe(96)
  expect(await labelInBlocks(1000, label, { isOver: () => true })).toBe(32)
  expect(await labelInBlocks(20, label, { isOver: () => true })).toBe(20)
})
