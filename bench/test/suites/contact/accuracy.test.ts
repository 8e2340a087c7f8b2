/** What the contact suite judges by, on so few poses that it takes seconds: figures are in docs/benchmarks.md. */
import { describe, expect, it } from 'vitest'
import { judgeCubeSphere } from '../../../src/suites/contact/cube-sphere.js'
import { contactPose } from '../../../src/suites/contact/poses.js'
import { judgePairs } from '../../../src/suites/contact/random-pairs.js'

const QUICK = { points: 128, steps: 20, restarts: 1 }
const quiet = async (): Promise<void> => {}

describe('contacts judged', () => {
  it('are within 1e-5 of the exact ones of a ball and a cube, by ours, and not by the rivals', async () => {
    const { rows } = await judgeCubeSphere({ seed: 3, configurations: 40 }, quiet)
    expect(rows[0]).toMatchObject({ method: 'ours', missed: 0, within: 40 })
    expect(rows[0].normal.largest).toBeLessThan(0.01)
    expect(rows[1].within).toBeLessThan(40)
  })

  it('of twenty shapes are neither missed nor made up, and as deep as is proved', async () => {
    const result = await judgePairs({ seed: 3, poses: 12, boxes: QUICK, threads: 1 }, quiet)
    expect(result.touching + result.free + result.undecided).toBe(12)
    const [ours] = result.methods
    expect(ours.missed).toEqual([0, 0, 0, 0, 0])
    expect(ours.falseContacts).toBe(0)
    expect(ours.depthError.largest).toBeLessThan(0.005)
    expect(result.touching).toBeGreaterThan(4)
    const inParts = result.methods.filter(({ method }) => /the paper's, boxes by/.test(method))
    expect(inParts).toHaveLength(2)
    for (const { missed, falseContacts } of inParts) {
      expect(missed.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(1)
      expect(falseContacts).toBe(0)
    }
  })

  it('are of the same poses for the same seed', () => {
    expect(contactPose(5, 7)).toMatchObject({ drawn: contactPose(5, 7).drawn, names: contactPose(5, 7).names })
    expect(contactPose(5, 7).b.pose).toEqual(contactPose(5, 7).b.pose)
    expect(contactPose(5, 7).b.pose).not.toEqual(contactPose(6, 7).b.pose)
  })
})
