import { CLEARANCE_LEARNING, clearanceLearning, readSpec } from '@pliant/train/unstable'
import { expect, it } from 'vitest'
import { ownLabels } from '../../../../src/suites/handler/cells/train-cell.js'

it.each([300, 5999, 8000, 12_000, 20_000, 40_000, 60_000])(
  'all exact tests of ours are within a budget of %i, and nearly as many',
  (budget) => {
    const spec = readSpec(JSON.stringify({ model: { meshes: 'x/*.obj' } }), { poses: ownLabels(budget) })
    const { labels, pilot, tested } = clearanceLearning(spec)
    expect(labels + pilot + tested).toBeLessThanOrEqual(budget)
    expect(labels + pilot + tested).toBeGreaterThan(budget - 3)
    expect(pilot).toBeLessThanOrEqual(CLEARANCE_LEARNING.pilot)
  },
)
