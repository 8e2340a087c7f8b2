import { randomStream } from 'pliant'
import { describe, expect, it } from 'vitest'
import { intervalOfGroups } from '../../src/evaluate/statistics.js'
import { QualityTally } from '../../src/evaluate/tally.js'

/** Groups whose means scatter by `between` about 1, each of `size` values that scatter by `within`. */
function drawGroups(seed: number, count: number, size: number, between: number, within: number) {
  const random = randomStream(seed, 77)
  return Array.from({ length: count }, () => {
    const mean = 1 + between * random.normal()
    let sum = 0
    for (let i = 0; i < size; i++) sum += mean + within * random.normal()
    return { sum, count: size }
  })
}

describe('the interval of a mean over groups', () => {
  it('holds the mean in 95 of 100 draws, whether values of a group are alike or not', () => {
    for (const [between, within] of [
      [0.3, 0.05],
      [0, 0.3],
    ]) {
      let holds = 0
      for (let seed = 0; seed < 1000; seed++) {
        const { lower, upper } = intervalOfGroups(drawGroups(seed, 12, 3, between, within))
        if (lower <= 1 && 1 <= upper) holds++
      }
      expect(holds).toBeGreaterThan(930)
      expect(holds).toBeLessThan(970)
    }
  })

  it('is wider for few groups of many than for many of few, of values that are alike in a group', () => {
    const width = (count: number, size: number): number => {
      const { lower, upper } = intervalOfGroups(drawGroups(5, count, size, 0.3, 0.05))
      return upper - lower
    }
    expect(width(7, 8)).toBeGreaterThan(1.5 * width(28, 2))
  })

  it('stands beside the mean of a tally, by the groups that poses are said to be of', () => {
    const tally = new QualityTally({ size: 1, sizeOf: 'diagonal', band: 1, surfaceShare: 0, uniformShare: 0 })
    const normals = new Float64Array(6).fill(1)
    for (const [pose, error] of [0.1, 0.1, 0.3, 0.3].entries()) {
      const truth = { distances: Float64Array.of(0.2, 0.4), normals }
      const learned = { distances: truth.distances.map((d) => d + error), gradients: normals }
      tally.addPose([], 2, truth, learned, undefined, undefined, pose >> 1)
    }
    const { bandError, interval } = tally.quality()
    expect(bandError.mean).toBeCloseTo(0.2, 12)
    // Two groups of .1 and .3: half of their spread over root 2, times Student's t of one degree of freedom.
    expect(interval).toMatchObject({ groups: 2, lower: 0 })
    expect(interval!.upper).toBeCloseTo(0.2 + 12.706 * 0.1, 3)
  })
})
