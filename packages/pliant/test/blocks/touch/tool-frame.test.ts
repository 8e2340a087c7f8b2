import { describe, expect, it } from 'vitest'
import { ToolFrame } from '../../../src/blocks/touch/tool-frame.js'

describe("the tool's frame", () => {
  const quarter = Math.SQRT1_2
  const to = { position: [1, 0, 0], rotation: [0, quarter, 0, quarter] } as const

  it('places its points by turning and moving them', () => {
    const placed = new Float64Array(3)
    new ToolFrame().set(to).place(Float64Array.of(0, 0, -1), placed)
    // A quarter turn about Y carries -Z to -X.
    expect([...placed].map((value) => value + 0)).toEqual([expect.closeTo(0), expect.closeTo(0), expect.closeTo(0)])
  })

  it('takes quaternions of any length, and gives copies', () => {
    const frame = new ToolFrame().set({ position: [1, 2, 3], rotation: [0, 0, 0, 4] })
    const { pose } = frame
    frame.position[0] = 7
    expect(pose).toEqual({ position: [1, 2, 3], rotation: [0, 0, 0, 1] })
  })

  it('comes near another within half a second, if it may go that fast', () => {
    const [hand, target] = [new ToolFrame(), new ToolFrame().set(to)]
    for (let n = 0; n < 30; n++) hand.approach(target, 1 / 60, 100)
    expect(hand.distanceTo(target)).toBeLessThan(1e-3)
    hand.rotation.forEach((value, i) => {
      expect(value).toBeCloseTo(target.rotation[i], 2)
    })
  })

  it('goes no faster than it may', () => {
    const [hand, target] = [new ToolFrame(), new ToolFrame().set(to)]
    hand.approach(target, 1 / 60, 0.6)
    expect(hand.position[0]).toBeCloseTo(0.01, 12)
    // Nor does it turn faster: 5 rad/s.
    expect(2 * Math.acos(hand.rotation[3])).toBeCloseTo(5 / 60, 9)
  })

  it('stays where it is if it is there already', () => {
    const hand = new ToolFrame().set(to)
    hand.approach(new ToolFrame().set(to), 1 / 60, 1)
    expect([...hand.position]).toEqual([1, 0, 0])
    expect(hand.rotation.every(Number.isFinite)).toBe(true)
  })
})
