import type { LinearModes, TrainedField } from 'pliant'
import type { ExactMeshField } from 'pliant/exact'
import { expect, it } from 'vitest'
import { QueryTimer } from '../../../src/pages/field/query-timer.js'

it('the two take turns within a round, so that a slow moment of the machine meets both', () => {
  const order: string[] = []
  const field = { update: () => order.push('update'), query: () => order.push('learned') } as unknown as TrainedField
  const exact = { update: () => order.push('refit'), query: () => order.push('exact') } as unknown as ExactMeshField
  const timer = new QueryTimer(field, exact, { vertexCount: 4 } as LinearModes, 0.1)
  const { learnedMs, exactMs } = timer.round(new Float64Array(1), new Float64Array(12))
  expect(Math.min(learnedMs, exactMs)).toBeGreaterThanOrEqual(0)
  const turn = ['update', 'learned', 'refit', 'exact']
  expect(order.slice(0, 8)).toEqual([...turn, ...turn])
  expect(order.length).toBeGreaterThanOrEqual(16)
})
