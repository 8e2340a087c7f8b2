import { expect, it } from 'vitest'
import { ProgramRefusal, type Turn } from '../../../src/suites/native/native-program.js'
import { race, racerOf, ratioOf } from '../../../src/suites/native/race.js'

const turn = { body: 'ball', kind: 'near', count: 1, frames: 3, warm: 1 } as const

it('a ratio is of the same round; nine rounds leave one out at either end', () => {
  const ours = [1, 2, 1, 1, 1, 1, 1, 1, 1]
  const theirs = [9, 16, 7, 6, 5, 4, 3, 2, 1]
  // In the second round both were slow.
  expect(ratioOf(ours, theirs)).toEqual({ ratio: 5, low: 2, high: 8 })
  expect(ratioOf([1, 1, 1], [3, 1, 2])).toEqual({ ratio: 2, low: 1, high: 3 })
})

it('all do the same frames of a round, in an order that changes, and the frames go on', async () => {
  const firsts: Record<string, number[]> = { a: [], b: [], c: [] }
  const order: string[] = []
  const racer = (name: string) => (asked: Turn) => {
    order.push(name)
    firsts[name].push(asked.first)
    return [1, 7, 2]
  }
  const racers = { a: racer('a'), b: racer('b'), c: racer('c') }
  const { rounds } = await race(racers, turn, { rounds: 6, warmUp: 0, bodyFrames: 4 })
  expect(rounds).toEqual({ a: Array(6).fill(2), b: Array(6).fill(2), c: Array(6).fill(2) })
  for (const asked of Object.values(firsts)) expect(asked.slice(-6)).toEqual([0, 3, 2, 1, 0, 3])
  const orders = Array.from({ length: 6 }, (_, round) => order.slice(3 + 3 * round, 6 + 3 * round).join(''))
  expect(new Set(orders).size).toBeGreaterThan(2)
})

it('a program that refuses is left out and told of; another mistake is not', async () => {
  const refusing = () => Promise.reject(new ProgramRefusal('no manifold'))
  const { rounds, refusals } = await race({ a: () => [1, 1, 1], b: refusing }, turn, {
    ...{ rounds: 2, warmUp: 0, bodyFrames: 4 },
  })
  expect(rounds).toEqual({ a: [1, 1] })
  expect(refusals).toEqual({ b: 'no manifold' })
  const broken = () => Promise.reject(new Error('broken'))
  await expect(race({ broken }, turn, { rounds: 1, warmUp: 0, bodyFrames: 4 })).rejects.toThrow('broken')
})

it('what runs here is timed by the frame, without the first ones', async () => {
  const frames: number[] = []
  const times = await racerOf((frame) => frames.push(frame))({ ...turn, first: 5 })
  expect(frames).toEqual([5, 6, 7, 8])
  expect(times).toHaveLength(3)
  expect(times.every((time) => time >= 0)).toBe(true)
})
