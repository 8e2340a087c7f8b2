// The built package: drops are simulated by files of it.

import { readSpec, train } from '@pliant/train'
import {
  type BodyEvaluation,
  bodyToTrain,
  elasticObject,
  evaluateArtifacts,
  evaluateBodies,
  runTimeMaterial,
} from '@pliant/train/unstable'
import { type BodyArtifact, decode, type Progress } from 'pliant'
import { beforeAll, describe, expect, it } from 'vitest'
import { boxOfTets } from '../modes/box-of-tets.js'

const few = { poses: 4, points: 200, seed: 9 }

/** Good for nothing but to be judged. */
async function trainBox(sides: number[], model: object): Promise<BodyArtifact> {
  const spec = readSpec(
    JSON.stringify({
      model: { body: 'box.msh', ...model },
      method: 'paper',
      network: { hidden: [8] },
      poses: 8,
      pointsPerPose: 100,
      steps: 4,
      posesPerBatch: 2,
      pointsPerBatchPose: 32,
      evaluation: { poses: 1, points: 20 },
    }),
  )
  const object = elasticObject(boxOfTets([3, 1, 1], sides), spec, model)
  return await decode((await train(spec, { subject: bodyToTrain(spec, object), threads: 1 })).artifact, 'elastic-body')
}

describe('an elastic body, judged', () => {
  let box: BodyArtifact
  let plain: BodyArtifact
  let alone: BodyEvaluation
  const seen: Progress[] = []
  beforeAll(async () => {
    box = await trainBox([0.4, 0.2, 0.2], { modes: 8 })
    plain = await trainBox([0.4, 0.2, 0.2], { modes: 20, weighting: 'plain' })
    const onProgress = (progress: Progress): number => seen.push(progress)
    alone = (await evaluateBodies([box], { ...few, onProgress }))[0]
  })

  it('is dropped in both materials, and told apart from what its modes leave out', () => {
    const { runTime, training } = alone
    const { model } = box.manifest
    const own = model.kind === 'elastic-body' ? model.material : undefined
    expect(training.material).toEqual(own)
    expect(runTime.material).toEqual(runTimeMaterial(own!))
    for (const judged of [runTime, training]) {
      expect(judged.drops.count).toBe(4)
      expect(judged.quality).toMatchObject({ poses: 4, points: 800 })
      expect(judged.inModes).toMatchObject({ poses: 4, points: 800 })
      expect(judged.quality.bandError).not.toEqual(judged.inModes.bandError)
      expect(judged.projection.mean).toBeGreaterThan(0)
      expect(judged.projection.rms).toBeGreaterThan(judged.projection.mean)
      expect(judged.projection.rms).toBeLessThan(0.05)
      expect(judged.inRange).toBeLessThanOrEqual(4)
    }
    // The softer material bends further, out of what eight modes can follow.
    expect(runTime.projection.mean).toBeGreaterThan(training.projection.mean)
    const fractions = seen.map(({ fraction }) => fraction)
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b))
    expect(fractions.at(-1)).toBe(1)
    expect(seen[0]).toEqual({ fraction: 0, stage: 'material of run time', detail: '0 of 4 poses by dropping' })
  })

  it('has no error of projection once it has all the modes that a body has', async () => {
    const all = await trainBox([0.4, 0.2, 0.2], { modes: 1000 })
    const [{ runTime }] = await evaluateBodies([all], few)
    // What is left is that modes are kept in sixteen bits.
    expect(runTime.projection.mean).toBeLessThan(alone.runTime.projection.mean / 10)
    const [mean, inModes] = [runTime.quality.bandError.mean, runTime.inModes.bandError.mean]
    expect(Math.abs(inModes / mean - 1)).toBeLessThan(0.02)
  })

  it('beside another file is judged as alone, on the same poses, whatever modes that one has', async () => {
    const [first, second, again] = await evaluateBodies([box, plain, box], few)
    expect(second.runTime.drops).toEqual(first.runTime.drops)
    expect(second.runTime.projection.mean).toBeLessThan(first.runTime.projection.mean)
    expect(second.runTime.quality.bandError).not.toEqual(first.runTime.quality.bandError)
    expect(again).toEqual(first)
    expect(first.runTime).toMatchObject({ drops: alone.runTime.drops, inRange: alone.runTime.inRange })
    const { quality, told } = alone.runTime
    expect((await evaluateArtifacts([box], few))[0]).toEqual({ quality, told })
  })

  it('is not compared with another body, and stops when told', async () => {
    const { mesh } = box.body
    const moved = { ...mesh, positions: mesh.positions.map((value) => 1.25 * value) }
    const longer = { ...box, body: { ...box.body, mesh: moved } }
    await expect(evaluateBodies([box, longer], few)).rejects.toThrow(
      'box is another object than box: its nodes lie elsewhere; pass a file that was trained on the same one.',
    )
    const controller = new AbortController()
    const onProgress = (): void => controller.abort()
    await expect(evaluateBodies([box], { ...few, signal: controller.signal, onProgress })).rejects.toThrow('abort')
  })
})
