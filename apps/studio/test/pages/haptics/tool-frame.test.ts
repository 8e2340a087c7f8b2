import { describe, expect, it } from 'vitest'
import { ToolFrame, wristOf } from '../../../src/pages/haptics/tool-frame.js'
import { blockMesh } from './small-pair.js'

describe('the wrist', () => {
  it('is the rear end of the tool, and not all of it', () => {
    const mesh = blockMesh([0, 0, -0.2], [0.02, 0.02, 0.02], [1, 1, 10])
    const wrist = wristOf(mesh)
    expect(wrist).toHaveLength(12)
    for (const node of wrist) expect(mesh.positions[3 * node + 2]).toBeGreaterThan(-0.06)
  })
})

describe("the tool's frame", () => {
  const quarter = Math.SQRT1_2
  const to = { position: [1, 0, 0], rotation: [0, quarter, 0, quarter] } as const

  it('places its points by turning and moving them', () => {
    const placed = new Float64Array(3)
    new ToolFrame().set(to).place(Float64Array.of(0, 0, -1), placed)
    // A quarter turn about Y carries -Z to -X.
    expect([...placed].map((value) => value + 0)).toEqual([expect.closeTo(0), expect.closeTo(0), expect.closeTo(0)])
  })

  it('comes near another within half a second, if it may go that fast', () => {
    const [hand, target] = [new ToolFrame(), new ToolFrame().set(to)]
    for (let n = 0; n < 30; n++) hand.approach(target, 1 / 60, 100)
    expect(hand.position.distanceTo(target.position)).toBeLessThan(1e-3)
    expect(hand.rotation.angleTo(target.rotation)).toBeLessThan(0.01)
  })

  it('goes no faster than it may', () => {
    const [hand, target] = [new ToolFrame(), new ToolFrame().set(to)]
    hand.approach(target, 1 / 60, 0.6)
    expect(hand.position.x).toBeCloseTo(0.01, 12)
  })

  it('stays where it is if it is there already', () => {
    const hand = new ToolFrame().set(to)
    hand.approach(new ToolFrame().set(to), 1 / 60, 1)
    expect(hand.position.toArray()).toEqual([1, 0, 0])
    expect(hand.rotation.toArray().every(Number.isFinite)).toBe(true)
  })
})
