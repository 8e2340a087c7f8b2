import { expect, test } from 'vitest'
import { randomStream } from '../../../src/math/random.js'
import { AcapFeatures } from '../../../src/model/acap/acap-features.js'
import { AcapInverse } from '../../../src/model/acap/acap-inverse.js'
import { ringEdges } from '../../../src/model/acap/ring-edges.js'
import { writeExponential } from '../../../src/model/acap/rotation-exponential.js'
import { bar, bend, carried, mapped, rmsDistance, sheet, together, twist } from './shapes.js'

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

test.each([0, 100])('where all vertices have the same map, it is the answer: fitWeight %s', (fitWeight) => {
  const square = sheet(3)
  const own = new AcapInverse(square, { fitWeight })
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

/** T = R S of a vertex, row by row. */
function affineOf(features: Float64Array, v: number): number[] {
  const r = new Float64Array(9)
  const [a, b, c, xx, xy, xz, yy, yz, zz] = features.subarray(9 * v, 9 * v + 9)
  writeExponential(-c, b, -a, r, 0)
  const s = [xx, xy, xz, xy, yy, yz, xz, yz, zz]
  return Array.from(r, (_, i) => [0, 1, 2].reduce((sum, k) => sum + r[i - (i % 3) + k] * s[3 * k + (i % 3)], 0))
}

test('without the fits, positions are the least squares of the edges: nothing pulls a vertex aside (seed 11)', () => {
  const random = randomStream(11)
  const body = bar(3, 2)
  const own = new AcapInverse(body, { fitWeight: 0 })
  const features = Float64Array.from(
    { length: own.size },
    (_, i) => [0, 0, 0, 1, 0, 0, 1, 0, 1][i % 9] + random.normal(),
  )
  const p = new Float64Array(body.positions.length)
  own.positions(features, p)
  const { vertices, weights } = ringEdges(body)
  const between = (q: ArrayLike<number>, a: number, b: number): number[] =>
    [0, 1, 2].map((k) => q[3 * b + k] - q[3 * a + k])
  const squares = Array.from(weights, (_, e) => {
    return Math.hypot(...between(body.positions, vertices[2 * e], vertices[2 * e + 1])) ** 2
  })
  const mean = squares.reduce((sum, square) => sum + square, 0) / squares.length
  const pull = new Float64Array(p.length)
  weights.forEach((weight, e) => {
    const [a, b] = [vertices[2 * e], vertices[2 * e + 1]]
    const [now, rest] = [between(p, a, b), between(body.positions, a, b)]
    for (const t of [affineOf(features, a), affineOf(features, b)]) {
      for (let k = 0; k < 3; k++) {
        const image = t[3 * k] * rest[0] + t[3 * k + 1] * rest[1] + t[3 * k + 2] * rest[2]
        const force = weight * (squares[e] / mean + 1e-4) * (now[k] - image)
        pull[3 * a + k] += force
        pull[3 * b + k] -= force
      }
    }
  })
  for (const each of pull) expect(each).toBeCloseTo(0, 12)
})

test('the more the fits count, the more exactly the encoded shape comes back', () => {
  const body = bar(12, 3)
  const shape = mapped(body.positions, (x, y, z) => twist(2)(...(bend(1)(x, y, z) as [number, number, number])))
  const own = new AcapFeatures(body)
  const [features, frame, again] = [new Float64Array(own.size), new Float64Array(16), new Float64Array(shape.length)]
  own.encode(shape, features, frame)
  const errors = [0, 100, 1e4, 1e8].map((fitWeight) => {
    new AcapInverse(body, { fitWeight }).positions(features, again)
    return rmsDistance(carried(frame, again), shape)
  })
  expect(errors[0]).toBeGreaterThan(3 * errors[1])
  expect(errors[1]).toBeGreaterThan(20 * errors[2])
  expect(errors[3]).toBeLessThan(1e-6)
})

test('a weight that is none is refused', () => {
  expect(() => new AcapInverse(sheet(2), { fitWeight: -1 })).toThrow(
    'acap inverse: fitWeight is -1; give zero or more.',
  )
})

test('a vertex all of whose edges have no length stays with its neighbour', () => {
  const square = sheet(2)
  const positions = Float64Array.of(...square.positions, ...square.positions.subarray(12, 15))
  const own = new AcapInverse({ positions, triangles: Uint32Array.of(...square.triangles, 4, 9, 9) })
  const out = new Float64Array(positions.length)
  own.positions(
    Float64Array.from({ length: own.size }, (_, i) => [0, 0, 0, 1, 0, 0, 1, 0, 1][i % 9]),
    out,
  )
  out.forEach((value, i) => void expect(value).toBeCloseTo(positions[i], 12))
})
