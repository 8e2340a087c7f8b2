import { describe, expect, it } from 'vitest'
import { ToolHand } from '../../../src/blocks/touch/tool-hand.js'
import { exactNodes, TouchScene } from '../../../src/blocks/touch/touch-scene.js'
import { ToolPath } from '../../../src/unstable.js'
import { boxMesh, SLAB_TOP } from '../../respond/scenes.js'
import { bar, nodesAt } from '../../sim/fem/bars.js'

const FRAME = 1 / 60
const SIZE = 0.3
const bodyMesh = bar([0.2, SLAB_TOP, 0.2], [2, 1, 2])
const toolMesh = boxMesh([0.02, 0.02, 0.1], [1, 1, 4], [-0.01, -0.01, -0.1])
const wrist = nodesAt(toolMesh, 2, 0)
// A quarter turn about Y: the tool's +Z is the world's +X.
const start = { position: [0.1, 0.5, 0], rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] } as const
const recorded = {
  start,
  path: new ToolPath({
    times: [0, 0.5],
    positions: [0.1, 0.5, 0, 0.1, 0.4, 0],
    quaternions: [...start.rotation, ...start.rotation],
  }),
}

/** A tool in a hand that has nothing below it for a while. */
function held(): { hand: ToolHand; scene: TouchScene; move: (frames: number, to?: typeof start) => void } {
  const hand = new ToolHand(recorded, SIZE)
  const options = { gravity: [0, 0, 0] as const, material: { young: 2e5, poisson: 0.4 } }
  const scene = new TouchScene(
    {
      ...{ bodyMesh, fixed: nodesAt(bodyMesh, 1, 0), toolMesh, wrist, toolStart: hand.placed(toolMesh) },
      options: { body: {}, tool: options, touch: {} },
    },
    { body: exactNodes },
  )
  hand.hold(scene)
  const move = (frames: number, to: typeof start = start): void => {
    for (let frame = 0; frame < frames; frame++) {
      hand.move(scene, FRAME, to)
      scene.step(FRAME)
    }
  }
  return { hand, scene, move }
}

const wristMiddle = ({ tool }: TouchScene): number[] =>
  [0, 1, 2].map((axis) => wrist.reduce((sum, node) => sum + tool.positions[3 * node + axis] / wrist.length, 0))

describe('a hand', () => {
  it('holds the tool where it lies, turned as it is: nothing moves until it does', () => {
    const { scene, move } = held()
    const before = scene.tool.positions.slice()
    move(5)
    // The wrist is the end at the origin of the tool's frame, which is where the hand is.
    expect(wristMiddle(scene)).toEqual([0.1, 0.5, 0].map((value) => expect.closeTo(value, 9)))
    scene.tool.positions.forEach((value, i) => {
      expect(value).toBeCloseTo(before[i], 9)
    })
  })

  it('carries and turns the tool to where it is asked to be', () => {
    const { hand, scene, move } = held()
    move(90, { position: [0, 0.5, 0.1], rotation: [0, 0, 0, 1] } as unknown as typeof start)
    expect(hand.pose.position).toEqual([0, 0.5, 0.1].map((value) => expect.closeTo(value, 4)))
    expect(wristMiddle(scene)).toEqual([0, 0.5, 0.1].map((value) => expect.closeTo(value, 3)))
    // Fingers point along -Z again.
    const tip = nodesAt(toolMesh, 2, -0.1)[0]
    expect(scene.tool.positions[3 * tip + 2]).toBeCloseTo(0, 2)
  })

  it('goes no faster than four sizes a second', () => {
    const { hand, move } = held()
    move(1, { ...start, position: [5, 0.5, 0] } as unknown as typeof start)
    expect(hand.pose.position[0] - 0.1).toBeCloseTo((4 * SIZE) / 60, 9)
  })
})

describe('a recorded path', () => {
  it('waits until the hand has come to its beginning, is followed, and lets go at its end', () => {
    const { hand, move } = held()
    move(20, { ...start, position: [0.3, 0.5, 0] } as unknown as typeof start)
    hand.play()
    move(1)
    expect(hand.pathTime).toBe(0)
    move(25)
    expect(hand.pathTime).toBeGreaterThan(0)
    move(20)
    expect(hand.pose.position[1]).toBeLessThan(0.48)
    move(40)
    expect(hand.pathTime).toBeUndefined()
    // Back to where it is asked to be.
    move(60)
    expect(hand.pose.position[1]).toBeCloseTo(0.5, 3)
  })

  it('begins again with a reset, or is left', () => {
    const { hand, move } = held()
    hand.play()
    move(10)
    expect(hand.pathTime).toBeGreaterThan(0)
    hand.reset()
    expect(hand.pathTime).toBe(0)
    expect(hand.pose.position).toEqual([...start.position])
    hand.leave()
    hand.reset()
    expect(hand.pathTime).toBeUndefined()
  })
})
