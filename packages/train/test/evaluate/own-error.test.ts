import { randomStream } from 'pliant'
import { expect, it } from 'vitest'
import { ownErrorReport } from '../../src/evaluate/own-error.js'
import { rankCorrelation } from '../../src/evaluate/rank-correlation.js'
import { type Bending, bendNodes, LARGEST_BENDINGS } from '../../src/poses/bent-nodes.js'

it('correlates ranks: whatever rises with the other is 1, equal values share their rank', () => {
  expect(rankCorrelation([1, 2, 3, 4], [1, 10, 100, 1e6])).toBeCloseTo(1, 12)
  expect(rankCorrelation([1, 2, 3, 4], [4, 3, 2, 1])).toBeCloseTo(-1, 12)
  // By hand: ranks 0, 1.5, 1.5, 3 and 0, 1, 2, 3.
  expect(rankCorrelation([1, 2, 2, 5], [1, 2, 3, 4])).toBeCloseTo(4.5 / Math.sqrt(4.5 * 5), 12)
  expect(rankCorrelation([3], [3])).toBeNaN()
})

it('counts what is flagged, and how much of what is far off', () => {
  const told = [
    { error: 1, expected: 2, trusted: true },
    { error: 2.9, expected: 1.45, trusted: false },
    { error: 3, expected: 3, trusted: false },
    { error: 9, expected: 9, trusted: true },
  ]
  const { rankCorrelation: _, ...report } = ownErrorReport(told, 1)
  expect(report).toEqual({ poses: 4, ratio: 1, flagged: 2, farOff: 2, farOffFlagged: 1 })
})

it.each(Object.keys(LARGEST_BENDINGS) as Bending[])('bends nodes by as much as it says: %s (seed 2)', (kind) => {
  const random = randomStream(2)
  const rest = Float64Array.from({ length: 900 }, () => random.between(-1, 1))
  const tiny = bendNodes(rest, kind, 1e-6, random)
  const largest = bendNodes(rest, kind, LARGEST_BENDINGS[kind], random)
  const furthest = (moved: Float64Array): number =>
    moved.reduce((most, value, i) => Math.max(most, Math.abs(value - rest[i])), 0)
  expect(furthest(tiny)).toBeLessThan(1e-5)
  expect(furthest(largest)).toBeGreaterThan(0.1)
  expect(furthest(largest)).toBeLessThan(3)
})
