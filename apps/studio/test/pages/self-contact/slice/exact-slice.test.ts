import { describe, expect, it } from 'vitest'
import { type CodeSlice, SIDE } from '../../../../src/pages/self-contact/slice/code-slice.js'
import { COARSE, ExactSlice } from '../../../../src/pages/self-contact/slice/exact-slice.js'

const box = { lower: Float64Array.of(-1, -1, -1), upper: Float64Array.of(1, 1, 1) }
const slice: CodeSlice = { code: Float64Array.of(0, 0, 0), axes: [0, 1] }
const RADIUS = 0.55

/** Touches inside a disc, and in a second one too small for coarse nodes. */
function discs(island = 0): { asked: number; touchesAll(codes: Float64Array, count: number, out: Int8Array): void } {
  return {
    asked: 0,
    touchesAll(codes, count, out) {
      this.asked += count
      for (let n = 0; n < count; n++) {
        const [x, y] = [codes[3 * n], codes[3 * n + 1]]
        out[n] = Math.hypot(x, y) < RADIUS || Math.hypot(x - 0.78, y - 0.74) < island ? 1 : 0
      }
    },
  }
}

/** Distances of the line's ends from the middle. */
function radii(line: Float32Array, side: number): number[] {
  const ends: number[] = []
  for (let i = 0; i < line.length; i += 2) {
    ends.push(Math.hypot(...[line[i], line[i + 1]].map((at) => (2 * at) / (side - 1) - 1)))
  }
  return ends
}

function finest(made: ExactSlice): void {
  made.ask(made.coarse())
  for (let stride = COARSE / 2; stride >= 1; stride /= 2) made.ask(made.between(stride))
}

describe('an exact slice', () => {
  it('draws the boundary finer than its nodes, coarse ones too', () => {
    const made = new ExactSlice(discs(), slice, box)
    made.ask(made.coarse())
    const side = (SIDE - 1) / COARSE + 1
    const coarse = radii(made.line(COARSE), side)
    expect(coarse.length).toBeGreaterThan(40)
    // A sixteenth of a coarse cell; nodes alone would be off by half of one.
    for (const radius of coarse) expect(Math.abs(radius - RADIUS)).toBeLessThan(2 / (side - 1) / 16 + 1e-6)
  })

  it('asks few nodes for a fine line, and all of them in the end', () => {
    const test = discs()
    const made = new ExactSlice(test, slice, box)
    finest(made)
    expect(made.tests).toBe(test.asked)
    expect(made.tests).toBeLessThan(0.25 * SIDE * SIDE)
    for (const radius of radii(made.line(1), SIDE)) expect(Math.abs(radius - RADIUS)).toBeLessThan(0.002)
    const line = made.values.slice()
    made.ask(made.rest())
    expect(made.rest()).toEqual([])
    expect(made.values, 'what was taken over from neighbours was right').toEqual(line)
  })

  it('finds an island smaller than a coarse cell once all nodes are asked', () => {
    const made = new ExactSlice(discs(0.03), slice, box)
    finest(made)
    const before = made.values.filter((value) => value > 0).length
    made.ask(made.rest())
    expect(made.values.filter((value) => value > 0).length).toBeGreaterThan(before)
  })
})
