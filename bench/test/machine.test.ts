import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { describeMachine, median, timeMedian } from '../src/machine.js'

test('the median is the middle, or the mean of the two in the middle, and leaves the times in order', () => {
  const times = [5, 1, 100]
  expect(median(times)).toBe(5)
  expect(times).toEqual([5, 1, 100])
  expect(median([4, 10, 2, 1])).toBe(3)
  expect(() => median([])).toThrow(/no times/)
})

test('calls are warmed up, then timed', () => {
  let calls = 0
  expect(timeMedian(() => calls++, { repeats: 5, warmup: 3 })).toBeGreaterThanOrEqual(0)
  expect(calls).toBe(8)
})

test('a machine is described without its name', () => {
  const machine = describeMachine()
  expect(machine.cores).toBeGreaterThan(0)
  expect(Object.keys(machine)).toEqual(['cpu', 'cores', 'memoryGB', 'node', 'platform'])
  expect(Object.values(machine)).not.toContain(hostname())
})
