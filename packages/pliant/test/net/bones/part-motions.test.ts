import { describe, expect, it } from 'vitest'
import { AFFINE, PartMotions } from '../../../src/net/bones/part-motions.js'

describe('PartMotions', () => {
  it('follows a part of 150,000 nodes, as many as overflow the stack when they are handed on at once', () => {
    const nodes = 150_000
    const rest = Float64Array.from({ length: 3 * nodes }, (_, i) => (i * 7919) % 1013)
    const body = { rest, masses: new Float64Array(nodes).fill(1), modes: new Float64Array(0), codeSize: 0 }
    const motions = new PartMotions(body, new Float32Array(nodes).fill(1))
    const out = new Float64Array(AFFINE)
    motions.ofNodes(
      rest.map((value) => 2 * value),
      [0, 0, 0],
      out,
    )
    const expected = [2, 0, 0, 0, 2, 0, 0, 0, 2]
    expected.forEach((value, i) => {
      expect(out[i]).toBeCloseTo(value, 6)
    })
    expect(out[9]).toBeCloseTo(2 * motions.centres[0], 6)
  })
})
