import { beforeAll, describe, expect, it } from 'vitest'
import { type PressScript, pressScript } from '../../../src/blocks/touch/press-script.js'
import { TouchDepth } from '../../../src/blocks/touch/touch-depth.js'
import { exactNodes, TouchScene } from '../../../src/blocks/touch/touch-scene.js'
import { boxMesh } from '../../respond/scenes.js'

const FRAME = 1 / 60
const bodyMesh = boxMesh([0.3, 0.1, 0.3], [6, 2, 6], [-0.15, 0, -0.15])
const hand = boxMesh([0.06, 0.04, 0.2], [2, 1, 5], [-0.03, 0, -0.2])
const material = { density: 1000, young: 2e5, poisson: 0.45, massDamping: 0, stiffnessDamping: 0.02 }
const diagonal = Math.hypot(0.3, 0.1, 0.3)
const SECONDS = [0.3, 0.3, 0.4, 0.3] as const

describe('a hand that presses', () => {
  let script: PressScript
  beforeAll(() => {
    script = pressScript({ bodyMesh, material, hand }, SECONDS)
  })
  /** Height of the hand's lowest node above the highest of the body as it has sagged [m]. */
  const gap = (): number => {
    const heights = (positions: Float64Array): Float64Array => positions.filter((_, i) => i % 3 === 1)
    return Math.min(...heights(script.toolMesh.positions)) - Math.max(...heights(script.bodyStart!))
  }

  it('begins 6% of the diagonal above a body that has sagged and come to rest', () => {
    const sagged = script.bodyStart!.reduce((least, value, i) => Math.min(least, value - bodyMesh.positions[i]), 0)
    expect(sagged).toBeLessThan(-1e-4)
    expect(gap()).toBeGreaterThan(0.055 * diagonal)
    expect(gap()).toBeLessThan(0.07 * diagonal)
    const { body } = new TouchScene(script, { body: exactNodes })
    for (let frame = 0; frame < 10; frame++) body.step(FRAME)
    const moved = body.positions.reduce((most, value, i) => Math.max(most, Math.abs(value - script.bodyStart![i])), 0)
    expect(moved).toBeLessThan(1e-3)
  })

  it('is held by the half that is away from its fingers, and the body by its lowest fifth', () => {
    for (const node of script.wrist) expect(hand.positions[3 * node + 2]).toBeGreaterThan(-0.1)
    expect(script.wrist).toHaveLength(18)
    for (const node of script.fixed) expect(bodyMesh.positions[3 * node + 1]).toBe(0)
    expect(script.fixed).toHaveLength(49)
  })

  it('follows a path of its wrist from there: down, 5% beyond the touch, along, up again', () => {
    const { path, pressing, toolMesh, wrist } = script
    expect(path.duration).toBeCloseTo(1.3, 12)
    expect(pressing).toEqual([0.3, expect.closeTo(1, 12)])
    const at = (time: number): Float64Array => {
      const position = new Float64Array(3)
      path.at(time, position, new Float64Array(4))
      return position
    }
    const middle = (axis: number): number =>
      wrist.reduce((sum, node) => sum + toolMesh.positions[3 * node + axis] / wrist.length, 0)
    for (let axis = 0; axis < 3; axis++) expect(at(0)[axis]).toBeCloseTo(middle(axis), 9)
    expect(at(0)[1] - at(0.6)[1]).toBeCloseTo((0.06 + 0.05) * diagonal, 9)
    expect(Math.hypot(at(1)[0] - at(0.6)[0], at(1)[2] - at(0.6)[2])).toBeCloseTo(0.12 * diagonal, 9)
    expect(at(1.3)[1]).toBeCloseTo(at(0)[1], 2)
  })

  it('touches while it presses and slides, is held outside, and lets go of the body', () => {
    const scene = new TouchScene(script, { body: exactNodes })
    const depth = new TouchDepth(scene)
    const [pressed, apart] = [[] as number[], [] as number[]]
    let deepest = 0
    for (let time = FRAME; time < script.path.duration + 0.4; time += FRAME) {
      scene.moveHandAlong(script.path, time)
      scene.step(FRAME)
      deepest = Math.max(deepest, depth.look().toolInBody / diagonal)
      if (time > 0.5 && time < 1) pressed.push(scene.touch.report.contacts)
      else if (time < 0.2 || time > 1.6) apart.push(scene.touch.report.contacts)
    }
    expect(Math.min(...pressed)).toBeGreaterThan(0)
    expect(Math.max(...apart)).toBe(0)
    expect(deepest).toBeGreaterThan(0)
    expect(deepest).toBeLessThan(0.04)
  })
})

it('a hand that is too large for the body is made smaller', () => {
  const huge = { ...hand, positions: hand.positions.map((value) => 10 * value) }
  const { positions } = pressScript({ bodyMesh, material, hand: huge }, SECONDS).toolMesh
  // From the first node to the last is from corner to corner, however it is turned.
  const last = positions.length - 3
  const size = Math.hypot(...[0, 1, 2].map((axis) => positions[last + axis] - positions[axis]))
  expect(size).toBeCloseTo(0.8 * diagonal, 9)
})
