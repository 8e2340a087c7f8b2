/** Runs that are stopped from outside, that cannot save themselves, or that get in each other's way. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FailedRun } from '../src/errors.js'
import { saveTrained } from '../src/training-run.js'
import { isOneLine, runPliant, temporaryFolder } from './run-pliant.js'

const folder = temporaryFolder()
const cwd = folder.path
const LONG = {
  model: 'bar',
  steps: 10_000_000,
  poses: 8,
  pointsPerPose: 100,
  posesPerBatch: 2,
  pointsPerBatchPose: 32,
  evaluation: { poses: 2, points: 100 },
}

/** Thin triangles beside each other along a diagonal: all their boxes overlap, so each is tested against each. */
function slivers(count: number): string {
  const lines: string[] = []
  for (let i = 0; i < count; i++) {
    const d = 1e-4 * i
    lines.push(`v ${d} 0 ${-d}`, `v ${1 + d} 1 ${1 - d}`, `v ${1.00001 + d} 1 ${1 - d}`)
  }
  for (let i = 0; i < count; i++) lines.push(`f ${3 * i + 1} ${3 * i + 2} ${3 * i + 3}`)
  return lines.join('\n')
}

/** A ball of latitudes and longitudes. */
function ball(rings: number): string {
  const lines: string[] = ['v 0 0 1']
  for (let r = 1; r < rings; r++) {
    for (let s = 0; s < 2 * rings; s++) {
      const [polar, round] = [(Math.PI * r) / rings, (Math.PI * s) / rings]
      lines.push(`v ${Math.sin(polar) * Math.cos(round)} ${Math.sin(polar) * Math.sin(round)} ${Math.cos(polar)}`)
    }
  }
  lines.push('v 0 0 -1')
  const at = (r: number, s: number): number => {
    if (r === 0) return 1
    return r === rings ? 2 + 2 * rings * (rings - 1) : 2 + 2 * rings * (r - 1) + (s % (2 * rings))
  }
  for (let r = 0; r < rings; r++) {
    for (let s = 0; s < 2 * rings; s++) {
      if (r > 0) lines.push(`f ${at(r, s)} ${at(r + 1, s)} ${at(r, s + 1)}`)
      if (r < rings - 1) lines.push(`f ${at(r, s + 1)} ${at(r + 1, s)} ${at(r + 1, s + 1)}`)
    }
  }
  return lines.join('\n')
}

beforeAll(() => {
  writeFileSync(folder.file('ball.obj'), ball(30))
  // So many nodes take far longer than the test may.
  writeFileSync(folder.file('ball.json'), JSON.stringify({ model: { body: 'ball.obj', nodes: 100_000 } }))
  writeFileSync(folder.file('long.json'), JSON.stringify(LONG))
  writeFileSync(folder.file('slivers.obj'), slivers(30_000))
})
afterAll(folder.remove)

/** Trains until it learns, then does something with it. */
function whileLearning(out: string, act: (kill: (signal: NodeJS.Signals) => void) => void) {
  let acted = false
  return runPliant(['train', 'long.json', '--out', out], {
    cwd,
    onStderr(text, kill) {
      // Not the steps of a rehearsal, of which nothing is kept.
      if (acted || !text.includes('learn: step ')) return
      acted = true
      act(kill)
    },
  })
}

// All at once: each waits five seconds for the first line of progress.
describe.concurrent('a signal', () => {
  it.each(['SIGTERM', 'SIGHUP'] as const)('%s saves a training and ends it with 130', async (name) => {
    const { code, stderr } = await whileLearning(`${name}.safetensors`, (kill) => kill(name))
    expect(code).toBe(130)
    expect(stderr).toContain(`--resume goes on from ${name}.safetensors.checkpoint`)
    expect(existsSync(folder.file(`${name}.safetensors.checkpoint`))).toBe(true)
    expect(existsSync(folder.file(`${name}.safetensors.lock`))).toBe(false)
  })

  it('SIGINT ends the filling of a surface at once with 130, and leaves nothing behind', async () => {
    let asked = false
    const { code, stderr } = await runPliant(['train', 'ball.json', '--out', 'ball.safetensors'], {
      cwd,
      onStderr(text, kill) {
        if (!text.includes('filling the surface') || asked) return
        asked = true
        kill('SIGINT')
      },
    })
    expect(code).toBe(130)
    expect(stderr.trim().split('\n').at(-1)).toBe(
      'pliant: train: interrupted with nothing saved yet; run the same command again.',
    )
    expect(readdirSync(cwd).filter((name) => name.startsWith('ball.safetensors'))).toEqual([])
  })

  it('SIGTERM ends a search that never looks up', async () => {
    const { code, stdout } = await runPliant(['self-collide', 'slivers.obj'], {
      cwd,
      onStderr(text, kill) {
        if (text.includes('searching')) kill('SIGTERM')
      },
    })
    expect(code).toBeNull()
    expect(stdout).toBe('')
  })
})

describe.concurrent('two trainings to one file', () => {
  it('the second is refused while the first runs, and takes over once that is gone', async () => {
    const out = 'same.safetensors'
    const lock = folder.file(`${out}.lock`)
    let second: ReturnType<typeof runPliant> | undefined
    const first = await whileLearning(out, (kill) => {
      second = runPliant(['train', 'long.json', '--out', out], { cwd })
      void second.then(() => kill('SIGKILL'))
    })
    const { code, stderr } = await second!
    expect(code).toBe(2)
    expect(isOneLine(stderr)).toBe(true)
    expect(stderr).toMatch(/^pliant: train: another training \(process \d+\) writes to same\.safetensors; /)
    expect(first.code).toBeNull()
    // Killed outright, it has left its lock.
    expect(existsSync(lock)).toBe(true)
    const third = await whileLearning(out, (kill) => kill('SIGINT'))
    expect(third.stderr).not.toContain('another training')
    expect(third.code).toBe(130)
    expect(existsSync(lock)).toBe(false)
  })

  it('a lock of another machine is believed, one that says nothing is not', async () => {
    const out = 'locked.safetensors'
    const lock = folder.file(`${out}.lock`)
    writeFileSync(lock, '1 elsewhere\n')
    const elsewhere = await runPliant(['train', 'long.json', '--out', out], { cwd })
    expect(elsewhere.code).toBe(2)
    expect(elsewhere.stderr).toContain('(process 1 on elsewhere) writes to')
    expect(readFileSync(lock, 'utf8')).toBe('1 elsewhere\n')
    writeFileSync(lock, `x ${hostname()}\n`)
    const broken = await whileLearning(out, (kill) => kill('SIGINT'))
    expect(broken.code).toBe(130)
  })
})

it('a result that finds no place in the end is a failed run, which says how to go on', async () => {
  const checkpoint = folder.file('kept.checkpoint')
  writeFileSync(checkpoint, '')
  const failure = await saveTrained(folder.file('gone/a.safetensors'), new Uint8Array(1), checkpoint).catch((e) => e)
  expect(failure).toBeInstanceOf(FailedRun)
  expect(failure.message).toMatch(/^cannot write .+ does not exist; create it first\. The same command with --resume /)
  expect(existsSync(checkpoint)).toBe(true)
})
