/** The paper's learner on a shape that is known: two domains, each deep in a disc of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Random, randomStream } from 'pliant'
import { CollisionDetector } from 'pliant/unstable'
import { afterAll, describe, expect, it } from 'vitest'
import type { DepthLabels } from '../../../src/label/depth-labels.js'
import {
  COLLISION_STATE_LEARNING,
  type CollisionStateLearning,
  stepsOfAll,
} from '../../../src/learn/collision-state/collision-state-options.js'
import { learnCollisionState } from '../../../src/learn/collision-state/learn-collision-state.js'

const folder = mkdtempSync(join(tmpdir(), 'pliant-collision-state-'))
afterAll(() => rmSync(folder, { recursive: true }))

const lower = Float64Array.of(-1, 0, 10)
const upper = Float64Array.of(1, 4, 11)
const discs = [
  { entries: [0, 1], centre: [-0.4, 1], radius: 0.5 },
  { entries: [1, 2], centre: [3, 10.6], radius: 0.5 },
]
const unit = (code: ArrayLike<number>, k: number): number => (2 * (code[k] - lower[k])) / (upper[k] - lower[k]) - 1

/** [m]: how deep each domain is. */
const depthsOf = (code: ArrayLike<number>): number[] =>
  discs.map(({ entries, centre, radius }) => {
    const at = entries.map((k, i) => unit(code, k) - unit({ [k]: centre[i] } as unknown as number[], k))
    return Math.max(0, 0.02 * (radius - Math.hypot(...at)))
  })

/** Codes that were asked for, call by call. */
function labelsOf(asked: Float32Array[] = []): DepthLabels {
  return {
    codeSize: 3,
    bounds: { lower, upper },
    domains: [[0], [2]],
    advice: 'Give others',
    draw: (count: number, random: Random) =>
      Float32Array.from({ length: 3 * count }, (_, i) => random.between(lower[i % 3], upper[i % 3])),
    async depths(codes, onDone) {
      asked.push(codes.slice())
      onDone?.(codes.length / 3)
      const rows = Array.from({ length: codes.length / 3 }, (_, i) => depthsOf(codes.subarray(3 * i, 3 * i + 3)))
      return Float32Array.from(rows.flat())
    },
  }
}

const SMALL: CollisionStateLearning = {
  ...COLLISION_STATE_LEARNING,
  labels: 1500,
  initial: 900,
  rounds: 2,
  bootstrap: { epochs: 25, batch: 64, learningRate: 6e-3 },
  update: { epochs: 6, batch: 64, learningRate: 1e-3 },
  encoder: [24],
  state: 12,
  predictor: [12],
  classifier: [8],
}
const run = { seed: 3, specHash: 'discs', threads: 1 }

/** Shares of touching codes that are called free, and of free ones that are called touching; how deep domains are called. */
async function judged(learned: Awaited<ReturnType<typeof learnCollisionState>>) {
  const detector = await CollisionDetector.create(learned.shape, learned.weights)
  const codes = labelsOf().draw(2000, randomStream(77))
  const distances = new Float64Array(2000)
  detector.query(codes, 2000, distances)
  const wrong = { touching: 0, free: 0 }
  const all = { touching: 0, free: 0 }
  let [error, mean] = [0, 0]
  const depths = new Float64Array(2)
  for (let i = 0; i < 2000; i++) {
    const code = codes.subarray(3 * i, 3 * i + 3)
    const due = depthsOf(code)
    const kind = due[0] + due[1] > 0 ? 'touching' : 'free'
    all[kind]++
    wrong[kind] += Number(distances[i] < 0 !== (kind === 'touching'))
    detector.queryDepths(code, depths)
    error += Math.abs(depths[0] * learned.shape.metres - due[0])
    mean += Math.abs(due[0] - 0.0016)
  }
  return { missed: wrong.touching / all.touching, alarms: wrong.free / all.free, all, depth: error / mean, detector }
}

describe("the paper's collision detector", () => {
  it.each(['supervised', 'supervised-boundary', 'active-boundary'] as const)(
    'is learned from equally many labels, %s',
    async (mode) => {
      const asked: Float32Array[] = []
      const told: number[] = []
      const learned = await learnCollisionState(
        labelsOf(asked),
        { ...SMALL, mode },
        { ...run, onProgress: ({ fraction }) => told.push(fraction) },
      )
      expect(learned.labels).toBe(1500)
      expect(asked.map(({ length }) => length / 3)).toEqual(mode === 'active-boundary' ? [900, 300, 300] : [1500])
      expect(learned.steps).toBe(stepsOfAll({ ...SMALL, mode }))
      expect(learned.accuracies).toHaveLength(asked.length)
      expect(learned.accuracies.at(-1)).toBeGreaterThan(0.85)
      const { missed, alarms, all, depth, detector } = await judged(learned)
      expect(all.touching).toBeGreaterThan(300)
      expect(missed).toBeLessThan(0.15)
      expect(alarms).toBeLessThan(0.15)
      // Depths of domains in metres: nearer than their mean.
      expect(depth).toBeLessThan(0.6)
      for (const [i, fraction] of told.entries()) expect(fraction).toBeGreaterThanOrEqual(i > 0 ? told[i - 1] : 0)
      // About a distance: near the boundary it changes as fast as the code does.
      const near = labelsOf().draw(500, randomStream(78))
      const [values, gradients] = [new Float64Array(500), new Float64Array(1500)]
      detector.query(near, 500, values, gradients)
      const slopes = [...values.keys()]
        .sort((a, b) => Math.abs(values[a]) - Math.abs(values[b]))
        .slice(0, 50)
        .map((row) => Math.hypot(...gradients.subarray(3 * row, 3 * row + 3)))
        .sort((a, b) => a - b)
      expect(slopes[25]).toBeGreaterThan(0.5)
      expect(slopes[25]).toBeLessThan(2)
      if (mode !== 'active-boundary') return
      // Half of a later round lies where the network saw the boundary: nearer to it than codes that are drawn.
      const awayOf = (codes: Float32Array): number => {
        const ways = Array.from({ length: codes.length / 3 }, (_, i) => {
          const code = codes.subarray(3 * i, 3 * i + 3)
          const gaps = discs.map(({ entries, centre, radius }) => {
            const at = entries.map((k, j) => unit(code, k) - unit({ [k]: centre[j] } as unknown as number[], k))
            return Math.abs(Math.hypot(...at) - radius)
          })
          return Math.min(...gaps)
        })
        return ways.reduce((sum, way) => sum + way, 0) / ways.length
      }
      expect(awayOf(asked[2].subarray(0, 450))).toBeLessThan(0.5 * awayOf(asked[2].subarray(450)))
    },
  )

  it('looks for the elbow of its accuracy before it goes on, if asked to', async () => {
    const asked: Float32Array[] = []
    const options = { ...SMALL, initial: 'elbow' as const, first: 150, labels: 1800, effort: 0.2 }
    const learned = await learnCollisionState(labelsOf(asked), options, run)
    expect(learned.labels).toBe(1800)
    expect(learned.initial).toBeGreaterThanOrEqual(450)
    expect(learned.initial).toBeLessThanOrEqual(900)
    const bootstraps = learned.initial / 150
    expect(asked.slice(0, bootstraps).map(({ length }) => length / 3)).toEqual(Array(bootstraps).fill(150))
    expect(asked).toHaveLength(bootstraps + 2)
  })

  it('takes fewer epochs of all rounds if there is less time', async () => {
    const options = { ...SMALL, effort: 0.1 }
    const { steps } = await learnCollisionState(labelsOf(), options, run)
    expect(Math.abs(steps - 0.1 * stepsOfAll(SMALL))).toBeLessThan(3)
  })

  it('that is stopped goes on to the same weights', async () => {
    const options = { ...SMALL, effort: 0.2 }
    const whole = await learnCollisionState(labelsOf(), options, run)
    const checkpointPath = join(folder, 'discs.checkpoint')
    for (const [at, resume] of [
      ['round 1/3', false],
      ['round 2/3', true],
    ] as const) {
      const stopping = new AbortController()
      const stopped = learnCollisionState(labelsOf(), options, {
        ...{ ...run, checkpointPath, resume, signal: stopping.signal },
        onProgress: ({ stage, detail = '' }) => stage === at && /step/.test(detail) && stopping.abort(),
      })
      await expect(stopped).rejects.toThrow(/abort/i)
    }
    const asked: Float32Array[] = []
    const resumed = await learnCollisionState(labelsOf(asked), options, { ...run, checkpointPath, resume: true })
    expect(asked).toHaveLength(1)
    expect(resumed).toEqual(whole)
  })

  it('is refused of codes that are all free, or none', async () => {
    for (const [depth, told] of [
      [0, 'none'],
      [1, 'all'],
    ] as const) {
      const labels = {
        ...labelsOf(),
        depths: async (codes: Float32Array) => new Float32Array((2 * codes.length) / 3).fill(depth),
      }
      await expect(learnCollisionState(labels, SMALL, run)).rejects.toThrow(
        `self-contact: ${told} of 900 codes touch themselves; there is nothing to learn.`,
      )
    }
  })
})
