import { expect, test } from 'vitest'
import { randomStream } from '../../../src/math/random.js'
import { AcapFeatures } from '../../../src/model/acap/acap-features.js'
import { AcapInverse } from '../../../src/model/acap/acap-inverse.js'
import { bar, bend, mapped, sheet, together, twist } from './shapes.js'

const mesh = together(bar(16, 1), { ...sheet(2), positions: sheet(2).positions.map((value) => 0.1 * value + 0.3) })
const acap = new AcapFeatures(mesh)
const inverse = new AcapInverse(mesh)

function featuresOf(shape: Float64Array): Float64Array {
  const features = new Float64Array(acap.size)
  acap.encode(shape, features)
  return features
}

/** Every vertex turned about its own axis by this angle, and not stretched. */
function turnedBy(angle: number): Float64Array {
  const random = randomStream(5)
  return Float64Array.from({ length: acap.size }, (_, i) => [0, 0, 0, 1, 0, 0, 1, 0, 1][i % 9]).map((value, i, all) => {
    if (i % 9 > 2) return value
    if (i % 9 === 0) {
      const axis = [random.normal(), random.normal(), random.normal()]
      for (let k = 0; k < 3; k++) all[i + k] = (angle * axis[k]) / Math.hypot(...axis)
    }
    return all[i]
  })
}

test.each([
  [
    'bent and twisted',
    featuresOf(mapped(mesh.positions, (x, y, z) => twist(2)(...(bend(1)(x, y, z) as [number, number, number])))),
  ],
  ['at the reference', featuresOf(mesh.positions as Float64Array)],
  ['turned by 1e-5', turnedBy(1e-5)],
  ['turned by 0.00999, where the series ends', turnedBy(0.00999)],
  ['turned by 0.01001, where it begins not to', turnedBy(0.01001)],
  ['turned by 2 pi', turnedBy(2 * Math.PI)],
  ['turned by 2 pi - 1e-5', turnedBy(2 * Math.PI - 1e-5)],
  ['turned by 11', turnedBy(11)],
])('the gradient is that of central differences: %s (seed 6)', (_, features) => {
  const random = randomStream(6)
  // Something that is not linear in the positions.
  const wish = Float64Array.from({ length: 3 * acap.vertexCount }, () => random.normal())
  const positions = new Float64Array(wish.length)
  const value = (at: Float64Array): number => {
    inverse.positions(at, positions)
    return positions.reduce((sum, p, i) => sum + 0.5 * (p - wish[i]) ** 2, 0)
  }
  value(features)
  const gradient = new Float64Array(acap.size)
  inverse.positionsGradient(
    features,
    positions.map((p, i) => p - wish[i]),
    gradient,
  )
  const largest = gradient.reduce((most, each) => Math.max(most, Math.abs(each)), 0)
  const step = 1e-4
  for (let i = 0; i < features.length; i += 5) {
    const shifted = features.slice()
    const at = (t: number): number => {
      shifted[i] = features[i] + t * step
      return value(shifted)
    }
    // Of fourth order, so that the differences' own error stays below.
    const numeric = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step)
    expect(Math.abs(numeric - gradient[i]) / largest, `feature ${i}`).toBeLessThan(1e-7)
  }
})

test('the centre of the area stays that of the reference', () => {
  const square = sheet(3)
  const own = new AcapInverse(square)
  const random = randomStream(7)
  const features = Float64Array.from({ length: own.size }, (_, i) => (i % 9 === 3 ? 2 : 0) + 0.3 * random.normal())
  const out = new Float64Array(square.positions.length)
  own.positions(features, out)
  const centre = (p: ArrayLike<number>): number[] => {
    const sum = [0, 0, 0]
    for (const v of square.triangles) for (let k = 0; k < 3; k++) sum[k] += p[3 * v + k] / square.triangles.length
    return sum
  }
  // All triangles are equally large.
  centre(out).forEach((value, k) => void expect(value).toBeCloseTo(centre(square.positions)[k], 12))
})

test('positions minimise the sum that they are said to: nothing pulls a vertex aside', () => {
  // One free strip: with T the same everywhere, the map itself is the answer.
  const square = sheet(3)
  const own = new AcapInverse(square)
  const turn = 0.7
  const features = Float64Array.from({ length: own.size }, (_, i) => [-turn, 0, 0, 2, 0.5, 0, 1, 0, 1][i % 9])
  const out = new Float64Array(square.positions.length)
  own.positions(features, out)
  const [c, s] = [Math.cos(turn), Math.sin(turn)]
  const expected = mapped(square.positions, (x, y) => {
    const [u, v] = [2 * (x - 0.5) + 0.5 * (y - 0.5), 0.5 * (x - 0.5) + (y - 0.5)]
    return [c * u - s * v + 0.5, s * u + c * v + 0.5, 0]
  })
  for (let i = 0; i < out.length; i++) expect(out[i]).toBeCloseTo(expected[i], 12)
})
