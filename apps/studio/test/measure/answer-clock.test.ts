import type { ConfigurationField, ExactTest } from 'pliant'
import { expect, it, vi } from 'vitest'
import { AnswerClock } from '../../src/measure/answer-clock.js'

it('tells what answers take once they are compiled: the slow ones before the first look are not counted', () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  let asked = 0
  // The first hundred take 5 ms, others 0.25 ms; an exact one 3 ms.
  const field = {
    codeSize: 2,
    query: () => {
      now += asked++ < 100 ? 5 : 0.25
    },
  } as unknown as ConfigurationField
  const exact = {
    touches: () => {
      now += 3
      return false
    },
  } as unknown as ExactTest
  const clock = new AnswerClock(field, exact, { learned: 8, exact: 2 })
  expect(clock.microseconds.learned).toBeNaN()
  clock.look(Float64Array.of(0, 0))
  expect(clock.microseconds).toEqual({ learned: 250, exact: 3000 })
  const before = asked
  clock.look(Float64Array.of(0, 0))
  expect(asked - before).toBe(8)
  vi.restoreAllMocks()
})
