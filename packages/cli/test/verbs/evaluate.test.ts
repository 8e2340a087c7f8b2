import { readFileSync, writeFileSync } from 'node:fs'
import { writeMedit } from 'pliant/files'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boxOfTets } from '../../../pliant/test/mesh/box-of-tets.js'
import { CUBE_OBJ } from '../npy.js'
import { isOneLine, runPliant, temporaryFolder } from '../run-pliant.js'

const folder = temporaryFolder()
const run = (...words: string[]) => runPliant(words, { cwd: folder.path })

/** Seconds to train; good for nothing but to be judged. */
const TINY = {
  method: 'paper',
  network: { hidden: [8] },
  steps: 2,
  poses: 4,
  pointsPerPose: 50,
  posesPerBatch: 2,
  pointsPerBatchPose: 16,
  evaluation: { poses: 1, points: 20 },
}
const FEW = ['--poses', '3', '--points', '50']

async function trainTiny(out: string, spec: object): Promise<void> {
  writeFileSync(folder.file(`${out}.json`), JSON.stringify({ ...TINY, ...spec }))
  const { code, stderr } = await run('train', `${out}.json`, '--out', `${out}.safetensors`, '--quiet')
  expect(code, stderr).toBe(0)
}

beforeAll(async () => {
  writeFileSync(folder.file('box.mesh'), writeMedit(boxOfTets([1, 1, 1], [0.4, 0.2, 0.2])))
  writeFileSync(folder.file('cube.obj'), CUBE_OBJ)
  await trainTiny('box', { model: { body: 'box.mesh', modes: 6 } })
  await trainTiny('more-modes', { model: { body: 'box.mesh', modes: 12 } })
  await trainTiny('cube', { model: 'cube.obj' })
})
afterAll(folder.remove)

describe('evaluate', () => {
  it('of an elastic body tells the shares of material, code and network apart, beside another file', async () => {
    const words = ['evaluate', 'box.safetensors', '--against', 'more-modes.safetensors', ...FEW]
    const { code, stdout, stderr } = await run(...words, '--json')
    expect(code, stderr).toBe(0)
    const result = JSON.parse(stdout)
    const keys = ['file', 'method', 'quality', 'motions', 'ownError', 'body', 'against', 'gates', 'passed', 'seconds']
    expect(Object.keys(result)).toEqual(keys)
    expect(result.quality).toEqual(result.body.runTime.quality)
    expect(result.against).toMatchObject({ file: 'more-modes.safetensors', method: 'paper' })
    for (const material of ['runTime', 'training']) {
      const [own, other] = [result.body[material], result.against.body[material]]
      expect(own).toMatchObject({ drops: { count: 3 }, quality: { points: 150 }, inModes: { points: 150 } })
      expect(other.drops).toEqual(own.drops)
      expect(own.projection.mean).toBeGreaterThan(other.projection.mean)
    }
    const text = await run(...words)
    expect(text.stdout).toMatch(/run time +as it moved +box\.safetensors/)
    expect(text.stdout).toMatch(/training +in the modes +more-modes\.safetensors/)
    expect(text.stdout).toMatch(
      /box\.safetensors, run time: \d of 3 codes lie in the trained range; the modes leave nodes [\d.]+% off/,
    )
    expect(text.stdout).toMatch(/material of training: 3 poses of 1 drops/)
  })

  it('takes its own number of poses and points if none is given', async () => {
    const { stdout } = await run('evaluate', 'cube.safetensors', '--json')
    expect(JSON.parse(stdout).quality).toMatchObject({ poses: 100, points: 200_000 })
  })

  it('holds each limit against the figure that it is said to be for, and fails if it is missed', async () => {
    const evaluate = async (...gates: string[]) => {
      const { code, stdout } = await run('evaluate', 'cube.safetensors', ...FEW, ...gates, '--json')
      return { code, ...JSON.parse(stdout) }
    }
    const { quality } = await evaluate()
    const { bandError, normalError, signAccuracy } = quality
    // 5% of the errors, not half of them: limits between the two must fail, limits above hold.
    const between = (a: number, b: number): string => String((a + b) / 2)
    expect(bandError.p50).toBeLessThan(0.99 * bandError.p95)
    expect(normalError.p50).toBeLessThan(0.99 * normalError.p95)
    const missed = await evaluate(
      ...['--max-error', between(bandError.p50, bandError.p95)],
      ...['--max-normal', between(normalError.p50, normalError.p95)],
      ...['--min-sign', between(signAccuracy, 1)],
    )
    expect(missed.gates).toMatchObject([
      { name: 'max-error', value: bandError.p95, passed: false },
      { name: 'min-sign', value: signAccuracy, passed: false },
      { name: 'max-normal', value: normalError.p95, passed: false },
    ])
    expect(missed).toMatchObject({ code: 1, passed: false })
    const held = await evaluate(
      ...['--max-error', String(1.01 * bandError.p95)],
      ...['--max-normal', String(Math.min(180, 1.01 * normalError.p95))],
      ...['--min-sign', String(0.99 * signAccuracy)],
    )
    expect(held.gates.map(({ passed }: { passed: boolean }) => passed)).toEqual([true, true, true])
    expect(held).toMatchObject({ code: 0, passed: true })
  })

  it('compares files of other objects too', async () => {
    const { code, stdout } = await run('evaluate', 'cube.safetensors', '--against', 'cube.safetensors', ...FEW)
    expect(code).toBe(0)
    expect(stdout.match(/^cube\.safetensors .* 1x$/gm)).toHaveLength(2)
  })

  it('refuses to compare different objects, in one line', async () => {
    const cases: [string[], RegExp][] = [
      [
        ['box.safetensors', '--against', 'cube.safetensors'],
        /cube\.safetensors: .* it is of kind linear-modes, not elastic-body/,
      ],
      [['box.safetensors', '--rivals'], /--rivals are for characters/],
    ]
    for (const [words, message] of cases) {
      const { code, stderr } = await run('evaluate', ...words, ...FEW)
      expect(stderr).toMatch(message)
      expect(isOneLine(stderr), stderr).toBe(true)
      expect(code).toBe(2)
    }
  })

  it('says how many poses are dropped, and stops at Ctrl-C', async () => {
    let stopped = false
    const { code, stdout, stderr } = await runPliant(['evaluate', 'box.safetensors', '--poses', '9000'], {
      cwd: folder.path,
      onStderr(text, kill) {
        if (!stopped && /\d+ of 9000 poses by dropping/.test(text)) {
          kill('SIGINT')
          stopped = true
        }
      },
    })
    expect(stopped).toBe(true)
    expect(code).toBe(130)
    expect(stdout).toBe('')
    expect(stderr).not.toContain('    at ')
    expect(readFileSync(folder.file('box.safetensors')).length).toBeGreaterThan(0)
  })
})
