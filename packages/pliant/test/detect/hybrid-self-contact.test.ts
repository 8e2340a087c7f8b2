/** Where the learned field is not sure the exact test decides, and nowhere else. */
import { describe, expect, it } from 'vitest'
import { chooseTau, falseNegativeBound, HybridSelfContact } from '../../src/detect/index.js'
import type { ConfigurationField } from '../../src/index.js'
import { randomStream } from '../../src/math/random.js'

/** Says 0.3 - |q|: free within a circle; the truth is a circle of 0.35. */
const field: ConfigurationField & { bounds: { lower: number[]; upper: number[] } } = {
  codeSize: 2,
  bounds: { lower: [-1, -1], upper: [1, 1] },
  query(codes, count, distances) {
    for (let i = 0; i < count; i++) distances[i] = 0.3 - Math.hypot(codes[2 * i], codes[2 * i + 1])
  },
}
const truth = (code: ArrayLike<number>): boolean => Math.hypot(code[0], code[1]) > 0.35
const asked: number[][] = []
const exact = {
  touches(code: Float64Array): boolean {
    if (!code.every(Number.isFinite)) throw new RangeError('not finite')
    asked.push([...code])
    return truth(code)
  },
}

describe('hybrid self-contact', () => {
  it('asks the exact test below tau and believes the field beyond, over many codes (seed 2)', () => {
    const random = randomStream(2)
    const codes = Float32Array.from({ length: 2 * 700 }, () => random.between(-0.7, 0.7))
    const out = new Uint8Array(700)
    const hybrid = new HybridSelfContact(field, exact, { tau: 0.1 })
    asked.length = 0
    hybrid.touches(codes, 700, out)
    const within = Array.from({ length: 700 }, (_, i) => [codes[2 * i], codes[2 * i + 1]]).filter(
      ([x, y]) => Math.abs(0.3 - Math.hypot(x, y)) < 0.1,
    )
    expect(within.length).toBeGreaterThan(50)
    expect(asked).toEqual(within)
    expect(hybrid.exactTests).toBe(within.length)
    for (let i = 0; i < 700; i++) expect(out[i]).toBe(truth(codes.subarray(2 * i)) ? 1 : 0)
  })

  it('with tau of zero never asks, and is wrong where the field is; with infinity always asks', () => {
    // The last one lies on the field's own boundary.
    const between = Float64Array.of(0.32, 0, 0.1, 0, 0.3, 0)
    const out = new Uint8Array(3)
    const never = new HybridSelfContact(field, exact, { tau: 0 })
    never.touches(between, 3, out)
    expect([...out, never.exactTests]).toEqual([1, 0, 0, 0])
    const always = new HybridSelfContact(field, exact, { tau: Infinity })
    always.touches(between, 3, out)
    expect([...out, always.exactTests]).toEqual([0, 0, 0, 3])
  })

  it('asks the exact test of every code outside the box, however sure the field is', () => {
    const hybrid = new HybridSelfContact(field, exact, { tau: 0.1 })
    const out = new Uint8Array(2)
    hybrid.touches(Float64Array.of(1.5, 0, 0.9, 0), 2, out)
    expect([...out, hybrid.exactTests]).toEqual([1, 1, 1])
  })

  it('a code that is not finite is not called free', () => {
    const hybrid = new HybridSelfContact(field, exact, { tau: 0 })
    expect(() => hybrid.touches(Float64Array.of(Number.NaN, 0), 1, new Uint8Array(1))).toThrow('not finite')
    const { bounds: _, ...unbounded } = field
    const anywhere = new HybridSelfContact(unbounded, exact, { tau: 0 })
    expect(() => anywhere.touches(Float64Array.of(Number.NaN, 0), 1, new Uint8Array(1))).toThrow('not finite')
  })

  it('refuses a tau that is none, and an answer without room', () => {
    for (const tau of [-1, Number.NaN, '0.1' as unknown as number]) {
      expect(() => new HybridSelfContact(field, exact, { tau })).toThrow(/tau is .*; give zero or more\.$/)
    }
    const hybrid = new HybridSelfContact(field, exact, { tau: 0.1 })
    expect(() => hybrid.touches(new Float64Array(4), 2, new Uint8Array(1))).toThrow(/2 codes need 2 in a Uint8Array\.$/)
  })
})

describe('chooseTau', () => {
  const rows = [
    { tau: 0, exactShare: 0, accuracy: 0.97, falseNegatives: 0.04 },
    { tau: 0.05, exactShare: 0.02, accuracy: 0.985, falseNegatives: 0.01 },
    { tau: 0.1, exactShare: 0.05, accuracy: 0.999, falseNegatives: 0.001 },
  ]

  /** So many touching codes were seen. */
  const seen = (touching: number) => ({ codes: 10 * touching, touchingShare: 0.1, hybrid: rows })

  it('takes the least tau whose bound keeps the promise', () => {
    // Of 10,000 touching codes 400, 100 and 10 missed: at most 4.34%, 1.18% and 0.17%.
    expect(chooseTau(seen(10_000), 0.5)).toBe(0)
    expect(chooseTau(seen(10_000), 0.0434)).toBe(0)
    expect(chooseTau(seen(10_000), 0.043)).toBe(0.05)
    expect(chooseTau(seen(10_000), 0.0117)).toBe(0.1)
    expect(falseNegativeBound(seen(10_000), rows[2])).toBeCloseTo(0.0016956, 6)
  })

  it('promises less from fewer codes, and nothing from what was measured alone', () => {
    expect(chooseTau(seen(10_000), 0.001)).toBeUndefined()
    const none = { codes: 2000, touchingShare: 0.1, hybrid: [{ ...rows[0], falseNegatives: 0 }] }
    expect(chooseTau(none, 0.0149)).toBe(0)
    expect(chooseTau(none, 0.0148)).toBeUndefined()
    expect(chooseTau({ ...none, touchingShare: 0 }, 0.99)).toBeUndefined()
    expect(chooseTau({ ...none, hybrid: [] }, 1)).toBeUndefined()
  })
})
