import { describe, expect, it } from 'vitest'
import { pressPath } from '../../src/respond/press-path.js'
import { ToolPath } from '../../src/respond/tool-path.js'
import { FemBody } from '../../src/sim/index.js'
import { ballMesh, SLAB_TOP, slab, touchExactly, upperNodes } from './scenes.js'

const HALF = Math.SQRT1_2

describe('a recorded path', () => {
  const path = new ToolPath({
    times: [1, 2, 4],
    positions: [0, 0, 0, 1, 0, 0, 1, 2, 0],
    quaternions: [0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 0, 1],
  })
  const at = (time: number): number[] => {
    const [position, rotation] = [new Float64Array(3), new Float64Array(4)]
    path.at(time, position, rotation)
    return [...position, ...rotation]
  }

  it('goes straight and turns evenly between its poses, and stays at its ends', () => {
    expect(at(1.5)).toEqual([0.5, 0, 0, 0, 0, 0, 1])
    const middle = at(3)
    const expected = [1, 1, 0, 0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)]
    for (let i = 0; i < 7; i++) expect(middle[i]).toBeCloseTo(expected[i], 12)
    expect(at(-5)).toEqual([0, 0, 0, 0, 0, 0, 1])
    const end = at(99)
    for (const [i, value] of [1, 2, 0, 0, HALF, 0, HALF].entries()) expect(end[i]).toBeCloseTo(value, 12)
    expect(path.duration).toBe(3)
  })

  it('may be one pose, and refuses what is none', () => {
    const still = new ToolPath({ times: [0], positions: [1, 2, 3], quaternions: [0, 0, 0, 1] })
    const position = new Float64Array(3)
    still.at(7, position, new Float64Array(4))
    expect([...position]).toEqual([1, 2, 3])
    const quaternions = [0, 0, 0, 1, 0, 0, 0, 1]
    expect(() => new ToolPath({ times: [], positions: [], quaternions: [] })).toThrow(/0 times/)
    expect(() => new ToolPath({ times: [0, 1], positions: [0], quaternions })).toThrow(/1 coordinates/)
    expect(() => new ToolPath({ times: [1, 1], positions: new Array(6).fill(0), quaternions })).toThrow(/time 1 is 1/)
    expect(() => new ToolPath({ times: [0, 1], positions: [0, 0, 0, 0, Number.NaN, 0], quaternions })).toThrow(
      /coordinate 4 is NaN/,
    )
    expect(() => pressPath({ touch: [0, 0, 0], outward: [0, 0, 0] })).toThrow(/outward/)
  })
})

describe('the default path', () => {
  it('approaches, presses, slides and leaves, with no vertex deeper than 2% of the size', () => {
    const mesh = ballMesh(0.03, 3, [0.06, SLAB_TOP + 0.06, 0.1])
    const tool = new FemBody(mesh, { gravity: [0, 0, 0], tolerance: 0.01 })
    const body = slab({ tolerance: 0.01 })
    const touch = touchExactly(body, tool, { wrist: upperNodes(mesh, SLAB_TOP + 0.065) })
    const [x, y, z] = touch.handPosition!
    const path = pressPath({ touch: [x, y - 0.03, z], clearance: 0.03 })
    const [position, rotation] = [new Float64Array(3), new Float64Array(4)]
    const contacts: number[] = []
    let [deepest, hardest] = [0, 0]
    for (let n = 1; n <= 60 * path.duration; n++) {
      path.at(n / 60, position, rotation)
      touch.moveHand(position, rotation)
      touch.step(1 / 60)
      contacts.push(touch.report.contacts)
      deepest = Math.max(deepest, touch.report.deepest)
      hardest = Math.max(hardest, touch.report.handForce[1])
    }
    expect(contacts.slice(0, 20).every((count) => count === 0)).toBe(true)
    expect(contacts.slice(50, 145).every((count) => count > 3)).toBe(true)
    expect(contacts.slice(-5).every((count) => count === 0)).toBe(true)
    expect(hardest).toBeGreaterThan(10)
    expect(deepest).toBeLessThan(0.02 * body.size)
  })
})
