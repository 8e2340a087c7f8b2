import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// The built package: labelling workers are files of it.
import { type JobEstimate, type JobProgress, readSpec, train } from '@pliant/train'
import { decode } from 'pliant'
import { afterAll, describe, expect, it } from 'vitest'

const spec = readSpec(
  JSON.stringify({
    model: 'bar',
    poses: 640,
    pointsPerPose: 20,
    steps: 330,
    posesPerBatch: 2,
    pointsPerBatchPose: 16,
    network: { hidden: [8] },
    evaluation: { poses: 12, points: 50 },
  }),
)
const folder = mkdtempSync(join(tmpdir(), 'pliant-budget-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A clock on which everything takes as long as it has to say: each look at it is a tenth of a second. */
function countingClock(): () => number {
  let looks = 0
  return () => 100 * looks++
}

describe('a training with a budget, on a clock that counts', () => {
  it('says what it cuts, labels fewer poses, is judged all the same, and goes on with as many', async () => {
    const estimates: JobEstimate[] = []
    const onEstimate = (estimate: JobEstimate): number => estimates.push(estimate)
    const cut = await train(spec, { budgetMinutes: 0.6, now: countingClock(), began: 0, onEstimate })
    expect(estimates).toHaveLength(1)
    const { budget, counts } = estimates[0]
    expect(budget).toMatchObject({ given: 36, wantedCounts: { poses: 640, steps: 330, judges: 12 } })
    expect(budget!.wanted).toBeGreaterThan(36)
    expect(counts.poses).toBeLessThan(640)
    expect(cut.poses).toBeLessThanOrEqual(counts.poses)
    const { training, quality } = (await decode(cut.artifact, 'linear-modes', 'elastic-body')).manifest
    expect(training).toMatchObject({ poses: cut.poses, labels: 20 * cut.poses })
    expect(quality).not.toBeNull()

    const checkpointPath = join(folder, 'cut.checkpoint')
    const controller = new AbortController()
    const stopped = train(spec, {
      budgetMinutes: 0.6,
      now: countingClock(),
      began: 0,
      checkpointPath,
      signal: controller.signal,
      onProgress: ({ stage, detail }) => {
        if (stage === 'learn' && Number(/step (\d+)/.exec(detail)?.[1]) >= 60) controller.abort()
      },
    })
    await expect(stopped).rejects.toThrow('abort')
    const resumed = await train(spec, { checkpointPath, resume: true })
    expect(resumed.poses).toBe(cut.poses)
  })

  it('changes nothing of the result if it is not given, however slow the clock', async () => {
    const told: JobProgress[] = []
    const slow = await train(spec, { now: countingClock(), onProgress: (progress) => told.push(progress) })
    const other = await train(spec)
    expect(slow.artifact).toEqual(other.artifact)
    expect(slow.poses).toBe(640)
    const fractions = told.map(({ fraction }) => fraction)
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b))
    // Once it is known, it is told to the end.
    const known = told.findIndex(({ secondsLeft }) => typeof secondsLeft === 'number')
    expect(known).toBeGreaterThan(0)
    expect(told.slice(known).every(({ secondsLeft }) => typeof secondsLeft === 'number')).toBe(true)
    expect(told.at(-1)!.secondsLeft).toBe(0)
  })
})
