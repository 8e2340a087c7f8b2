import { Euler, Matrix4, Quaternion, Vector3 } from 'three'
import { expect, it } from 'vitest'
import { composeMat4, decomposeMat4, invertAffine, linearDeterminant, multiplyAffine } from '../../src/math/mat4.js'
import { randomStream } from '../../src/math/random.js'

function expectClose(a: ArrayLike<number>, b: ArrayLike<number>, tolerance = 1e-11): void {
  expect(a.length).toBe(b.length)
  for (let i = 0; i < a.length; i++) expect(Math.abs(a[i] - b[i])).toBeLessThan(tolerance)
}

function randomParts(random: ReturnType<typeof randomStream>) {
  const three = () => new Vector3(random.normal(), random.normal(), random.normal())
  const rotation = new Quaternion().setFromEuler(new Euler(...three().multiplyScalar(3).toArray()))
  const scale = new Vector3(random.between(0.3, 2), random.between(0.3, 2), random.between(0.3, 2))
  if (random.uniform() < 0.5) scale.x *= -1
  return { translation: three(), rotation, scale }
}

it('composes, multiplies, inverts and takes apart as three.js does, mirrors too (seed 1)', () => {
  const random = randomStream(1)
  for (let round = 0; round < 200; round++) {
    const [a, b] = [randomParts(random), randomParts(random)]
    const matrices = [a, b].map((parts) => new Matrix4().compose(parts.translation, parts.rotation, parts.scale))
    const out = new Float64Array(32)
    // As the second joint of two, so that a wrong offset shows.
    composeMat4(
      [9, 9, 9, ...a.translation.toArray()],
      [0, 0, 0, 1, ...a.rotation.toArray()],
      [9, 9, 9, ...a.scale.toArray()],
      1,
      out,
      16,
    )
    expectClose(out.subarray(16), matrices[0].elements)
    const product = Float64Array.from(matrices[1].elements)
    multiplyAffine(out, 16, product, 0, product, 0)
    expectClose(product, matrices[0].clone().multiply(matrices[1]).elements)
    expect(linearDeterminant(product)).toBeCloseTo(matrices[0].determinant() * matrices[1].determinant(), 9)
    expect(invertAffine(out, 16, out, 0)).toBe(true)
    expectClose(out.subarray(0, 16), matrices[0].clone().invert().elements, 1e-9)

    const [rotation, scale] = [new Float64Array(4), new Float64Array(3)]
    expect(decomposeMat4(out, 16, rotation, 0, scale, 0)).toBeLessThan(1e-12)
    expectClose(scale, a.scale.toArray())
    const sign = Math.sign(rotation[3] * a.rotation.w)
    expectClose(
      rotation,
      a.rotation.toArray().map((value) => sign * value),
    )
  }
})

it('says when there is no inverse, and how much shear cannot be taken apart', () => {
  const flat = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
  expect(invertAffine(flat, 0, new Float64Array(16), 0)).toBe(false)
  const sheared = Float64Array.of(1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
  expect(decomposeMat4(sheared, 0, new Float64Array(4), 0, new Float64Array(3), 0)).toBeGreaterThan(0.1)
})

it('finds no rotation in a matrix without axes, and says so', () => {
  const rotation = new Float64Array(4)
  expect(decomposeMat4(new Float64Array(16), 0, rotation, 0, new Float64Array(3), 0)).toBe(Infinity)
  expect([...rotation]).toEqual([0, 0, 0, 1])
})
