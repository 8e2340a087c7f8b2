import type { PosedShape } from 'pliant/exact'
import { describe, expect, it } from 'vitest'
import { CodePull } from '../../../src/pages/pose-repair/pull-code.js'

/** One point, x = A z, in a box of codes. */
function linearShape(rows: readonly (readonly number[])[], reach: number) {
  const codeSize = rows[0].length
  return {
    codeSize,
    bounds: { lower: new Float64Array(codeSize).fill(-reach), upper: new Float64Array(codeSize).fill(reach) },
    movedPoints: () => ({
      positions(code, out) {
        for (let i = 0; i < 3; i++) out[i] = rows[i].reduce((sum, value, k) => sum + value * code[k], 0)
      },
      pullBack(_code, cotangents, out) {
        for (let k = 0; k < codeSize; k++) {
          out[k] = rows.reduce((sum, row, i) => sum + row[k] * cotangents[i], 0)
        }
      },
    }),
  } satisfies Pick<PosedShape, 'codeSize' | 'bounds' | 'movedPoints'>
}

/** Two links of length one that turn in a plane: x = cos a + cos (a + b). */
const ARM: Pick<PosedShape, 'codeSize' | 'bounds' | 'movedPoints'> = {
  codeSize: 2,
  bounds: { lower: Float64Array.of(-3, 0.02), upper: Float64Array.of(3, 3) },
  movedPoints: () => ({
    positions(code, out) {
      out[0] = Math.cos(code[0]) + Math.cos(code[0] + code[1])
      out[1] = Math.sin(code[0]) + Math.sin(code[0] + code[1])
      out[2] = 0
    },
    pullBack(code, cotangents, out) {
      const [s, c] = [Math.sin(code[0] + code[1]), Math.cos(code[0] + code[1])]
      out[1] = -s * cotangents[0] + c * cotangents[1]
      out[0] = -(Math.sin(code[0]) + s) * cotangents[0] + (Math.cos(code[0]) + c) * cotangents[1]
    },
  }),
}

const pullLong = (pull: CodePull, code: Float64Array, target: readonly number[]): number => {
  let left = Infinity
  for (let n = 0; n < 40; n++) left = pull.towards(code, target)
  return left
}

describe('a pulled vertex', () => {
  it('takes the least change of the code that brings it there, entries weighed', () => {
    // Two entries move x alike: the one that weighs four times as much moves a quarter as far.
    const shape = linearShape(
      [
        [1, 1, 0, 0],
        [0, 0, 1, 0],
        [0, 0, 0, 2],
      ],
      10,
    )
    const code = new Float64Array(4)
    const left = pullLong(new CodePull(shape, 0, [1, 4, 1, 1]), code, [0.5, -0.2, 0.1])
    expect(left).toBeLessThan(1e-3)
    expect(code[0] / code[1]).toBeCloseTo(4, 6)
    expect(code[0] + code[1]).toBeCloseTo(0.5, 2)
    expect(code[2]).toBeCloseTo(-0.2, 2)
    expect(code[3]).toBeCloseTo(0.05, 2)
  })

  it('leaves entries in their box and lets others do their work', () => {
    const shape = linearShape(
      [
        [1, 0.5],
        [0, 0],
        [0, 0],
      ],
      0.3,
    )
    const code = new Float64Array(2)
    pullLong(new CodePull(shape, 0), code, [0.4, 0, 0])
    expect(code[0]).toBeCloseTo(0.3, 6)
    expect(code[1]).toBeCloseTo(0.2, 2)
    pullLong(new CodePull(shape, 0), code, [9, 0, 0])
    expect([...code]).toEqual([0.3, 0.3])
  })

  it('finds the angles of two links, and stretches towards what is out of reach', () => {
    const code = Float64Array.of(0.2, 1)
    const pull = new CodePull(ARM, 0)
    const [a, b] = [0.9, 1.4]
    expect(pullLong(pull, code, [Math.cos(a) + Math.cos(a + b), Math.sin(a) + Math.sin(a + b), 0])).toBeLessThan(2e-3)
    expect(code[0]).toBeCloseTo(a, 2)
    expect(code[1]).toBeCloseTo(b, 2)
    expect(pullLong(pull, code, [0, 5, 0])).toBeCloseTo(3, 1)
  })

  it('does not wait for an entry that is at its end', () => {
    // The first entry moves the point twenty times as far, and has nowhere to go.
    const shape = linearShape(
      [
        [1, 0.05],
        [0, 0],
        [0, 0],
      ],
      0.3,
    )
    const code = Float64Array.of(0.3, 0)
    new CodePull(shape, 0).towards(code, [0.31, 0, 0])
    expect(code[1]).toBeCloseTo(0.2, 2)
  })

  it('never ends further away than it began, also where full steps go too far', () => {
    // x = sin 12 z: beyond its crest, which is short of the target, it comes back.
    const wave: typeof ARM = {
      codeSize: 1,
      bounds: { lower: Float64Array.of(-9), upper: Float64Array.of(9) },
      movedPoints: () => ({
        positions(code, out) {
          out[0] = Math.sin(12 * code[0])
          out[1] = 0
          out[2] = 0
        },
        pullBack(code, cotangents, out) {
          out[0] = 12 * Math.cos(12 * code[0]) * cotangents[0]
        },
      }),
    }
    const code = Float64Array.of(0.1)
    const pull = new CodePull(wave, 0)
    let before = 1.5 - Math.sin(1.2)
    for (let n = 0; n < 20; n++) {
      const left = pull.towards(code, [1.5, 0, 0])
      expect(left).toBeLessThanOrEqual(before)
      before = left
    }
    expect(before).toBeCloseTo(0.5, 3)
  })
})
