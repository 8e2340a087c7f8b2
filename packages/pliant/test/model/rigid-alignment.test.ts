import { expect, it } from 'vitest'
import { rotateVector } from '../../src/math/quaternion.js'
import { type Random, randomStream } from '../../src/math/random.js'
import { RigidAlignment } from '../../src/model/rigid-alignment.js'

const NODES = 40

function cloud(random: Random, scale: readonly number[] = [1, 1, 1]): Float64Array {
  return Float64Array.from({ length: 3 * NODES }, (_, i) => scale[i % 3] * random.normal() + 3)
}

function randomRotation(random: Random): Float64Array {
  const q = Float64Array.from({ length: 4 }, () => random.normal())
  const length = Math.hypot(...q)
  return q.map((value) => value / length)
}

function moved(points: Float64Array, rotation: Float64Array, offset: readonly number[]): Float64Array {
  const out = new Float64Array(points.length)
  for (let at = 0; at < points.length; at += 3) rotateVector(rotation, 0, points, at, out, at)
  return out.map((value, i) => value + offset[i % 3])
}

function carried(frame: Float64Array, points: Float64Array): Float64Array {
  return points.map((_, i) => {
    const [row, at] = [i % 3, i - (i % 3)]
    const [x, y, z] = points.subarray(at, at + 3)
    return frame[row] * x + frame[4 + row] * y + frame[8 + row] * z + frame[12 + row]
  })
}

function determinant(m: Float64Array): number {
  const row = (k: number): number =>
    m[4 + ((k + 1) % 3)] * m[8 + ((k + 2) % 3)] - m[4 + ((k + 2) % 3)] * m[8 + ((k + 1) % 3)]
  return m[0] * row(0) + m[1] * row(1) + m[2] * row(2)
}

function misfit(frame: Float64Array, rest: Float64Array, masses: Float64Array, positions: Float64Array): number {
  const there = carried(frame, rest)
  return positions.reduce((sum, value, i) => sum + masses[Math.floor(i / 3)] * (value - there[i]) ** 2, 0)
}

function masses(random: Random): Float64Array {
  return Float64Array.from({ length: NODES }, () => random.between(0.1, 5))
}

it('finds the motion of a shape that was moved rigidly, also flat ones and far away (seed 1)', () => {
  const random = randomStream(1)
  for (const scale of [
    [1, 1, 1],
    [1, 1, 0],
    [1, 1e-5, 1e-5],
    [1, 1, 1e-9],
  ]) {
    for (const distance of [0, 1, 1e4]) {
      const rest = cloud(random, scale)
      const rotation = randomRotation(random)
      const positions = moved(rest, rotation, [distance, -2 * distance, 0.5])
      const frame = new Float64Array(16)
      new RigidAlignment(rest, masses(random)).align(positions, frame)
      const there = carried(frame, rest)
      for (let i = 0; i < rest.length; i++)
        expect(Math.abs(there[i] - positions[i])).toBeLessThan(1e-10 + 1e-14 * distance)
      expect(determinant(frame)).toBeCloseTo(1, 12)
      expect([frame[3], frame[7], frame[11], frame[15]]).toEqual([0, 0, 0, 1])
    }
  }
})

it('fits no worse than any motion near by, whatever the shape became (seed 2)', () => {
  const random = randomStream(2)
  for (let round = 0; round < 20; round++) {
    const rest = cloud(random)
    const weights = masses(random)
    // From a little bent to another shape altogether.
    const bend = 3 * (round / 20) ** 2
    const positions = moved(rest, randomRotation(random), [1, 2, 3]).map((value) => value + bend * random.normal())
    const frame = new Float64Array(16)
    new RigidAlignment(rest, weights).align(positions, frame)
    const best = misfit(frame, rest, weights, positions)
    for (let trial = 0; trial < 20; trial++) {
      const turn = Float64Array.from({ length: 3 }, () => 1e-3 * random.normal())
      const small = Float64Array.of(...turn, Math.sqrt(1 - turn[0] ** 2 - turn[1] ** 2 - turn[2] ** 2))
      const other = frame.slice()
      for (const column of [0, 4, 8]) rotateVector(small, 0, frame, column, other, column)
      for (let k = 12; k < 15; k++) other[k] += 1e-3 * random.normal()
      expect(misfit(other, rest, weights, positions)).toBeGreaterThan(best)
    }
  }
})

it('counts masses: a heavy half decides', () => {
  const rest = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 5, 5)
  const positions = Float64Array.of(0, 0, 2, 0, 1, 2, -1, 0, 2, 9, -9, 9)
  const frame = new Float64Array(16)
  new RigidAlignment(rest, Float64Array.of(1, 1, 1, 1e-9)).align(positions, frame)
  expect([...frame].map((value) => Number(value.toFixed(6)) + 0)).toEqual([
    0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 1,
  ])
})

it('answers a mirrored body with a rotation, not a reflection (seed 3)', () => {
  const random = randomStream(3)
  const rest = cloud(random, [1, 0.8, 0.5])
  const frame = new Float64Array(16)
  new RigidAlignment(rest, masses(random)).align(
    rest.map((value, i) => (i % 3 === 2 ? -value : value)),
    frame,
  )
  expect(determinant(frame)).toBeCloseTo(1, 12)
})

it('takes the least rotation where many fit: on a line, in a point, and inside out (seed 4)', () => {
  const random = randomStream(4)
  const rest = cloud(random, [1, 0, 0])
  const weights = masses(random)
  const frame = new Float64Array(16)
  const alignment = new RigidAlignment(rest, weights)
  // A line along x, turned to run along y: a quarter about z is the least.
  alignment.align(moved(rest, Float64Array.of(0, 0, Math.SQRT1_2, Math.SQRT1_2), [0, 0, 0]), frame)
  const quarter = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1]
  for (let k = 0; k < 11; k++) expect(frame[k]).toBeCloseTo(quarter[k], 7)
  alignment.align(rest, frame)
  const none = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
  for (let k = 0; k < 16; k++) expect(frame[k]).toBeCloseTo(none[k], 7)
  alignment.align(new Float64Array(rest.length).fill(7), frame)
  for (let k = 0; k < 12; k++) expect(frame[k]).toBeCloseTo(none[k], 12)
  const body = cloud(random)
  new RigidAlignment(body, weights).align(
    body.map((value) => -value),
    frame,
  )
  expect(determinant(frame)).toBeCloseTo(1, 12)
})

it('refuses masses and positions that are none', () => {
  const rest = cloud(randomStream(5))
  expect(() => new RigidAlignment(rest, new Float64Array(NODES))).toThrow('sum to 0')
  expect(() => new RigidAlignment(rest, new Float64Array(3).fill(1))).toThrow('3 masses')
  const alignment = new RigidAlignment(rest, new Float64Array(NODES).fill(1))
  expect(() => alignment.align(rest.with(17, Number.NaN), new Float64Array(16))).toThrow(
    'rigid alignment: node 5 is NaN; ',
  )
})
