import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSpec, train } from '@pliant/train'
// The built package: drops are simulated by files of it.
import { bodyToTrain, dropLogPath, elasticObject } from '@pliant/train/unstable'
import { afterAll, describe, expect, it } from 'vitest'
import { boxOfTets } from '../modes/box-of-tets.js'

const spec = readSpec(
  JSON.stringify({
    model: { body: 'box.msh', modes: 8 },
    method: 'paper',
    network: { hidden: [8] },
    poses: 20,
    pointsPerPose: 50,
    steps: 3,
    posesPerBatch: 2,
    pointsPerBatchPose: 16,
    evaluation: { poses: 2, points: 50 },
  }),
)
const object = elasticObject(boxOfTets([2, 1, 1], [0.4, 0.2, 0.2]), spec, { modes: 8 })

describe('training stopped while it drops', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-resume-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const checkpointPath = join(folder, 'a.checkpoint')

  /** More than the line that a log begins with. */
  const keepsDrops = (): boolean => (statSync(dropLogPath(checkpointPath), { throwIfNoEntry: false })?.size ?? 0) > 1000

  it('goes on with the drops that were finished, to the same bytes as unbroken', async () => {
    const whole = await train(spec, { subject: bodyToTrain(spec, object), threads: 1 })
    const controller = new AbortController()
    const { signal } = controller
    const stopped = train(spec, {
      subject: bodyToTrain(spec, object),
      threads: 1,
      checkpointPath,
      signal,
      onProgress: ({ stage }) => {
        if (stage === 'poses' && keepsDrops()) controller.abort()
      },
    })
    await expect(stopped).rejects.toThrow('abort')
    expect(keepsDrops()).toBe(true)
    expect(existsSync(checkpointPath)).toBe(false)

    const fractions: number[] = []
    const resumed = await train(spec, {
      subject: bodyToTrain(spec, object),
      threads: 1,
      checkpointPath,
      resume: true,
      onProgress: ({ fraction }) => fractions.push(fraction),
    })
    expect(resumed.artifact).toEqual(whole.artifact)
    expect(resumed.drops).toEqual(whole.drops)
    expect(resumed.drops).toMatchObject({ count: 20 })
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b))
    expect(fractions[0]).toBe(0)
    expect(fractions.at(-1)).toBe(1)
  })

  it('refuses drops of another run', async () => {
    const other = { ...spec, seed: 9 }
    // As whoever has written the result does; what is left of the run are its drops.
    rmSync(checkpointPath)
    const another = elasticObject(boxOfTets([2, 1, 1], [0.4, 0.2, 0.2]), other, { modes: 8 })
    await expect(
      train(other, { subject: bodyToTrain(other, another), threads: 1, checkpointPath, resume: true }),
    ).rejects.toThrow(/another body or of other options/)
  })
})
