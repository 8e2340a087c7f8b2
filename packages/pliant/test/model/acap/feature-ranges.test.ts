import { expect, test } from 'vitest'
import { randomStream } from '../../../src/math/random.js'
import { featureRanges, normaliseFeatures, restoreFeatures } from '../../../src/model/acap/feature-ranges.js'

const random = randomStream(1)
const CENTRES = [0, 1, -2, 1, 0, 0, 1, 0, 1]
const shapes = Array.from({ length: 4 }, () =>
  Float64Array.from({ length: 9 * 20 }, (_, i) => CENTRES[i % 9] + ((i % 9) + 1) * 0.1 * random.normal()),
)

function normalised(grouping: 'channel' | 'paper'): Float64Array[] {
  const ranges = featureRanges(shapes, { grouping })
  return shapes.map((features) => {
    const out = new Float64Array(features.length)
    normaliseFeatures(ranges, features, out)
    return out
  })
}

/** The largest and the least of some channels. */
function ends(all: Float64Array[], channels: number[]): number[] {
  const values = all.flatMap((each) => [...each.filter((_, i) => channels.includes(i % 9))])
  return [Math.min(...values), Math.max(...values)]
}

test('each channel fills its range by default (seed 1)', () => {
  const all = normalised('channel')
  for (let channel = 0; channel < 9; channel++) {
    expect(ends(all, [channel])[0]).toBeCloseTo(-0.95, 5)
    expect(ends(all, [channel])[1]).toBeCloseTo(0.95, 5)
  }
})

test("the paper's ranges are one for rotations and one for stretches (seed 1)", () => {
  const all = normalised('paper')
  for (const channels of [
    [0, 1, 2],
    [3, 4, 5, 6, 7, 8],
  ]) {
    expect(ends(all, channels)[0]).toBeCloseTo(-0.95, 5)
    expect(ends(all, channels)[1]).toBeCloseTo(0.95, 5)
  }
  expect(ends(all, [0])[1]).toBeLessThan(0.9)
  expect(ends(all, [3])[1]).toBeLessThan(0.9)
})

test('features come back, also where all are the same', () => {
  const ranges = featureRanges([Float64Array.from(CENTRES)])
  const out = new Float64Array(9)
  normaliseFeatures(ranges, Float64Array.from(CENTRES), out)
  expect(Math.max(...out.map(Math.abs))).toBeLessThan(1e-9)
  const wide = featureRanges(shapes)
  normaliseFeatures(wide, shapes[2].subarray(0, 9), out)
  restoreFeatures(wide, out, out)
  out.forEach((value, i) => void expect(value).toBeCloseTo(shapes[2][i], 14))
})

test('no shape, features that are not finite and unknown groupings are refused', () => {
  expect(() => featureRanges([])).toThrow('acap ranges: there is no shape; give the features of some.')
  expect(() => featureRanges([new Float64Array(18).fill(Number.NaN, 9)])).toThrow('acap ranges: vertex 1 is NaN')
  expect(() => featureRanges(shapes, { grouping: 'all' as 'paper' })).toThrow(
    "grouping is 'all'; give 'channel' or 'paper'.",
  )
})
