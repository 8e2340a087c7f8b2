import { expect, test } from 'vitest'
import { boxDiagonal } from '../../../src/math/box.js'
import { quaternionOfVector, rotateVector } from '../../../src/math/quaternion.js'
import { randomStream } from '../../../src/math/random.js'
import { meshBox, type TriangleMesh } from '../../../src/mesh/triangle-mesh.js'
import { AcapFeatures } from '../../../src/model/acap/acap-features.js'
import { AcapInverse } from '../../../src/model/acap/acap-inverse.js'
import { ringEdges } from '../../../src/model/acap/ring-edges.js'
import { bar, bend, carried, mapped, rmsDistance, sheet, together, twist } from './shapes.js'

function encode(mesh: TriangleMesh, positions: Float64Array): { features: Float64Array; frame: Float64Array } {
  const acap = new AcapFeatures(mesh)
  const features = new Float64Array(acap.size)
  const frame = new Float64Array(16)
  acap.encode(positions, features, frame)
  return { features, frame }
}

/** How far a shape ends from where it was, over the diagonal of the reference. */
function roundTrip(mesh: TriangleMesh, positions: Float64Array): number {
  const { features, frame } = encode(mesh, positions)
  const again = new Float64Array(positions.length)
  new AcapInverse(mesh).positions(features, again)
  return rmsDistance(carried(frame, again), positions) / boxDiagonal(meshBox(mesh))
}

function vectorOf(features: Float64Array, v: number): number[] {
  return [-features[9 * v + 2], features[9 * v + 1], -features[9 * v]]
}

/** The largest difference of rotation vectors along an edge. */
function largestStep(mesh: TriangleMesh, features: Float64Array): number {
  const { vertices } = ringEdges(mesh)
  let largest = 0
  for (let at = 0; at < vertices.length; at += 2) {
    const [a, b] = [vectorOf(features, vertices[at]), vectorOf(features, vertices[at + 1])]
    largest = Math.max(largest, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]))
  }
  return largest
}

function expectClose(values: Float64Array, expected: ArrayLike<number>, digits: number): void {
  for (let i = 0; i < values.length; i++)
    expect(values[i], `value ${i}`).toBeCloseTo(expected[i % expected.length], digits)
}

const IDENTITY = [0, 0, 0, 1, 0, 0, 1, 0, 1]

function turned(positions: Float64Array, vector: number[], offset: number[]): Float64Array {
  const [q, out] = [new Float64Array(4), new Float64Array(positions.length)]
  quaternionOfVector(vector, 0, q, 0)
  for (let at = 0; at < out.length; at += 3) rotateVector(q, 0, positions, at, out, at)
  return out.map((value, i) => value + offset[i % 3])
}

test('the reference itself is no rotation and no stretch, and comes back exactly', () => {
  const mesh = bar(8, 2)
  const shape = mesh.positions as Float64Array
  expectClose(encode(mesh, shape).features, IDENTITY, 12)
  expect(roundTrip(mesh, shape)).toBeLessThan(1e-14)
})

test('rigid motion changes no feature, and the frame says what it was (seed 4)', () => {
  const random = randomStream(4)
  const mesh = bar(12, 2)
  const shape = mapped(mesh.positions, (x, y, z) => bend(0.9)(...(twist(1.3)(x, y, z) as [number, number, number])))
  const { features, frame } = encode(mesh, shape)
  const local = new Float64Array(shape.length)
  for (let i = 0; i < 5; i++) {
    const moved = turned(shape, [2 * random.normal(), random.normal(), random.normal()], [50 * i, -3, 7])
    const again = encode(mesh, moved)
    expectClose(again.features, features, 9)
    new AcapInverse(mesh).positions(again.features, local)
    expect(rmsDistance(carried(again.frame, local), moved)).toBeCloseTo(rmsDistance(carried(frame, local), shape), 9)
  }
})

test('a flat sheet stretched in its plane has exactly that stretch, and mean edges across it', () => {
  const mesh = sheet(6)
  const { features } = encode(
    mesh,
    mapped(mesh.positions, (x, y) => [1.5 * x + 0.2 * y, 0.2 * x + 0.8 * y, 0]),
  )
  for (let v = 0; v < features.length; v += 9) {
    expectClose(features.slice(v + 3, v + 8), [1.5, 0.2, 0, 0.8, 0], 12)
  }
  // Edges of an inner vertex are 1 / 6 along x, y and the diagonal.
  const lengths = (a: number, b: number, c: number): number =>
    Math.hypot(a, b) + Math.hypot(b, c) + Math.hypot(a + b, b + c)
  expect(features[9 * 8 + 8]).toBeCloseTo(lengths(1.5, 0.2, 0.8) / lengths(1, 0, 1), 12)
})

test('a body scaled evenly has that scale everywhere, and comes back exactly', () => {
  const mesh = bar(6, 3)
  const shape = mesh.positions.map((value) => 1.7 * value) as Float64Array
  expectClose(encode(mesh, shape).features, [0, 0, 0, 1.7, 0, 0, 1.7, 0, 1.7], 12)
  expect(roundTrip(mesh, shape)).toBeLessThan(1e-14)
})

/** How far the rotation about an axis goes. */
function span(features: Float64Array, axis: number): number {
  const angles = Array.from({ length: features.length / 9 }, (_, v) => vectorOf(features, v)[axis])
  return Math.max(...angles) - Math.min(...angles)
}

// Thin, since the surface of a thick bar is sheared as it is twisted, and rotates about another axis than the bar.
const thin = bar(120, 1, 0.1, 0.01)

test('a bar twisted three times turns by 6 pi in small steps, and comes back', () => {
  const shape = mapped(thin.positions, twist(Math.PI / 2))
  const { features } = encode(thin, shape)
  // A cell turns by pi / 20.
  expect(largestStep(thin, features)).toBeLessThan(0.7)
  expect(span(features, 0)).toBeGreaterThan(5.9 * Math.PI)
  expect(span(features, 0)).toBeLessThan(6.1 * Math.PI)
  expect(roundTrip(thin, shape)).toBeLessThan(1e-3)
})

test('a bar rolled up almost once turns by as much in small steps, and comes back', () => {
  const shape = mapped(thin.positions, bend((1.9 * Math.PI) / 12))
  const { features } = encode(thin, shape)
  expect(largestStep(thin, features)).toBeLessThan(0.4)
  expect(span(features, 2)).toBeCloseTo(1.9 * Math.PI, 1)
  expect(roundTrip(thin, shape)).toBeLessThan(1e-3)
})

test('where noise hides the axis at a full turn, it is the neighbours (seed 8)', () => {
  const random = randomStream(8)
  // 40 cells a turn: rings so far from the first are not turned but by noise.
  const shape = mapped(thin.positions, twist(Math.PI / 2)).map((value) => value + 2e-5 * random.normal())
  const { features } = encode(thin, shape)
  expect(largestStep(thin, features)).toBeLessThan(1)
  expect(roundTrip(thin, shape)).toBeLessThan(1e-3)
})

test('thick bars bent and twisted come back', () => {
  const thick = bar(30, 4)
  for (const amount of [0.3, 0.8]) {
    expect(roundTrip(thick, mapped(thick.positions, bend(amount)))).toBeLessThan(3e-3)
    expect(roundTrip(thick, mapped(thick.positions, twist(amount)))).toBeLessThan(3e-3)
  }
})

test('pieces follow those that they were nearest to at rest', () => {
  const body = bar(40, 1, 0.1, 0.02)
  const bead = bar(1, 1, 0.02)
  const offset = [1.95, 0.03, 0.001]
  const mesh = together(body, { ...bead, positions: bead.positions.map((value, i) => value + offset[i % 3]) })
  const shape = mapped(mesh.positions, bend(2.2))
  expect(roundTrip(mesh, shape)).toBeLessThan(3e-3)
  // From the middle on, the bead is turned by more than pi, as the end of the body is.
  const { features } = encode(mesh, shape)
  const end = body.positions.findIndex((value, i) => i % 3 === 0 && value > 1.99) / 3
  const [ours, theirs] = [mesh.positions.length / 3 - 1, end].map((v) => vectorOf(features, v)[2])
  expect(Math.abs(theirs)).toBeGreaterThan(4)
  expect(Math.abs(ours - theirs)).toBeLessThan(0.3)
})

test('pieces that meet without sharing vertices stay together', () => {
  const half = sheet(8)
  const mesh = together(half, { ...half, positions: mapped(half.positions, (x, y, z) => [x + 1, y, z]) })
  const shape = mapped(mesh.positions, bend(0.3))
  expect(roundTrip(mesh, shape)).toBeLessThan(3e-3)
})

test('unused corners, slivers, edges without length and of three triangles do no harm', () => {
  const mesh = sheet(4)
  const { length } = mesh.positions
  const fin = {
    // A vertex on top of vertex 6, and one beside the sheet, over edge 6-7.
    positions: Float64Array.of(...mesh.positions, ...mesh.positions.subarray(18, 21), 0.4, 0.25, 0.3),
    triangles: Uint32Array.of(...mesh.triangles, 6, length / 3, 7, 7, length / 3 + 1, 6, length / 3, 8, 12, 2, 2, 3),
  }
  const shape = mapped(fin.positions, (x, y, z) => [x, y, z + 0.1 * x])
  const { features } = encode(fin, shape)
  expect(features.every(Number.isFinite)).toBe(true)
  expect(roundTrip(fin, shape)).toBeLessThan(1e-2)
})

test('a shape that has collapsed still has finite features', () => {
  const mesh = bar(4, 2)
  for (const shape of [mesh.positions.map(() => 3), mapped(mesh.positions, (x) => [x, 0, 0])]) {
    const { features } = encode(mesh, shape as Float64Array)
    expect(features.every(Number.isFinite)).toBe(true)
  }
})

test('bad input ends in one line', () => {
  const mesh = sheet(2)
  const acap = new AcapFeatures(mesh)
  const inverse = new AcapInverse(mesh)
  const [shape, features] = [new Float64Array(27), new Float64Array(81)]
  expect(() => acap.encode(new Float64Array(24), features)).toThrow(
    'acap: 24 values for 9 vertices; pass 27, 3 for each.',
  )
  expect(() => acap.encode(shape.fill(Number.NaN, 6, 7), features)).toThrow(
    'acap: vertex 2 is NaN; pass finite numbers.',
  )
  expect(() => acap.encode(mesh.positions, new Float64Array(80))).toThrow('acap: features: 80 values for 9 vertices')
  expect(() => inverse.positions(new Float64Array(9), shape)).toThrow('acap: features: 9 values for 9 vertices')
  expect(() => inverse.positions(features.fill(Number.NaN), shape)).toThrow('acap: features: vertex 0 is NaN')

  const of = (positions: number[], triangles: number[]) => () =>
    new AcapFeatures({ positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) })
  const corner = [0, 0, 0, 1, 0, 0, 0, 1, 0]
  expect(of(corner, [])).toThrow('acap: the mesh has no triangles')
  expect(of([...corner, 5, 5, 5], [0, 1, 2])).toThrow('acap: vertex 3 is part of no triangle; take such vertices out')
  expect(of([0, 0, 0, 1, 0, 0, 2, 0, 0], [0, 1, 2])).toThrow('acap: the mesh has no area')
  expect(of([...corner, 2, 0, 0], [0, 1, 2, 1, 3, 3])).toThrow('acap: the triangles around vertex 3 have no area')
  expect(of(corner, [0, 1, 2, 0, 2, 1])).toThrow('cancel each other; weld or remove them')
  expect(of(corner, [0, 1, 7])).toThrow('acap: ')
})
