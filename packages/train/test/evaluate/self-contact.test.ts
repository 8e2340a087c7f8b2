/** Figures of a file that tells self-contact: each against a case counted by hand, and the whole against the exact test. */
import { contactQuality, evaluateSelfContact } from '@pliant/train/unstable'
import { decode, load } from 'pliant'
import { LinearSelfContact } from 'pliant/unstable/exact'
import { describe, expect, it } from 'vitest'
import { selfContactFile } from '../../../pliant/test/artifact/self-contact-example.js'
import { streamOf } from '../../src/streams/random-streams.js'

describe('figures of answers', () => {
  /** Ten codes, six touching; two of these are called free, one of the four free ones touching. */
  const distances = Float64Array.of(-0.5, -0.3, -0.2, -0.04, 0.02, 0.3, 0.6, 0.4, 0.05, -0.01)
  const signs = Int8Array.of(-1, -1, -1, -1, -1, -1, 1, 1, 1, 1)
  /** Lengths 1 but for two of 2. */
  const gradients = Float64Array.from({ length: 20 }, (_, i) =>
    i === 0 || i === 3 ? 2 : i % 2 === 0 && i !== 2 ? 1 : 0,
  )
  const quality = contactQuality({ distances, gradients, signs })

  it('count signs over all, each side and near the boundary', () => {
    expect(quality.codes).toBe(10)
    expect(quality.touchingShare).toBeCloseTo(0.6, 12)
    expect(quality.signAccuracy).toBeCloseTo(0.7, 12)
    expect(quality.falseNegatives).toBeCloseTo(2 / 6, 12)
    expect(quality.falsePositives).toBeCloseTo(1 / 4, 12)
    expect(quality.balancedAccuracy).toBeCloseTo((4 / 6 + 3 / 4) / 2, 12)
    // Those with |f| < 0.1: -0.04 and 0.05 are right, 0.02 and -0.01 wrong.
    expect(quality.nearAccuracy).toBeCloseTo(0.5, 12)
  })

  it('measure lengths of gradients as Eq. 24 and 25', () => {
    expect(quality.gradientError).toBeCloseTo(0.2, 12)
    // Mean 1.2: eight are 0.2 off, two 0.8.
    expect(quality.gradientSpread).toBeCloseTo(Math.sqrt((8 * 0.04 + 2 * 0.64) / 10), 12)
  })

  it('say what the exact test would mend, with tau rising from zero', () => {
    const { hybrid } = quality
    expect(hybrid[0]).toEqual({
      tau: 0,
      exactShare: 0,
      accuracy: quality.signAccuracy,
      falseNegatives: quality.falseNegatives,
    })
    for (const [i, { tau, exactShare, accuracy, falseNegatives }] of hybrid.entries()) {
      const given = distances.filter((distance) => Math.abs(distance) < tau)
      expect(exactShare).toBeCloseTo(given.length / 10, 12)
      const wrong = [...distances].filter((f, k) => f < 0 !== signs[k] < 0 && Math.abs(f) >= tau)
      expect(accuracy).toBeCloseTo(1 - wrong.length / 10, 12)
      expect(falseNegatives).toBeCloseTo(wrong.filter((f) => f >= 0).length / 6, 12)
      if (i > 0) expect(tau).toBeGreaterThan(hybrid[i - 1].tau)
    }
    expect(hybrid.some(({ exactShare }) => exactShare > 0.25)).toBe(true)
    expect(hybrid.every(({ exactShare }) => exactShare <= 0.5)).toBe(true)
  })

  it('compare distances with a reference of the first codes, and take near from it', () => {
    // The fifth is called wrongly, and is not near by the reference.
    const reference = [0.4, 0.3, 0.2, 0.05, 0.3]
    const measured = contactQuality({ distances, gradients, signs, reference })
    expect(measured.distanceError!.mean).toBeCloseTo(0.43 / 5, 12)
    expect(measured.distanceError!.max).toBeCloseTo(0.32, 12)
    // A wrong sign is off by both.
    const wrong = contactQuality({ distances, gradients, signs: signs.map((sign) => -sign), reference })
    expect(wrong.distanceError!.max).toBeGreaterThan(0.7)
    expect(measured.nearAccuracy).toBe(1)
    expect(quality.distanceError).toBeUndefined()
  })

  it('are numbers where all codes are of one side, or the field says the same everywhere', () => {
    const free = contactQuality({ distances, gradients, signs: new Int8Array(10).fill(1) })
    expect(free).toMatchObject({ touchingShare: 0, falseNegatives: 0, balancedAccuracy: 0.5, falsePositives: 0.5 })
    const flat = contactQuality({ distances: new Float64Array(10).fill(0.5), gradients, signs })
    expect(flat.hybrid.map(({ tau }) => tau)).toEqual([0, 0.5])
    expect(flat.nearAccuracy).toBe(1)
  })
})

describe('evaluateSelfContact', () => {
  it('asks the exact test about codes of its own stream, the same for a seed (seed 2 and 3)', async () => {
    const artifact = await decode(await selfContactFile('plane'), 'self-contact')
    const count = 600
    const progress: number[] = []
    const quality = await evaluateSelfContact(artifact, {
      codes: count,
      distances: 0,
      threads: 1,
      onProgress: ({ fraction }) => progress.push(fraction),
    })
    expect(progress.at(-1)).toBe(1)
    const exact = new LinearSelfContact(artifact.model)
    const field = await load(artifact)
    const random = streamOf('evaluationContactCodes', 2)
    let [touching, right] = [0, 0]
    for (let i = 0; i < count; i++) {
      const code = Float32Array.from({ length: 3 }, () => random.between(-1, 1))
      const distance = new Float64Array(1)
      field.query(code, 1, distance)
      const touches = exact.touches(code)
      if (touches) touching++
      if (touches === distance[0] < 0) right++
    }
    expect(touching).toBeGreaterThan(30)
    expect(quality.touchingShare).toBe(touching / count)
    expect(quality.signAccuracy).toBeCloseTo(right / count, 12)
    expect(right).toBeLessThan(count)
    // The plane's gradient is of length one.
    expect(quality.gradientError).toBeLessThan(1e-6)
    expect(await evaluateSelfContact(artifact, { codes: count, distances: 0, threads: 2 })).toEqual(quality)
    const other = await evaluateSelfContact(artifact, { codes: count, distances: 0, threads: 2, seed: 3 })
    expect(other.hybrid).not.toEqual(quality.hybrid)
  })

  it('looks up distances of as many codes as asked for, and ends with the reason of an abort', async () => {
    const artifact = await decode(await selfContactFile('plane'), 'self-contact')
    const quality = await evaluateSelfContact(artifact, { codes: 50, distances: 20, threads: 1 })
    expect(quality.distanceError!.mean).toBeGreaterThan(0)
    expect((await evaluateSelfContact(artifact, { codes: 50, distances: 0, threads: 1 })).distanceError).toBeUndefined()
    const enough = AbortSignal.abort(new Error('enough'))
    await expect(evaluateSelfContact(artifact, { codes: 50, threads: 1, signal: enough })).rejects.toThrow('enough')
  })
})
