/** Small dense systems against their definition. */
import { describe, expect, it } from 'vitest'
import { invertPositive, solveDense } from '../../src/math/dense-inverse.js'
import { randomStream } from '../../src/math/random.js'

const N = 6
const random = randomStream(3)
const general = Float64Array.from({ length: N * N }, () => random.between(-1, 1))

describe('small dense systems (seed 3)', () => {
  it('invert a positive matrix, from its lower triangle alone', () => {
    const a = new Float64Array(N * N)
    for (let i = 0; i < N * N; i++) {
      const [row, column] = [Math.floor(i / N), i % N]
      for (let k = 0; k < N; k++) a[i] += general[row * N + k] * general[column * N + k]
    }
    const inverse = new Float64Array(N * N)
    expect(
      invertPositive(
        a.map((value, i) => (i % N > Math.floor(i / N) ? Number.NaN : value)),
        N,
        inverse,
      ),
    ).toBe(true)
    for (let i = 0; i < N * N; i++) {
      let sum = 0
      for (let k = 0; k < N; k++) sum += a[Math.floor(i / N) * N + k] * inverse[k * N + (i % N)]
      expect(sum).toBeCloseTo(i % (N + 1) === 0 ? 1 : 0, 9)
    }
  })

  it('tell a matrix that is not positive, and leave the answer alone', () => {
    const out = new Float64Array(4)
    expect(invertPositive(Float64Array.of(1, 2, 2, 1), 2, out)).toBe(false)
    expect(out).toEqual(new Float64Array(4))
  })

  it('solve any matrix, one with a zero where elimination begins too, and tell a singular one', () => {
    const a = general.slice()
    a[0] = 0
    const x = Float64Array.from({ length: N }, (_, i) => i + 1)
    const right = x.map((_, row) => x.reduce((sum, value, k) => sum + a[row * N + k] * value, 0))
    expect(solveDense(a, N, right)).toBe(true)
    for (let i = 0; i < N; i++) expect(right[i]).toBeCloseTo(x[i], 9)
    expect(solveDense(Float64Array.of(1, 2, 2, 4), 2, Float64Array.of(1, 1))).toBe(false)
  })
})
