import { describe, expect, it } from 'vitest'
import { randomStream } from '../../../src/math/random.js'
import { type BoneFrame, MAX_DRIVERS } from '../../../src/net/bones/bone-shape.js'
import { PartFrames } from '../../../src/net/bones/part-frames.js'
import { moved, QUARTER, twoCubes, twoParts, UPRIGHT } from './two-parts.js'

const ORIGIN = [0, 0, 0] as const
const body = twoCubes()

describe('PartFrames', () => {
  it('rests where it was made, with nothing that bends it', () => {
    const parts = twoParts(body)
    const expected = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 0, 0, 1]
    expected.forEach((value, i) => {
      expect(parts.matrices[16 + i]).toBeCloseTo(value, 7)
    })
    for (const driver of parts.drivers) expect(driver).toBeCloseTo(0, 6)
  })

  it('follows a rigid motion of the whole body, counted from an origin, and sees nothing bend', () => {
    const parts = twoParts(body)
    const motion = { f: QUARTER, shift: [5, 6, 7] }
    parts.poseNodes(moved(body, [motion, motion]), [1, 1, 1])
    const expected = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1]
    expected.forEach((value, i) => {
      expect(parts.matrices[i]).toBeCloseTo(value, 6)
    })
    // The second cube's centre goes from (2, 0, 0) to (0, 2, 0) and on.
    expect([...parts.matrices.subarray(28, 31)].map((v) => Math.round(1e6 * v) / 1e6)).toEqual([4, 7, 6])
    for (const driver of parts.drivers) expect(driver).toBeCloseTo(0, 6)
  })

  it('tells stretch and neighbours, seen from the part', () => {
    const parts = twoParts(body, QUARTER)
    const stretched = { f: [1, 0, 0, 0, 1.5, 0, 0, 0, 1], shift: [0, 0, 0] }
    parts.poseNodes(moved(body, [stretched, { f: UPRIGHT, shift: [1, 0, 0] }]), ORIGIN)
    // Its own axes: x is the body's y, y the body's -x.
    expect([...parts.drivers.subarray(0, 6)].map((v) => Math.round(1e6 * v) / 1e6 + 0)).toEqual([0.5, 0, 0, 0, 0, 0])
    expect(parts.drivers[6]).toBeCloseTo(0, 6)
    expect(parts.drivers[7]).toBeCloseTo(-0.5, 6)
    // From there the first has fallen back.
    expect(parts.drivers[3 * MAX_DRIVERS + 6]).toBeCloseTo(-0.5, 6)
  })

  it('is posed by a code as by the nodes of the shape that it describes', () => {
    const [byCode, byNodes] = [twoParts(body), twoParts(body)]
    const random = randomStream(4, 1)
    for (let i = 0; i < 20; i++) {
      const code = Float64Array.from({ length: 3 }, () => random.normal())
      const nodes = body.rest.map((place, k) =>
        code.reduce((sum, weight, mode) => sum + weight * body.modes[mode * body.rest.length + k], place),
      )
      byCode.pose(code)
      byNodes.poseNodes(nodes, ORIGIN)
      byNodes.matrices.forEach((value, k) => {
        expect(byCode.matrices[k]).toBeCloseTo(value, 7)
      })
      byNodes.drivers.forEach((value, k) => {
        expect(byCode.drivers[k]).toBeCloseTo(value, 5)
      })
    }
  })

  it('has orthonormal frames whatever the nodes do', () => {
    const parts = twoParts(body)
    const random = randomStream(8, 1)
    for (let i = 0; i < 100; i++) {
      parts.poseNodes(
        body.rest.map(() => 3 * random.normal()),
        ORIGIN,
      )
      for (const m of [0, 16]) {
        for (const [a, b] of [
          [0, 0],
          [0, 4],
          [4, 8],
          [8, 8],
        ]) {
          const dot = [0, 1, 2].reduce((sum, k) => sum + parts.matrices[m + a + k] * parts.matrices[m + b + k], 0)
          expect(dot).toBeCloseTo(a === b ? 1 : 0, 8)
        }
      }
      expect(parts.drivers.every(Number.isFinite)).toBe(true)
    }
  })

  it('stays finite where all nodes of a part are in one place or on a plane', () => {
    const parts = twoParts(body)
    for (const f of [
      [0, 0, 0, 0, 0, 0, 0, 0, 0],
      [1, 0, 0, 0, 1, 0, 0, 0, 0],
    ]) {
      parts.poseNodes(
        moved(body, [
          { f, shift: [0, 0, 0] },
          { f: UPRIGHT, shift: [0, 0, 0] },
        ]),
        ORIGIN,
      )
      expect(parts.matrices.every(Number.isFinite) && parts.drivers.every(Number.isFinite)).toBe(true)
    }
    const flat = twoParts({ ...body, rest: body.rest.map((place, i) => (i % 3 === 2 ? 0 : place)) })
    expect(flat.matrices.every(Number.isFinite) && flat.drivers.every(Number.isFinite)).toBe(true)
  })

  it('refuses tensors of other lengths and neighbours that are not there', () => {
    const data = { weights: new Float32Array(32).fill(1), axes: new Float32Array(18) }
    const bones = [{ drivers: [1] }, { drivers: [] }] as unknown as BoneFrame[]
    expect(() => new PartFrames({ bones }, { ...data, axes: new Float32Array(9) }, body)).toThrow(/part.axes has 9/)
    const lost = [{ drivers: [5] }, ...bones.slice(1)] as BoneFrame[]
    expect(() => new PartFrames({ bones: lost }, data, body)).toThrow(/5 of 2/)
  })
})
