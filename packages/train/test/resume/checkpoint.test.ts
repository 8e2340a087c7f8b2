/** Saving a run, and what happens when that fails or comes at the end. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// The built package: labelling workers are files of it.
import { readSpec, train } from '@pliant/train'
import { afterAll, expect, test } from 'vitest'
import { savingOrWarning } from '../../src/resume/checkpoint.js'

const folder = mkdtempSync(join(tmpdir(), 'pliant-checkpoint-'))
afterAll(() => rmSync(folder, { recursive: true }))
const spec = readSpec(
  JSON.stringify({
    model: 'bar',
    steps: 30,
    poses: 8,
    pointsPerPose: 100,
    posesPerBatch: 2,
    pointsPerBatchPose: 32,
    evaluation: { poses: 2, points: 100 },
  }),
)

test('a checkpoint that cannot be written is warned of once, and saving is tried again', async () => {
  const warnings: string[] = []
  const save = savingOrWarning('x.checkpoint', (line) => warnings.push(line))
  const fail = () => {
    throw new Error('disk full')
  }
  expect(save(fail)).toBeUndefined()
  await save(async () => fail())
  expect(save(() => 7)).toBe(7)
  expect(warnings).toEqual(['cannot write x.checkpoint (disk full); the run goes on without.'])
})

test('training goes on to its end where a folder stands in the place of its checkpoint', async () => {
  const checkpointPath = join(folder, 'folder.checkpoint')
  mkdirSync(checkpointPath)
  const warnings: string[] = []
  const { artifact } = await train(spec, { checkpointPath, onWarning: (line) => warnings.push(line) })
  expect(artifact.length).toBeGreaterThan(1000)
  expect(warnings).toEqual([
    expect.stringMatching(/^cannot write .+folder\.checkpoint \(.+\); the run goes on without\.$/),
  ])
})

test('stopped while it is judged a run has all that it learned saved, and goes on to the same bytes', async () => {
  const whole = await train(spec)
  const checkpointPath = join(folder, 'judged.checkpoint')
  const stop = new AbortController()
  const stopped = train(spec, {
    checkpointPath,
    signal: stop.signal,
    onProgress: ({ stage }) => stage === 'evaluate' && stop.abort(),
  })
  await expect(stopped).rejects.toThrow(/abort/i)
  expect(existsSync(checkpointPath)).toBe(true)
  const stages = new Set<string>()
  const resumed = await train(spec, { checkpointPath, resume: true, onProgress: ({ stage }) => stages.add(stage) })
  expect(Buffer.from(resumed.artifact).equals(whole.artifact)).toBe(true)
  expect([...stages]).not.toContain('learn')
})
