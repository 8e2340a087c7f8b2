import { expect, test } from 'vitest'
import { LEAST_ROUNDS, stopwatch, timeTurns, timeTurnsAwaiting } from '../../src/timing/turns.js'

test('every rival has seven rounds that count, however slow, and one before them', async () => {
  const asked: Record<string, number> = { a: 0, b: 0 }
  const ask = (name: string): void => {
    asked[name]++
  }
  const { rounds, medians } = timeTurns({ a: 'a', b: 'b' }, [0], 0, ask)
  expect([LEAST_ROUNDS, rounds]).toEqual([7, 7])
  expect(asked).toEqual({ a: 8, b: 8 })
  expect(Object.keys(medians)).toEqual(['a', 'b'])
  expect((await timeTurnsAwaiting({ a: 'a', b: 'b' }, [0], 0, ask)).rounds).toBe(7)
})

test('every rival is warmed up by itself before the turns', () => {
  const asked: string[] = []
  timeTurns({ a: 'a', b: 'b' }, [0], 0.001, (name) => {
    asked.push(name)
  })
  const alone = asked.indexOf('b')
  expect(asked.slice(0, alone)).toEqual(Array(alone).fill('a'))
  expect(alone).toBeGreaterThan(1)
  expect(asked[alone + 1]).toBe('b')
})

test('a stopwatch does not count what others had of the processor, nor our own threads twice', () => {
  const clocks = { wall: 100, spent: 5000 }
  const elapsed = stopwatch({ now: () => clocks.wall, used: () => clocks.spent })
  // 10 ms by the clock, of which we had 3.
  Object.assign(clocks, { wall: 110, spent: 8000 })
  expect(elapsed()).toBe(3000)
  // Two threads spent 16 ms within 10.
  Object.assign(clocks, { wall: 110, spent: 21_000 })
  expect(elapsed()).toBe(10_000)
})

test('a stopwatch does not count how long it takes to ask for the processor time', () => {
  const clocks = { wall: 0, spent: 0 }
  const used = (): number => {
    clocks.wall += 1
    clocks.spent += 1000
    return clocks.spent
  }
  const elapsed = stopwatch({ now: () => clocks.wall, used })
  clocks.wall += 0.005
  expect(elapsed()).toBeCloseTo(5)
})
