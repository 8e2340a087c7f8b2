import { describe, expect, it } from 'vitest'
import { strokePath, strokeScript } from '../../../src/blocks/touch/stroke-script.js'
import { ToolFrame } from '../../../src/blocks/touch/tool-frame.js'
import { boxMesh } from '../../respond/scenes.js'

const bodyMesh = boxMesh([0.2, 0.1, 0.2], [5, 10, 5], [-0.1, 0, -0.1])
const toolMesh = boxMesh([0.04, 0.03, 0.2], [2, 2, 10], [-0.02, -0.015, -0.2])
const material = { density: 1000, young: 2e5, poisson: 0.49, massDamping: 0, stiffnessDamping: 0.02 }
const subject = { bodyMesh, toolMesh, material }
const diagonal = Math.hypot(0.2, 0.1, 0.2)

describe('a stroke', () => {
  const { path, start } = strokePath(subject)
  const lowest = (time: number): number => {
    const frame = new ToolFrame()
    path.at(time, frame.position, frame.rotation)
    const placed = new Float64Array(toolMesh.positions.length)
    frame.place(toolMesh.positions, placed)
    return placed.reduce((least, value, i) => (i % 3 === 1 ? Math.min(least, value) : least), Infinity)
  }

  it('begins above the body, presses by 15% of its diagonal, and leaves it', () => {
    expect(start.position).toEqual([...path.positions.subarray(0, 3)])
    const touch = lowest(0.8)
    // A few nodes may be inside where it touches, and no more.
    expect(touch).toBeLessThan(0.1)
    expect(touch).toBeGreaterThan(0.1 - 0.03)
    expect(lowest(0) - touch).toBeCloseTo(0.12 * diagonal, 9)
    expect(touch - lowest(1.6)).toBeCloseTo(0.15 * diagonal, 9)
    expect(lowest(path.duration)).toBeGreaterThan(0.1)
  })

  it('goes along the body, fingers to the left and the tips lower than the wrist', () => {
    const at = (time: number): Float64Array => {
      const position = new Float64Array(3)
      path.at(time, position, new Float64Array(4))
      return position
    }
    expect(at(3.2)[0] - at(1.6)[0]).toBeCloseTo(0.1 * diagonal, 9)
    const tip = Float64Array.of(0, 0, -1)
    const frame = new ToolFrame().set({ ...start, position: [0, 0, 0] })
    frame.place(tip, tip)
    expect(tip[0]).toBeLessThan(-0.7)
    expect(tip[1]).toBeLessThan(-0.3)
  })
})

describe('what is stroked', () => {
  it('stands on the ground by its base, and the tool is held by its rear end', () => {
    const { fixed, wrist, options } = strokeScript(subject)
    for (const node of fixed) expect(bodyMesh.positions[3 * node + 1]).toBe(0)
    expect(fixed).toHaveLength(36)
    for (const node of wrist) expect(toolMesh.positions[3 * node + 2]).toBeGreaterThan(-0.06)
    expect(options.tool.gravity).toEqual([0, 0, 0])
    const distances = new Float64Array(1)
    options.body.obstacles![0].field.query(Float64Array.of(3, 0.02, 1), 1, distances)
    expect(distances[0]).toBeCloseTo(0.02, 12)
  })

  it('is made of the material of run time, as stiff as asked for, and is held as firmly', () => {
    const soft = strokeScript(subject, { stiffness: 1 }).options
    const stiff = strokeScript(subject, { stiffness: 3, friction: 0.7 }).options
    expect(soft.body.material).toMatchObject({ young: 2e4, poisson: 0.4, density: 1000 / 6 })
    expect(stiff.body.material!.young).toBe(6e4)
    expect(stiff.touch.friction).toBe(0.7)
    for (const name of ['stiffness', 'handStiffness', 'handForce'] as const) {
      expect(stiff.touch[name]! / soft.touch[name]!, name).toBeCloseTo(3, 12)
    }
    expect(soft.touch.handStiffness).toBeCloseTo(2e4 * diagonal, 6)
  })
})
