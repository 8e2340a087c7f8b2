// The built package: drops are simulated by files of it.

import { readSpec, train } from '@pliant/train'
import { bodyToTrain, elasticObject, evaluateViolent } from '@pliant/train/unstable'
import { type BodyArtifact, decode } from 'pliant'
import { describe, expect, it } from 'vitest'
import { boxOfTets } from '../modes/box-of-tets.js'

/** A box in two parts, learned for some seconds. */
async function trainBox(): Promise<BodyArtifact> {
  const spec = readSpec(
    JSON.stringify({
      model: { body: 'box.msh' },
      network: { parts: 3, resolution: 8 },
      poses: 24,
      pointsPerPose: 400,
      steps: 150,
      posesPerBatch: 4,
      pointsPerBatchPose: 128,
      evaluation: { poses: 12, points: 200 },
    }),
  )
  const object = elasticObject(boxOfTets([6, 2, 2], [0.6, 0.2, 0.2]), spec, { modes: 12 })
  return await decode((await train(spec, { subject: bodyToTrain(spec, object), threads: 1 })).artifact, 'elastic-body')
}

describe('a soft body from ordinary poses to violent ones', () => {
  it('knows where it is wrong, though codes lie in their range', { timeout: 120_000 }, async () => {
    const artifact = await trainBox()
    expect(artifact.manifest.quality!.probeError).toBeGreaterThan(0)
    const report = await evaluateViolent(artifact, { poses: 20, points: 300, seed: 7 })
    expect(report.kinds.map(({ kind }) => kind.split(' ')[0])).toEqual([
      'ordinary',
      'bend',
      'twist',
      'stretch',
      'squash',
      'random',
    ])
    expect(report.rankCorrelation).toBeGreaterThan(0.9)
    expect(report.ratio).toBeGreaterThan(0.7)
    expect(report.ratio).toBeLessThan(1.4)
    expect(report.farOffFlagged).toBeGreaterThanOrEqual(0.9 * report.farOff)
  })
})
