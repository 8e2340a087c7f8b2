/** No training ends in silence with a bad result: one line, exit 1, and a file that says so wherever it is read. */
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saveNpy } from '../npy.js'
import { isOneLine, runPliant, temporaryFolder } from '../run-pliant.js'
import { tubeGlb } from '../tube-glb.js'

const folder = temporaryFolder()
const run = (...words: string[]) => runPliant(words, { cwd: folder.path, judged: true })
/** A bar that bends much, learned in three steps. */
const BAD = { model: 'bar', poses: 4, pointsPerPose: 60, steps: 3, evaluation: { poses: 3, points: 200 } }
const FAULT = /train: bad\.safetensors is written but marked as bad: its mean error[^\n]*% [^\n]*; train longer/

beforeAll(() => writeFileSync(folder.file('bad.json'), JSON.stringify(BAD)))
afterAll(folder.remove)

describe('a training that ends with a bad result', () => {
  it('says so in one line and exits 1, the file written but marked', async () => {
    const { code, stdout, stderr } = await run('train', 'bad.json', '--out', 'bad.safetensors', '--quiet', '--json')
    expect(code).toBe(1)
    expect(isOneLine(stderr)).toBe(true)
    expect(stderr).toMatch(FAULT)
    const { fault } = JSON.parse(stdout)
    expect(fault).toContain('its mean error')

    const inspected = await run('inspect', 'bad.safetensors')
    expect(inspected.stdout).toContain(`marked when it was trained: ${fault}`)
    expect(JSON.parse((await run('inspect', 'bad.safetensors', '--json')).stdout).fault).toBe(fault)

    saveNpy(
      folder.file('Z.npy'),
      new Float64Array(JSON.parse((await run('inspect', 'bad.safetensors', '--json')).stdout).code.size),
    )
    saveNpy(folder.file('P.npy'), new Float64Array(6), [2, 3])
    const words = ['query', 'bad.safetensors', '--code', 'Z.npy', '--points', 'P.npy', '--out', 'D.npy', '--json']
    const asked = await run(...words)
    expect(asked.code).toBe(0)
    expect(JSON.parse(asked.stdout).fault).toBe(fault)
    expect(asked.stderr).toContain(`was marked as bad when it was trained: ${fault}`)
  })

  it('exits 0 if it was a trial, and says so all the same', async () => {
    const { code, stdout } = await run('train', 'bad.json', '--out', 'bad.safetensors', '--quiet', '--trial')
    expect(code).toBe(0)
    expect(stdout).toContain('warning: marked as bad: its mean error')
  })

  it('is found of a character too, beside rigid bone grids', async () => {
    writeFileSync(folder.file('hero.glb'), await tubeGlb({ clips: true }))
    const words = ['train', 'hero.glb', '--out', 'hero.safetensors', '--method', 'paper', '--quiet', '--json']
    const { code, stdout, stderr } = await run(...words, '--poses', '4', '--steps', '3')
    expect(code).toBe(1)
    expect(stderr).toContain('marked as bad')
    expect(JSON.parse(stdout).fault).not.toBeNull()
  })
})
