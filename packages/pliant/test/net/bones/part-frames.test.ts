import { describe, expect, it } from 'vitest'
import { randomStream } from '../../../src/math/random.js'
import { type BoneFrame, MAX_DRIVERS } from '../../../src/net/bones/bone-shape.js'
import { PartFrames } from '../../../src/net/bones/part-frames.js'

const QUARTER = [0, -1, 0, 1, 0, 0, 0, 0, 1]

/** Two parts; the code's first twelve entries are the first part's F - I and shift, the next twelve the second's. */
function twoParts(axes: readonly number[] = [1, 0, 0, 0, 1, 0, 0, 0, 1]): PartFrames {
  const motions = new Float32Array(2 * 12 * 24)
  for (let entry = 0; entry < 24; entry++) motions[24 * entry + entry] = 1
  const bones = [{ drivers: [1] }, { drivers: [0] }] as BoneFrame[]
  return new PartFrames(
    { bones },
    {
      centres: Float32Array.of(0, 0, 0, 2, 0, 0),
      axes: Float32Array.from([...axes, 1, 0, 0, 0, 1, 0, 0, 0, 1]),
      motions,
    },
  )
}

const minusIdentity = (f: readonly number[]): number[] => f.map((value, i) => value - (i % 4 === 0 ? 1 : 0))
const still = [0, 0, 0, 0, 0, 0, 0, 0, 0]

describe('PartFrames', () => {
  it('rests where it was made, with nothing that bends it', () => {
    const parts = twoParts()
    expect([...parts.matrices.subarray(16)]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 0, 0, 1])
    for (const driver of parts.drivers) expect(driver).toBeCloseTo(0, 9)
  })

  it('follows a rigid motion of the whole body, and sees nothing bend', () => {
    const parts = twoParts()
    // A quarter turn about z carries the second centre from (2, 0, 0) to (0, 2, 0).
    const turned = minusIdentity(QUARTER)
    parts.pose([...turned, 5, 6, 7, ...turned, 5 - 2, 6 + 2, 7])
    const expected = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]
    expected.forEach((value, i) => {
      expect(parts.matrices[i]).toBeCloseTo(value, 9)
    })
    for (const driver of parts.drivers) expect(driver).toBeCloseTo(0, 6)
  })

  it('tells stretch and neighbours, seen from the part', () => {
    const parts = twoParts(QUARTER)
    // The first part is stretched along y by half and the second moves on by one along x.
    parts.pose([0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0, 0, 0, ...still, 1, 0, 0])
    // Its own axes: x is the body's y, y the body's -x.
    expect([...parts.drivers.subarray(0, 6)].map((v) => Math.round(1e6 * v) / 1e6)).toEqual([0.5, 0, 0, 0, 0, 0])
    expect(parts.drivers[6]).toBeCloseTo(0, 6)
    expect(parts.drivers[7]).toBeCloseTo(-0.5, 6)
    // From there the first has fallen back.
    expect(parts.drivers[3 * MAX_DRIVERS + 6]).toBeCloseTo(-0.5, 6)
  })

  it('has orthonormal frames whatever the code is', () => {
    const parts = twoParts()
    const random = randomStream(8, 1)
    for (let i = 0; i < 100; i++) {
      parts.pose(Float64Array.from({ length: 24 }, () => 3 * random.normal()))
      for (const m of [0, 16]) {
        for (const [a, b] of [
          [0, 0],
          [0, 4],
          [4, 8],
          [8, 8],
        ]) {
          const dot = [0, 1, 2].reduce((sum, k) => sum + parts.matrices[m + a + k] * parts.matrices[m + b + k], 0)
          expect(dot).toBeCloseTo(a === b ? 1 : 0, 9)
        }
      }
      expect(parts.drivers.every(Number.isFinite)).toBe(true)
    }
  })

  it('refuses tensors of other lengths and neighbours that are not there', () => {
    const data = { centres: new Float32Array(6), axes: new Float32Array(18), motions: new Float32Array(24 * 3) }
    const bones = [{ drivers: [1] }, { drivers: [] }] as unknown as BoneFrame[]
    expect(() => new PartFrames({ bones }, { ...data, axes: new Float32Array(9) })).toThrow(/part.axes has 9/)
    expect(() => new PartFrames({ bones: [{ drivers: [5] }, ...bones.slice(1)] as BoneFrame[] }, data)).toThrow(
      /5 of 2/,
    )
  })
})
