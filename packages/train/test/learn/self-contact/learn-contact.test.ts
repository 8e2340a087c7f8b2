/** Both learners on a boundary that is known: a ball in two and three dimensions, free outside. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomStream } from 'pliant'
import { describe, expect, test } from 'vitest'
import { SignLabels } from '../../../src/label/sign-labels.js'
import type { Columns } from '../../../src/learn/rounds/index.js'
import { ContactNetwork } from '../../../src/learn/self-contact/contact-network.js'
import { CONTACT_DEFAULTS } from '../../../src/learn/self-contact/contact-options.js'
import { GapSight, graphOfGaps } from '../../../src/learn/self-contact/gap-sight.js'
import { learnContact } from '../../../src/learn/self-contact/learn-contact.js'
import type { LearnedContact } from '../../../src/learn/self-contact/learned-contact.js'
import { learnByPaper } from '../../../src/learn/self-contact/paper/learn-by-paper.js'
import { iterationsOf, PAPER_DEFAULTS } from '../../../src/learn/self-contact/paper/paper-options.js'
import { readSpec } from '../../../src/train/subjects.js'

const RADIUS = 0.6
const ballOf = (size: number): SignLabels => {
  const bounds = { lower: new Float64Array(size).fill(-1), upper: new Float64Array(size).fill(1) }
  return new SignLabels(size, bounds, (code) => Math.hypot(...Array.from(code)) > RADIUS)
}
const few = {
  ...CONTACT_DEFAULTS,
  labels: 40_000,
  rounds: 2,
  steps: 600,
  hidden: [32, 32],
  batch: 512,
  distances: 2000,
}
const short = {
  ...PAPER_DEFAULTS,
  iterations: [30, 30] as const,
  pool: 2000,
  candidates: 100,
  explore: 100,
  extra: 20,
  eikonal: 256,
  distances: 50,
  hidden: [24, 24],
}
const run = { seed: 1, specHash: 'ball', threads: 1 }

describe('self-contact learned by us', () => {
  test('tells the inside of a ball from its outside, and how far away it is', async () => {
    const learned = await learnContact(ballOf(3), new GapSight(3, undefined, few), few, run)
    const { accuracy, error } = await judge(learned, 3)
    expect(accuracy).toBeGreaterThan(0.985)
    expect(error).toBeLessThan(0.02)
    expect(learned.labels).toBeGreaterThan(0.85 * few.labels)
    expect(learned.labels).toBeLessThan(1.1 * few.labels)
  })

  test('refuses a box in which nothing touches, and one in which everything does', async () => {
    const bounds = { lower: Float64Array.of(-1, -1), upper: Float64Array.of(1, 1) }
    const learn = (isFree: boolean) =>
      learnContact(new SignLabels(2, bounds, () => isFree), new GapSight(2, undefined, few), few, run)
    await expect(learn(true)).rejects.toThrow(/none of \d+ codes in the box touches itself.*model\.reach/)
    await expect(learn(false)).rejects.toThrow(/all of \d+ codes in the box touch themselves.*model\.reach/)
  })
})

describe('self-contact learned as in the paper', () => {
  test('tells the inside of a disc from its outside', async () => {
    const learned = await learnByPaper(ballOf(2), short, run)
    const { accuracy } = await judge(learned, 2)
    expect(accuracy).toBeGreaterThan(0.95)
    expect(learned.labels).toBe(30 * 200 + 30 * 250)
  })

  test('may end after its first pass, whose network is then the result', async () => {
    const learned = await learnByPaper(ballOf(2), { ...short, iterations: [30, 0] }, run)
    expect((await judge(learned, 2)).accuracy).toBeGreaterThan(0.95)
    expect([learned.labels, learned.steps]).toEqual([30 * 200, 300])
    expect(learned.data.columns.use.every((use) => use === 0)).toBe(true)
  })

  test('takes the steps that a spec says, by default the iterations of the paper', () => {
    const body = '{ "model": { "body": "snake", "modes": 7 }, "learn": "self-contact", "method": "paper" }'
    expect(iterationsOf(readSpec(body).steps)).toEqual([...PAPER_DEFAULTS.iterations])
    expect(iterationsOf(readSpec(body, { steps: 70 }).steps)).toEqual([4, 3])
    expect(iterationsOf(1)).toEqual([1, 0])
  })
})

describe.each([
  [
    'ours',
    (path: object) =>
      learnContact(
        ballOf(2),
        new GapSight(2, undefined, few),
        { ...few, labels: 4000, steps: 60 },
        { ...run, ...path },
      ),
  ],
  ['the paper', (path: object) => learnByPaper(ballOf(2), short, { ...run, ...path })],
] as const)('learning by %s', (_, learn) => {
  test('that was stopped goes on to the same bytes', async () => {
    const whole = await learn({})
    const checkpointPath = join(mkdtempSync(join(tmpdir(), 'pliant-')), 'c')
    const stopping = new AbortController()
    const onProgress = ({ fraction }: { fraction: number }): void => {
      if (fraction > 0.55) stopping.abort()
    }
    await expect(learn({ checkpointPath, signal: stopping.signal, onProgress })).rejects.toThrow(/abort/i)
    const resumed = await learn({ checkpointPath, resume: true })
    for (const [name, values] of whole.weights) expect(resumed.weights.get(name)).toEqual(values)
    expect(resumed.labels).toBe(whole.labels)
  })
})

async function judge({ shape, weights }: Pick<LearnedContact<Columns>, 'shape' | 'weights'>, size: number) {
  const network = await ContactNetwork.create(graphOfGaps(shape), 1)
  const random = randomStream(23)
  const codes = Float32Array.from({ length: 4000 * size }, () => random.between(-1, 1))
  const values = await network.valuesAt(weights, codes)
  await network.dispose()
  let [right, error] = [0, 0]
  values.forEach((value, i) => {
    const truth = Math.hypot(...codes.subarray(i * size, (i + 1) * size)) - RADIUS
    right += Number(value > 0 === truth > 0)
    error += Math.abs(value - truth)
  })
  return { accuracy: right / 4000, error: error / 4000 }
}
