import { describe, expect, it } from 'vitest'
import { type Frame, type HapticsSettings, PARTS } from '../../../src/pages/haptics/haptics-protocol.js'
import { TouchStage } from '../../../src/pages/haptics/touch-stage.js'
import { STEP } from '../../../src/shell/simulation/protocol.js'
import { smallPair } from './small-pair.js'

function play(settings: Partial<HapticsSettings>): { stage: TouchStage; frames: Frame[] } {
  const stage = new TouchStage(smallPair(), settings)
  const { start, pathSeconds } = stage.opened
  stage.command('play')
  const frames: Frame[] = []
  for (let time = 0; time < pathSeconds + 0.5; time += 2 * STEP) frames.push(stage.advance(2, start, undefined))
  return { stage, frames }
}

describe.each(['learned', 'exact'] as const)('the recorded path by the %s field', (field) => {
  const { stage, frames } = play({ field })

  it('presses the body, and leaves it', () => {
    const touching = frames.filter(({ touched }) => touched.vertices.length > 0)
    expect(touching.length).toBeGreaterThan(20)
    expect(Math.max(...frames.map(({ force }) => force[1])), 'upward on the hand').toBeGreaterThan(0.1)
    expect(frames.at(-1)!.touched.vertices).toHaveLength(0)
    expect(frames.at(-1)!.pathTime).toBeUndefined()
  })

  it('stays finite, and outside of each other by the triangles', () => {
    for (const { vertices, force, penetration } of frames) {
      expect([...vertices.body, ...vertices.tool, ...force].every(Number.isFinite)).toBe(true)
      expect(penetration.toolInBody).toBeLessThan(0.02)
      expect(penetration.bodyInTool).toBeLessThan(0.02)
    }
  })

  it('names triangles and vertices that there are', () => {
    const { bodyTriangles } = stage.opened
    for (const { touched, vertices } of frames) {
      expect(touched.triangles.length).toBe(touched.vertices.length)
      expect(touched.triangles.every((triangle) => 3 * triangle < bodyTriangles.length)).toBe(true)
      expect(touched.vertices.every((vertex) => 3 * vertex < vertices.tool.length)).toBe(true)
    }
  })

  it('tells where the time went', () => {
    const busiest = frames.find(({ touched }) => touched.vertices.length > 0)!
    for (const part of PARTS) expect(busiest.spent[part], part).toBeGreaterThanOrEqual(0)
    for (const part of ['code', 'queries', 'nearest', 'body', 'tool'] as const) {
      expect(busiest.spent[part], part).toBeGreaterThan(0)
    }
    expect(busiest.ownError).toEqual(field === 'learned' ? { expected: 0, trusted: true } : undefined)
  })
})

describe('settings', () => {
  it('change in the same motion: nothing jumps', () => {
    const stage = new TouchStage(smallPair(), { field: 'exact' })
    stage.command('play')
    const { start } = stage.opened
    let before = stage.advance(1, start, undefined)
    for (let n = 0; n < 70; n++) before = stage.advance(1, start, undefined)
    stage.set({ stiffness: 4, friction: 0.1, field: 'learned' })
    const after = stage.advance(1, start, undefined)
    expect(after.field).toBe('learned')
    const way = Math.max(...after.vertices.tool.map((value, i) => Math.abs(value - before.vertices.tool[i])))
    expect(way, 'of the tool in a step').toBeLessThan(0.01)
    expect(stage.settings).toMatchObject({ stiffness: 4, friction: 0.1 })
  })

  it('that make no sense are left out', () => {
    const odd = { field: 'guess', stiffness: -1, friction: Number.NaN } as unknown as HapticsSettings
    const stage = new TouchStage(smallPair(), odd)
    expect(stage.settings).toEqual(new TouchStage(smallPair(), {}).settings)
  })
})

describe('the hand', () => {
  it('follows the pose that is asked for, not faster than a hand would', () => {
    const stage = new TouchStage(smallPair(), { field: 'exact' })
    const { start } = stage.opened
    const there = { ...start, position: [start.position[0] + 5, start.position[1], start.position[2]] as const }
    const first = stage.advance(1, there, undefined)
    const way = first.hand.position[0] - start.position[0]
    expect(way).toBeGreaterThan(0)
    expect(way).toBeLessThan(0.05)
  })

  it('is back where it began after a reset', () => {
    const stage = new TouchStage(smallPair(), { field: 'exact' })
    const { start } = stage.opened
    const rest = stage.advance(1, start, undefined).vertices.body.slice()
    const below = { ...start, position: [start.position[0], 0, start.position[2]] as const }
    for (let n = 0; n < 40; n++) stage.advance(1, below, undefined)
    stage.command('reset')
    const again = stage.advance(1, start, undefined)
    expect(again.time).toBe(STEP)
    expect(again.vertices.body).toEqual(rest)
  })
})
