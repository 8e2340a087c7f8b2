/** The paper's loss, term by term, on numbers that are written down. */
import { describe, expect, it } from 'vitest'
import { compileFunction, input } from '../../../src/graph/index.js'
import {
  type CollisionLoss,
  collisionLoss,
  countsOf,
  truthOf,
} from '../../../src/learn/collision-state/collision-state-step.js'

const NONE: CollisionLoss = { depth: 0, whole: 0, ranking: 0, classes: 0, boundary: 0, margin: 0.3, epsilon: 0.1 }

/** Four codes of two domains: free, on the boundary, deep, deeper. */
const TRUTH = [
  [0, 0],
  [0.04, 0.01],
  [0.5, 0],
  [0.25, 0.75],
]
const FOUND = [
  [0.1, 0],
  [0, 0],
  [0.9, 0.3],
  [0.5, 0.4],
]
const LOGITS = [-1, 2, -0.5, 3]
const WHOLES = TRUTH.map(([a, b]) => a + b)
const SUMS = FOUND.map(([a, b]) => a + b)

async function lossOf(options: Partial<CollisionLoss>): Promise<number> {
  const weights = { ...NONE, ...options }
  const [truth, depths, logits] = [input('truth', [4, 2]), input('depths', [4, 2]), input('logits', [4, 1])]
  const known = truthOf(truth, 4, weights)
  const loss = collisionLoss({ depths, logits }, known, countsOf([known], 1), 4, weights)
  const compiled = await compileFunction({ inputs: [truth, depths, logits], outputs: { loss } })
  const result = await compiled.run({
    truth: Float32Array.from(TRUTH.flat()),
    depths: Float32Array.from(FOUND.flat()),
    logits: Float32Array.from(LOGITS),
  })
  await compiled.dispose()
  return result.loss[0]
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

describe("the loss of the paper's collision detector", () => {
  it('asks for depths of domains, and for the whole with its own weight', async () => {
    const parts = TRUTH.map(([a, b], i) => (FOUND[i][0] - a) ** 2 + (FOUND[i][1] - b) ** 2)
    const wholes = WHOLES.map((whole, i) => (SUMS[i] - whole) ** 2)
    expect(await lossOf({ depth: 5 })).toBeCloseTo(5 * mean(parts), 5)
    expect(await lossOf({ depth: 5, whole: 0.2 })).toBeCloseTo(5 * (mean(parts) + 0.2 * mean(wholes)), 5)
  })

  it('asks that of two codes the deeper one is called deeper, by a margin', async () => {
    // Each with the next, the last with the first; in which order they come does not matter.
    const pairs = [0, 1, 2, 3].map((a) => {
      const b = (a + 1) % 4
      const [less, more] = WHOLES[a] < WHOLES[b] ? [a, b] : [b, a]
      return Math.max(0, 0.3 - (SUMS[more] - SUMS[less]))
    })
    expect(pairs.filter((loss) => loss > 0).length).toBe(2)
    expect(await lossOf({ ranking: 2 })).toBeCloseTo(2 * mean(pairs), 5)
  })

  it('asks for the class of free and of deep codes, not of those on the boundary', async () => {
    const entropy = (logit: number, touching: boolean): number => Math.log1p(Math.exp(touching ? -logit : logit))
    const due = [entropy(-1, false), entropy(-0.5, true), entropy(3, true)]
    expect(await lossOf({ classes: 2 })).toBeCloseTo(2 * mean(due), 5)
    // Without a boundary set all touching codes are classified.
    expect(await lossOf({ classes: 2, epsilon: 0 })).toBeCloseTo(2 * mean([...due, entropy(2, true)]), 5)
  })

  it('asks that codes on the boundary are called neither', async () => {
    const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))
    expect(await lossOf({ boundary: 0.5 })).toBeCloseTo(0.5 * Math.abs(sigmoid(2) - 0.5), 5)
    expect(await lossOf({ boundary: 0.5, epsilon: 0 })).toBe(0)
  })
})
