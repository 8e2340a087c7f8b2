import { expect, test } from 'vitest'
import { LeastFirst } from '../../../src/math/least-first.js'
import { nearestRotation } from '../../../src/math/nearest-rotation.js'
import { polarRotation, writeRotation } from '../../../src/math/polar3.js'
import { quaternionOfVector } from '../../../src/math/quaternion.js'
import { randomStream } from '../../../src/math/random.js'
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js'
import { AffineFits } from '../../../src/model/acap/affine-fits.js'
import { splitAffine } from '../../../src/model/acap/polar-split.js'
import { acapReference } from '../../../src/model/acap/reference.js'
import { ringEdges, type WeightedEdges } from '../../../src/model/acap/ring-edges.js'
import { writeExponential } from '../../../src/model/acap/rotation-exponential.js'
import { RotationVectors } from '../../../src/model/acap/rotation-vectors.js'
import { bar } from './shapes.js'

function split(t: number[]): { rotation: Float64Array; stretch: Float64Array } {
  const [quaternion, stretch, rotation] = [new Float64Array(4), new Float64Array(6), new Float64Array(9)]
  splitAffine(Float64Array.from(t), 0, quaternion, 0, stretch, 0)
  writeRotation(quaternion, rotation)
  return { rotation, stretch }
}

/** R S, row by row. */
function product(r: Float64Array, [xx, xy, xz, yy, yz, zz]: Float64Array): number[] {
  const s = [xx, xy, xz, xy, yy, yz, xz, yz, zz]
  return Array.from({ length: 9 }, (_, i) =>
    [0, 1, 2].reduce((sum, k) => sum + r[i - (i % 3) + k] * s[3 * k + (i % 3)], 0),
  )
}

test('any map is its rotation times its stretch, also mirrored and singular ones (seed 2)', () => {
  const random = randomStream(2)
  for (let i = 0; i < 300; i++) {
    const t = Array.from({ length: 9 }, () => random.normal())
    if (i % 5 === 0) for (let k = 0; k < 3; k++) t[6 + k] = t[k]
    const { rotation, stretch } = split(t)
    product(rotation, stretch).forEach((value, k) => void expect(value).toBeCloseTo(t[k], 10))
  }
})

test('mirrored maps: the smallest value turns negative, where polarRotation stands still', () => {
  expect([...split([-3, 0, 0, 0, 1, 0, 0, 0, 2]).stretch]).toEqual([3, 0, 0, -1, 0, 2])
  expect([...split([-1, 0, 0, 0, 2, 0, 0, 0, 3]).stretch]).toEqual([-1, 0, 0, 2, 0, 3])
  const stuck = new Float64Array(9)
  polarRotation(Float64Array.of(-3, 0, 0, 0, 1, 0, 0, 0, 2), 0, stuck)
  expect([...stuck]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1])
})

test('half turns keep all digits of the axis', () => {
  for (const axis of [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [0.6, 0, 0.8],
  ]) {
    const r = new Float64Array(9)
    writeExponential(Math.PI * axis[0], Math.PI * axis[1], Math.PI * axis[2], r, 0)
    const { rotation, stretch } = split([...r])
    rotation.forEach((value, k) => void expect(value).toBeCloseTo(r[k], 14))
    stretch.forEach((value, k) => void expect(value).toBeCloseTo([1, 0, 0, 1, 0, 1][k], 14))
  }
})

test('the exponential is the rotation of the quaternion, for any number of turns (seed 3)', () => {
  const random = randomStream(3)
  const [q, r, expected] = [new Float64Array(4), new Float64Array(9), new Float64Array(9)]
  for (const size of [0, 1e-9, 1e-3, 0.0099, 0.0101, 1, 3, 10]) {
    const v = [0, 1, 2].map(() => size * random.normal())
    quaternionOfVector(v, 0, q, 0)
    writeRotation(q, expected)
    writeExponential(v[0], v[1], v[2], r, 0)
    r.forEach((value, k) => void expect(value).toBeCloseTo(expected[k], 13))
  }
})

test('the nearest rotation of a rotation is itself, as a map from X to x', () => {
  const q = Float64Array.of(0.1, -0.5, 0.3, Math.sqrt(1 - 0.35))
  const [r, out] = [new Float64Array(9), new Float64Array(4)]
  writeRotation(q, r)
  // sum X x^T over the unit vectors X is R^T.
  nearestRotation(
    r.map((_, i) => r[3 * (i % 3) + Math.trunc(i / 3)]),
    out,
  )
  out.forEach((value, k) => void expect(value).toBeCloseTo(q[k], 14))
})

test('weights are softened cotangents: of right and obtuse angles, at borders and across edges of three triangles', () => {
  // A right isosceles triangle: no cotangent over the hypotenuse, 1 over the other sides, of which borders have one.
  const corner = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0)
  const weightOf = (positions: Float64Array, triangles: number[], a: number, b: number): number => {
    const { vertices, weights } = ringEdges({ positions, triangles: Uint32Array.from(triangles) })
    return weights.find((_, e) => vertices[2 * e] === a && vertices[2 * e + 1] === b)!
  }
  expect(weightOf(corner, [0, 1, 2], 1, 2)).toBeCloseTo(1, 14)
  expect(weightOf(corner, [0, 1, 2], 0, 1)).toBeCloseTo(Math.sqrt(1.5), 14)
  expect(weightOf(corner, [0, 1, 2, 0, 1, 2, 0, 1, 2], 0, 1)).toBeCloseTo(Math.sqrt(2.5), 14)
  // 120 degrees at vertex 0, from either side.
  const s = Math.sqrt(3)
  const flat = Float64Array.of(0, 0, 0, -s, -1, 0, s, -1, 0, 0, -2, 0)
  expect(weightOf(flat, [0, 1, 2, 3, 2, 1], 1, 2)).toBeCloseTo(Math.exp(-1 / (2 * s)), 14)
})

test('the queue hands out items by ascending keys (seed 9)', () => {
  const random = randomStream(9)
  const queue = new LeastFirst(500)
  const keys = Float64Array.from({ length: 500 }, () => Math.round(random.between(0, 100)))
  keys.forEach((key, item) => void queue.push(key, item))
  const taken = Array.from(keys, () => keys[queue.pop()])
  expect(taken).toEqual([...keys].sort((a, b) => a - b))
  expect(queue.size).toBe(0)
})

/** Edges of a vertex as vectors with their weights, and behind them 0.3 of their mean length along the normal. */
function ringOf(mesh: TriangleMesh, weighted: WeightedEdges, v: number): number[][] {
  const p = mesh.positions
  const between = (a: number, b: number): number[] => [0, 1, 2].map((k) => p[3 * b + k] - p[3 * a + k])
  const edges = Array.from(weighted.weights, (_, e) => [...weighted.vertices.subarray(2 * e, 2 * e + 2)])
    .filter((ends) => ends.includes(v))
    .map(([a, b]) => (a === v ? between(a, b) : between(b, a)))
  const normal = [0, 0, 0]
  for (let t = 0; t < mesh.triangles.length; t += 3) {
    const corners = [...mesh.triangles.subarray(t, t + 3)]
    if (!corners.includes(v)) continue
    const [u, w] = [between(corners[0], corners[1]), between(corners[0], corners[2])]
    for (let k = 0; k < 3; k++) normal[k] += u[(k + 1) % 3] * w[(k + 2) % 3] - u[(k + 2) % 3] * w[(k + 1) % 3]
  }
  const mean = edges.reduce((sum, edge) => sum + Math.hypot(...edge), 0) / edges.length
  return [...edges, normal.map((value) => (0.3 * mean * value) / Math.hypot(...normal))]
}

test('fits are the least squares of edges and one pseudo-edge of 0.3 mean edges: what is left is across them (seed 12)', () => {
  const random = randomStream(12)
  const mesh = bar(3, 2)
  const shape = mesh.positions.map((value) => value + 0.03 * random.normal()) as Float64Array
  const reference = acapReference(mesh)
  const fitted = new Float64Array(9 * reference.vertexCount)
  new AffineFits(reference).fit(shape, fitted)
  for (let v = 0; v < reference.vertexCount; v++) {
    const before = ringOf(mesh, reference.ring, v)
    const after = ringOf({ ...mesh, positions: shape }, reference.ring, v)
    const ends = Array.from(reference.ring.weights.keys()).filter((e) =>
      reference.ring.vertices.subarray(2 * e, 2 * e + 2).includes(v),
    )
    const weights = [...ends.map((e) => reference.ring.weights[e]), 1]
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) {
        const left = before.reduce((sum, edge, i) => {
          const image = [0, 1, 2].reduce((all, k) => all + fitted[9 * v + 3 * row + k] * edge[k], 0)
          return sum + weights[i] * (after[i][row] - image) * edge[column]
        }, 0)
        expect(left, `vertex ${v}`).toBeCloseTo(0, 14)
      }
    }
  }
})

test('rotations go on over the edges across which they change least, not over short cuts', () => {
  // A chain, each vertex turned by 0.8 more, and an edge from its first to its last: 7.2 there, or 0.92 over the edge.
  const count = 10
  const chain = Array.from({ length: count - 1 }, (_, i) => [i, i + 1])
  const vectors = new RotationVectors({
    ...acapReference(bar(1, 1)),
    vertexCount: count,
    positions: Float64Array.from({ length: 3 * count }, (_, i) => (i < 3 ? 0 : 9)),
    areas: new Float64Array(count).fill(0).fill(1, 0, 1),
    edges: { vertices: Uint32Array.from([[0, count - 1], ...chain].flat()), weights: new Float64Array(count).fill(1) },
  })
  const quaternions = new Float64Array(4 * count)
  for (let v = 0; v < count; v++) quaternionOfVector([0.8 * v, 0, 0], 0, quaternions, 4 * v)
  const out = new Float64Array(3 * count)
  vectors.unwrap(quaternions, out)
  out.forEach((value, i) => void expect(value).toBeCloseTo(i % 3 === 0 ? 0.8 * (i / 3) : 0, 12))
})
