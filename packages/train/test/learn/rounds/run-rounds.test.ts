import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Progress } from 'pliant'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type RoundsOptions, roundLogPath, runRounds } from '../../../src/learn/rounds/index.js'
import { AppendLog } from '../../../src/resume/append-log.js'

const folder = mkdtempSync(join(tmpdir(), 'pliant-rounds-'))
afterAll(() => rmSync(folder, { recursive: true }))
let runs = 0
const freshPath = (): string => join(folder, `run-${runs++}.checkpoint`)

interface Outcome {
  rounds: number
  firstRows: number[]
  data: string
  weights: string
  log: string
  steps: string[]
  fractions: number[]
  outlineError: number
}

/** The process of active-shape.mjs to its end, or until it is where it is to be killed. */
function activeShape(...args: string[]): Promise<Outcome | undefined> {
  const script = fileURLToPath(new URL('./active-shape.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, ...args])
  let printed = ''
  let complaint = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
    if (printed.startsWith('here ')) child.kill('SIGKILL')
  })
  child.stderr.on('data', (chunk) => {
    complaint += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(undefined)
      else if (code === 0) resolve(JSON.parse(printed))
      else reject(new Error(complaint))
    })
  })
}

describe('the distance of a 2-D shape, learned actively', () => {
  let whole: Outcome
  beforeAll(async () => {
    whole = (await activeShape(freshPath()))!
  })

  it('grows its data from round to round, and learns', () => {
    expect(whole).toMatchObject({ rounds: 3, firstRows: [0, 400, 800, 1200] })
    expect(whole.outlineError).toBeLessThan(0.025)
    expect(whole.fractions).toEqual([...whole.fractions].sort((a, b) => a - b))
    expect([whole.fractions[0], whole.fractions.at(-1)]).toEqual([0, 1])
  })

  it('killed while acquiring and while learning in every round, resumes to the same bytes', async () => {
    const path = freshPath()
    const places = [0, 1, 2].flatMap((round) => [`acquire:${round}`, `learn:${round}:77`])
    for (const [i, place] of places.entries()) {
      const killed = activeShape(path, '--stop-at', place, ...(i > 0 ? ['--resume'] : []))
      // It came as far as that, so all before was there and was not done again in another way.
      expect(await killed, place).toBeUndefined()
    }
    const { steps, fractions, ...resumed } = (await activeShape(path, '--resume'))!
    expect(whole).toMatchObject(resumed)
    // Of the last round what was left, of the others nothing.
    expect(steps.every((step) => Number(/^round 3\/3: step (\d+)\//.exec(step)?.[1]) > 77)).toBe(true)
    expect(fractions[0]).toBeGreaterThan(0)
    // Once more: all is there.
    const again = (await activeShape(path, '--resume'))!
    expect(again).toMatchObject(resumed)
    expect(again.steps).toEqual([])
  }, 300_000)

  it('killed while it writes a round, resumes to the same bytes', async () => {
    const path = freshPath()
    await activeShape(path, '--stop-at', 'acquire:1')
    const log = readFileSync(roundLogPath(path))
    // In the middle of the weights of the first round, then in the middle of its samples.
    for (const length of [log.length - 100, 1000]) {
      writeFileSync(roundLogPath(path), log.subarray(0, length))
      const { steps, fractions, ...resumed } = (await activeShape(path, '--resume'))!
      expect(whole).toMatchObject(resumed)
      expect(steps.some((step) => step.startsWith('round 2/3'))).toBe(true)
    }
  })
})

type Samples = { codes: Float64Array; labels: Int8Array }
const summing: RoundsOptions<Samples> = {
  rounds: 3,
  seed: 1,
  specHash: 'sums',
  widths: { codes: 2, labels: 1 },
  acquire: (round, _, random) => ({
    codes: Float64Array.from({ length: 2 * round }, () => random().uniform()),
    labels: new Int8Array(round).fill(round),
  }),
  learn: async (_, data, start) =>
    new Map([['sum', Float32Array.of((start?.get('sum')?.[0] ?? 0) + data.columns.labels.reduce((a, b) => a + b, 0))]]),
}

describe('rounds', () => {
  it('hand on all samples so far and the weights of the round before, in any types, without a file too', async () => {
    const seen: [number, number | undefined][] = []
    const { data, weights, rounds } = await runRounds<Samples>({
      ...summing,
      acquire(round, state, random, acquiring) {
        seen.push([state.data.rows, state.weights?.get('sum')?.[0]])
        return summing.acquire(round, state, random, acquiring)
      },
    })
    expect(seen).toEqual([
      [0, undefined],
      [0, 0],
      [1, 1],
    ])
    expect([...data.columns.labels]).toEqual([1, 2, 2])
    expect(data.columns.codes).toBeInstanceOf(Float64Array)
    expect(data.ofRound(2).labels).toEqual(Int8Array.of(2, 2))
    expect([weights.get('sum')![0], rounds]).toEqual([6, 3])
  })

  it('draw from streams of their own', async () => {
    const drawn = new Set<number>()
    await runRounds<Samples>({
      ...summing,
      acquire(round, state, random, acquiring) {
        for (const index of [0, 1, 999_999]) drawn.add(random(index).uniform())
        expect(() => random(1_000_000)).toThrow('rounds: 1000000 streams in a round, number 1000000 is none')
        return summing.acquire(round, state, random, acquiring)
      },
      learn(round, data, start, learning) {
        for (const index of [0, 1, 999_999]) drawn.add(learning.random(index).uniform())
        return summing.learn(round, data, start, learning)
      },
    })
    expect(drawn.size).toBe(18)
  })

  it('end when it is enough, and more of the same go on from there', async () => {
    const checkpointPath = freshPath()
    const asked: number[] = []
    const isEnough = (round: number): boolean => asked.push(round) > 1
    const some = await runRounds({ ...summing, checkpointPath, isEnough })
    expect([some.rounds, asked]).toEqual([2, [0, 1]])
    const acquired: number[] = []
    const all = await runRounds<Samples>({
      ...summing,
      checkpointPath,
      resume: true,
      isEnough: (round) => {
        asked.push(round)
        return false
      },
      acquire(round, ...rest) {
        acquired.push(round)
        return summing.acquire(round, ...rest)
      },
    })
    expect([all.rounds, acquired, asked]).toEqual([3, [2], [0, 1, 1, 2]])
    expect(all).toEqual(await runRounds(summing))
  })

  it('tell how far they have come by the effort of their parts', async () => {
    const told: number[] = []
    const onProgress = ({ fraction, detail }: Progress): void => {
      if (detail !== 'done') told.push(fraction)
    }
    // Ten in all: 1 + 1, 1 + 1, 2 + 4.
    const effort = (round: number) => (round === 2 ? { acquire: 2, learn: 4 } : { acquire: 1, learn: 1 })
    await runRounds({ ...summing, rounds: 3, onProgress, effort })
    expect(told.map((fraction) => 10 * fraction)).toEqual([0, 1, 2, 3, 4, 6].map((value) => expect.closeTo(value, 9)))
  })

  it('are refused to other inputs, and stop when aborted', async () => {
    const checkpointPath = freshPath()
    await runRounds({ ...summing, checkpointPath })
    const resume = (more: object) => runRounds({ ...summing, checkpointPath, resume: true, ...more })
    for (const other of [{ seed: 2 }, { specHash: 'products' }, { widths: { codes: 1, labels: 1 } }]) {
      await expect(resume(other)).rejects.toThrow(/^resume: the rounds in .* are of other inputs or of another seed; /)
    }
    const controller = new AbortController()
    const { signal } = controller
    const onProgress = ({ fraction }: Progress): void => {
      if (fraction > 0.5) controller.abort(new Error('enough'))
    }
    await expect(runRounds({ ...summing, signal, onProgress })).rejects.toThrow('enough')
  })

  it.each([0, 1, 2])(
    'go on where block %i cannot be written, and say so once; what was written is resumed',
    async (block) => {
      const checkpointPath = freshPath()
      const warnings: string[] = []
      const real = AppendLog.prototype.add
      let added = 0
      const full = vi.spyOn(AppendLog.prototype, 'add').mockImplementation(function (this: AppendLog, bytes) {
        if (added++ >= block) throw new Error('no space left')
        real.call(this, bytes)
      })
      const expected = await runRounds(summing)
      const made = await runRounds({ ...summing, checkpointPath, onWarning: (line) => warnings.push(line) })
      full.mockRestore()
      expect(made).toEqual(expected)
      expect(warnings).toEqual([
        expect.stringMatching(/^cannot write .*-rounds \(no space left\); the run goes on without/),
      ])
      expect(added).toBe(block + 1)
      expect(await runRounds({ ...summing, checkpointPath, resume: true })).toEqual(expected)
    },
  )

  it.each([
    ['a column missing', { codes: new Float64Array(2) }, /column labels is missing/],
    [
      'one too many',
      { codes: new Float64Array(2), labels: new Int8Array(1), more: new Int8Array(1) },
      /column more has/,
    ],
    ['uneven columns', { codes: new Float64Array(4), labels: new Int8Array(1) }, /labels has 1 rows, codes 2/],
    ['half a row', { codes: new Float64Array(3), labels: new Int8Array(1) }, /codes has 1.5 rows/],
  ])('refuse samples with %s', async (_, samples, message) => {
    await expect(runRounds({ ...summing, acquire: () => samples as Samples })).rejects.toThrow(message)
  })

  it('refuse a column that changes its type, and numbers that make no sense', async () => {
    const acquire = (round: number): Samples => ({
      codes: round === 0 ? new Float64Array(2) : (new Float32Array(2) as unknown as Float64Array),
      labels: new Int8Array(1),
    })
    await expect(runRounds({ ...summing, acquire })).rejects.toThrow(/codes was Float64Array and now is Float32Array/)
    await expect(runRounds({ ...summing, rounds: 201 })).rejects.toThrow(/rounds: 201 of them/)
    await expect(runRounds({ ...summing, widths: { codes: 0, labels: 1 } })).rejects.toThrow(/codes has width 0/)
  })
})
