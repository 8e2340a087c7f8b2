import { Euler, Quaternion, Vector3 } from 'three'
import { expect, it } from 'vitest'
import {
  multiplyQuaternions,
  quaternionOfVector,
  rotateVector,
  rotationVector,
  slerpQuaternions,
  swingBetween,
} from '../../src/math/quaternion.js'
import { randomStream } from '../../src/math/random.js'

const ROUNDS = 200

function expectClose(a: ArrayLike<number>, b: ArrayLike<number>, tolerance = 1e-12): void {
  expect(a.length).toBe(b.length)
  for (let i = 0; i < a.length; i++) expect(Math.abs(a[i] - b[i])).toBeLessThan(tolerance)
}

function randomQuaternion(random: ReturnType<typeof randomStream>): Quaternion {
  return new Quaternion().setFromEuler(new Euler(random.between(-4, 4), random.between(-4, 4), random.between(-4, 4)))
}

it('multiplies, turns and interpolates as three.js does (seed 1)', () => {
  const random = randomStream(1)
  const out = new Float64Array(4)
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b] = [randomQuaternion(random), randomQuaternion(random)]
    multiplyQuaternions(a.toArray(), 0, b.toArray(), 0, out, 0)
    expectClose(out, a.clone().multiply(b).toArray())
    const t = random.uniform()
    slerpQuaternions(a.toArray(), 0, b.toArray(), 0, t, out, 0)
    expectClose(out, a.clone().slerp(b, t).toArray(), 1e-7)
    const v = new Vector3(random.normal(), random.normal(), random.normal())
    const turned = Float64Array.from(v.toArray())
    rotateVector(a.toArray(), 0, turned, 0, turned, 0)
    expectClose(turned, v.clone().applyQuaternion(a).toArray())
  }
})

it('multiplies in place, whichever side is written to (seed 2)', () => {
  const random = randomStream(2)
  const [a, b] = [randomQuaternion(random), randomQuaternion(random)]
  const both = Float64Array.of(...a.toArray(), ...b.toArray())
  const expected = a.clone().multiply(b).toArray()
  const left = both.slice()
  multiplyQuaternions(left, 0, left, 4, left, 0)
  expectClose(left.subarray(0, 4), expected)
  const right = both.slice()
  multiplyQuaternions(right, 0, right, 4, right, 4)
  expectClose(right.subarray(4), expected)
})

it('interpolates nearly equal rotations without losing them', () => {
  const out = new Float64Array(4)
  slerpQuaternions([0, 0, 0, 1], 0, [1e-9, 0, 0, 1], 0, 0.5, out, 0)
  expectClose(out, [0.5e-9, 0, 0, 1], 1e-15)
})

it('takes rotation vectors to quaternions and back, down to the smallest and up to half a turn (seed 3)', () => {
  const random = randomStream(3)
  const q = new Float64Array(4)
  const back = new Float64Array(3)
  for (const angle of [0, 1e-15, 1e-9, 1e-4, 1, 3, Math.PI - 1e-6]) {
    const axis = new Vector3(random.normal(), random.normal(), random.normal()).normalize()
    const vector = axis.clone().multiplyScalar(angle).toArray()
    quaternionOfVector(vector, 0, q, 0)
    expectClose(q, new Quaternion().setFromAxisAngle(axis, angle).toArray())
    rotationVector(q, 0, back, 0)
    expectClose(back, vector, 1e-9)
    // The opposite quaternion is the same rotation.
    rotationVector(
      q.map((value) => -value),
      0,
      back,
      0,
    )
    expectClose(back, vector, 1e-9)
  }
})

it('swings one direction onto another, opposite ones too (seed 4)', () => {
  const random = randomStream(4)
  const q = new Float64Array(4)
  for (let round = 0; round < ROUNDS; round++) {
    const a = [random.normal(), random.normal(), random.normal()]
    const b = round % 4 === 0 ? a.map((value) => -2 * value) : [random.normal(), random.normal(), random.normal()]
    swingBetween(a, b, q, 0)
    const turned = new Float64Array(3)
    rotateVector(q, 0, a, 0, turned, 0)
    const factor = Math.hypot(...a) / Math.hypot(...b)
    expectClose(
      turned,
      b.map((value) => value * factor),
      1e-6,
    )
    expect(Math.hypot(...q)).toBeCloseTo(1, 12)
  }
})
