import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { writeMedit } from 'pliant/files'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { boxOfTets } from '../../../pliant/test/mesh/box-of-tets.js'
import { runPliant, temporaryFolder } from '../run-pliant.js'

const folder = temporaryFolder()
const words = ['train', 'box.json', '--out', 'box.safetensors', '--json']
const kept = folder.file('box.safetensors.checkpoint-poses')
/** More than the header: at least one drop is finished. */
const HEADER = 100

beforeAll(() => {
  writeFileSync(folder.file('box.mesh'), writeMedit(boxOfTets([2, 1, 1], [0.4, 0.2, 0.2])))
  const spec = {
    model: { body: 'box.mesh', modes: 6 },
    method: 'paper',
    network: { hidden: [8] },
    steps: 2,
    poses: 200,
    pointsPerPose: 20,
    posesPerBatch: 2,
    pointsPerBatchPose: 16,
    evaluation: { poses: 1, points: 20 },
  }
  writeFileSync(folder.file('box.json'), JSON.stringify(spec))
})
afterAll(folder.remove)

it('an elastic body goes on after Ctrl-C while it is dropped, and leaves nothing behind', async () => {
  let waiting: ReturnType<typeof setInterval> | undefined
  const stopped = await runPliant(words, {
    cwd: folder.path,
    onStart(kill) {
      waiting = setInterval(() => {
        if (!existsSync(kept) || statSync(kept).size <= HEADER) return
        clearInterval(waiting)
        kill('SIGINT')
      }, 20)
    },
  })
  expect(stopped.code, stopped.stderr).toBe(130)
  expect(stopped.stderr).toContain('--resume goes on with the poses in box.safetensors.checkpoint-poses.')
  expect(statSync(kept).size).toBeGreaterThan(HEADER)
  expect(existsSync(folder.file('box.safetensors'))).toBe(false)

  const { code, stdout, stderr } = await runPliant([...words, '--resume'], { cwd: folder.path })
  expect(code, stderr).toBe(0)
  const { drops, warnings } = JSON.parse(stdout)
  expect(drops).toMatchObject({ count: 200 })
  expect(drops.runs).toBeGreaterThanOrEqual(25)
  const told = warnings.some((line: string) => line === `${drops.dropped} poses left out that were like others`)
  expect(told).toBe(drops.dropped > 0)
  expect(readdirSync(folder.path).sort()).toEqual(['box.json', 'box.mesh', 'box.safetensors'])
})
