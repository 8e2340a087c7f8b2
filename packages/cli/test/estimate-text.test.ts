import type { JobEstimate } from '@pliant/train'
import { describe, expect, it } from 'vitest'
import { budgetText, estimateText } from '../src/estimate-text.js'

const estimate = (more: Partial<JobEstimate> = {}): JobEstimate => ({
  seconds: 840,
  stages: [
    { stage: 'before', seconds: 20 },
    { stage: 'poses', seconds: 180 },
    { stage: 'modes', seconds: 2 },
    { stage: 'label', seconds: 220 },
    { stage: 'learn', seconds: 360 },
    { stage: 'judges', seconds: 50 },
    { stage: 'evaluate', seconds: 8 },
  ],
  counts: { poses: 1500, steps: 6000, judges: 50 },
  ...more,
})
const wantedCounts = { poses: 1500, steps: 6000, judges: 50 }

describe('what is said of the time', () => {
  it('is one line in one unit, what is judged together, and nothing that takes no time', () => {
    expect(estimateText(estimate())).toBe('about 14 min: so far 0.3, poses 3, labels 3.7, learning 6, evaluating 1')
    const short = { seconds: 40.4, stages: [{ stage: 'learn', seconds: 40.4 }] } as const
    expect(estimateText(estimate({ ...short, stages: [...short.stages] }))).toBe('about 40 s: learning 40')
    expect(estimateText(estimate({ seconds: 9000, stages: [] }))).toMatch(/^about 2.5 h/)
  })

  it('names what a budget cuts, and the least if it cannot be kept', () => {
    expect(budgetText(estimate())).toBeUndefined()
    const budget = { given: 900, wanted: 840, least: 60, wantedCounts }
    expect(budgetText(estimate({ budget }))).toBeUndefined()
    const counts = { poses: 300, steps: 2000, judges: 50 }
    expect(budgetText(estimate({ counts, budget: { ...budget, given: 300 } }))).toBe(
      'the budget of 5 min is less than the 14 min of the whole job; cut to 300 of 1,500 poses, 2,000 of 6,000 steps',
    )
    const least = { poses: 16, steps: 150, judges: 6 }
    expect(budgetText(estimate({ counts: least, budget: { ...budget, given: 30, least: 95 } }))).toBe(
      'the budget of 30 s cannot be kept: the least takes about 1.6 min; going on with 16 of 1,500 poses, 150 of 6,000 steps, 6 of 50 poses to evaluate on',
    )
  })
})
