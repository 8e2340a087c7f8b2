import { readdirSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isOneLine, runPliant, temporaryFolder } from './run-pliant.js'
import { tubeGlb } from './tube-glb.js'

const folder = temporaryFolder()
const run = (...words: string[]) => runPliant(words, { cwd: folder.path })
const TRAIN = ['train', 'hero.glb', '--poses', '4']

beforeAll(async () => {
  writeFileSync(folder.file('hero.glb'), await tubeGlb({ clips: true }))
})
afterAll(folder.remove)

describe('training a character', () => {
  // That the bytes are those of an unbroken run: packages/train/test/bones/resume.test.ts.
  it('stops at Ctrl-C with a checkpoint, which no other run may go on from', async () => {
    let stopped = false
    const broken = await runPliant([...TRAIN, '--steps', '1000000', '--out', 'a.safetensors'], {
      cwd: folder.path,
      onStderr(text, kill) {
        if (!stopped && text.includes('learn: step')) {
          kill('SIGINT')
          stopped = true
        }
      },
    })
    expect(broken.code, broken.stderr).toBe(130)
    expect(broken.stderr).toContain('--resume goes on from a.safetensors.checkpoint')
    expect(readdirSync(folder.path).filter((name) => name.startsWith('a.'))).toEqual(['a.safetensors.checkpoint'])

    const other = await run(...TRAIN, '--steps', '9', '--out', 'a.safetensors', '--resume')
    expect(other.stderr).toMatch(/a\.safetensors\.checkpoint was made with seed 1 and inputs \w{8}, not 1 and/)
    expect(isOneLine(other.stderr), other.stderr).toBe(true)
    expect(other.code).toBe(2)
    writeFileSync(folder.file('a.safetensors.checkpoint'), 'half of a check')
    const damaged = await run(...TRAIN, '--steps', '9', '--out', 'a.safetensors', '--resume')
    expect(damaged.stderr).toMatch(/a\.safetensors\.checkpoint is no whole checkpoint; train without --resume/)
    expect(damaged.code).toBe(2)
  })
})
