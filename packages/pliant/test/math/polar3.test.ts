import { describe, expect, it } from 'vitest'
import { polarRotation } from '../../src/math/polar3.js'
import { randomStream } from '../../src/math/random.js'

/** Row by row. */
function product(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: 9 }, (_, i) => {
    const [row, column] = [Math.floor(i / 3), i % 3]
    return a[3 * row] * b[column] + a[3 * row + 1] * b[3 + column] + a[3 * row + 2] * b[6 + column]
  })
}

const transpose = (a: ArrayLike<number>): Float64Array =>
  Float64Array.from({ length: 9 }, (_, i) => a[3 * (i % 3) + Math.floor(i / 3)])

function determinant(a: ArrayLike<number>): number {
  return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) + a[2] * (a[3] * a[7] - a[4] * a[6])
}

function expectRotation(r: Float64Array): void {
  const square = product(transpose(r), r)
  square.forEach((value, i) => {
    expect(value).toBeCloseTo(i % 4 === 0 ? 1 : 0, 9)
  })
  expect(determinant(r)).toBeCloseTo(1, 9)
}

describe('polarRotation', () => {
  const random = randomStream(3, 1)
  const any = (): Float64Array => Float64Array.from({ length: 9 }, () => random.normal())
  const out = new Float64Array(9)

  it('finds the rotation of a rotation times a stretch, up to half a turn', () => {
    for (let i = 0; i < 300; i++) {
      const turn = new Float64Array(9)
      polarRotation(any(), 0, turn)
      const shear = any()
      const stretch = product(transpose(shear), shear)
      for (const d of [0, 4, 8]) stretch[d] += 0.2
      polarRotation(product(turn, stretch), 0, out)
      expectRotation(out)
      out.forEach((value, k) => {
        expect(value, `case ${i}`).toBeCloseTo(turn[k], 6)
      })
    }
  })

  it('gives a rotation for matrices that are flat, nothing, or turn space inside out', () => {
    for (const f of [
      new Float64Array(9),
      [1, 0, 0, 0, 1, 0, 0, 0, 0],
      [1, 0, 0, 0, 1, 0, 0, 0, -1],
      [0, 2, 0, 0, 0, 0, 0, 0, 0],
    ]) {
      polarRotation(Float64Array.from(f), 0, out)
      expectRotation(out)
    }
  })

  it('reads from where it is told', () => {
    polarRotation(Float64Array.from([9, 9, 0, -1, 0, 1, 0, 0, 0, 0, 1]), 2, out)
    expect(Array.from(out, (value) => Math.round(1e6 * value) / 1e6 + 0)).toEqual([0, -1, 0, 1, 0, 0, 0, 0, 1])
  })
})
