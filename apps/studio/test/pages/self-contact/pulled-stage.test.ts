/** What the page simulates, with the served bracelet: pulls, what keeps apart, looks by exact geometry. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openContactBody } from '../../../src/pages/self-contact/contact-body.js'
import type { ContactSettings, Frame } from '../../../src/pages/self-contact/contact-protocol.js'
import { PulledStage } from '../../../src/pages/self-contact/pulled-stage.js'
import { STEP } from '../../../src/shell/simulation/protocol.js'

const artifact = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../public/artifacts/${name}`, import.meta.url)))
const body = await openContactBody({ name: 'bracelet.safetensors', bytes: artifact('bracelet.safetensors') })

/** Frames of a stage over so many seconds, three steps each. */
function play(stage: PulledStage, seconds: number): Frame[] {
  const frames: Frame[] = []
  for (let time = 0; time < seconds; time += 3 * STEP) frames.push(stage.advance(3, undefined, undefined))
  return frames
}

describe('the same pulls', () => {
  it.each([
    ['nothing', true],
    ['learned', false],
    ['hybrid', false],
  ] as const)('kept apart by %s: passes through itself %s', (keep, passes) => {
    const frames = play(new PulledStage(body, { keep, pull: 'script' }), 2.2)
    const { look } = frames.at(-1)!
    expect(look.looks).toBeGreaterThan(15)
    if (passes) expect(look.touchingLooks).toBeGreaterThan(3)
    else expect(look.touchingLooks).toBe(0)
    const touching = frames.filter((frame) => frame.look.touching)
    for (const frame of touching) expect(frame.look.triangles.length).toBeGreaterThan(1)
    expect(frames.every(({ vertices }) => vertices.body.every(Number.isFinite))).toBe(true)
    expect(Math.max(...frames.map(({ pulls }) => pulls.length)), 'two vertices at a time').toBe(12)
  })
})

describe('a vertex in the hand', () => {
  it('goes where it is pulled, and the body bends', () => {
    const stage = new PulledStage(body, {})
    const still = stage.advance(1, undefined, undefined)
    const vertex = 40
    const [x, y, z] = still.vertices.body.slice(3 * vertex)
    const { size } = stage.opened
    const target = [x + 0.3 * size, y + 0.4 * size, z] as const
    let frame = still
    for (let n = 0; n < 40; n++) frame = stage.advance(1, { vertex, target }, undefined)
    expect([...frame.pulls.slice(3)]).toEqual([...Float32Array.from(target)])
    const way = Math.hypot(...[0, 1, 2].map((axis) => frame.vertices.body[3 * vertex + axis] - target[axis]))
    expect(way).toBeLessThan(0.1 * size)
    expect(Math.hypot(...frame.code)).toBeGreaterThan(0.02)
    expect(stage.advance(1, undefined, undefined).pulls, 'let go').toHaveLength(0)
  })

  it('is not pulled through the table, and one that is not there not at all', () => {
    const stage = new PulledStage(body, {})
    expect(stage.advance(1, { vertex: 3, target: [0, -5, 0] }, undefined).pulls[4]).toBe(0)
    expect(stage.advance(1, { vertex: 1e9, target: [0, 0, 0] }, undefined).pulls).toHaveLength(0)
  })
})

describe('settings', () => {
  it('that make no sense are left out', () => {
    const odd = { keep: 'hope', pull: 'push', across: 0, up: 99 } as unknown as ContactSettings
    expect(new PulledStage(body, odd).settings).toEqual({ keep: 'learned', pull: 'hand', across: 1, up: 2 })
    expect(new PulledStage(body, { across: 3, up: 1 }).settings).toMatchObject({ across: 3, up: 1 })
  })

  it('count looks anew once something else keeps it apart, and the script lets go', () => {
    const stage = new PulledStage(body, { keep: 'nothing', pull: 'script' })
    const [frame] = play(stage, 0.2).slice(-1)
    expect(frame.look.looks).toBeGreaterThan(1)
    stage.set({ keep: 'hybrid', pull: 'hand' })
    const after = stage.advance(3, undefined, undefined)
    expect(after.look.looks).toBeLessThan(2)
    expect(after.pulls).toHaveLength(0)
    expect(after.keep).toBe('hybrid')
    expect(after.exactTests).toBeGreaterThan(0)
  })
})

it('begins again after a reset, with the same pulls', () => {
  const stage = new PulledStage(body, { pull: 'script' })
  const first = play(stage, 0.5).at(-1)!
  stage.command()
  const again = play(stage, 0.5).at(-1)!
  expect(again.time).toBe(first.time)
  // The solver remembers its last impulses as a guess, so the last digits differ.
  again.code.forEach((value, k) => {
    expect(value).toBeCloseTo(first.code[k], 4)
  })
})

it('tells what an answer takes, and hands over what the page needs', () => {
  const stage = new PulledStage(body, {})
  const { look } = stage.advance(1, undefined, undefined)
  expect(look.microseconds.learned).toBeGreaterThan(0)
  expect(look.microseconds.exact).toBeGreaterThan(0)
  const { rounds, bounds, quality, triangles } = stage.opened
  const samples = rounds!.counts.reduce((sum, count) => sum + count, 0)
  expect(rounds!.codes).toHaveLength(samples * bounds.lower.length)
  expect(rounds!.signs).toHaveLength(samples)
  expect(quality!.signAccuracy).toBeGreaterThan(0.95)
  expect(triangles.length).toBeGreaterThan(1000)
})

it('refuses other kinds of file in one line', async () => {
  await expect(openContactBody({ name: 'bar.safetensors', bytes: artifact('bar.safetensors') })).rejects.toThrow(
    /^self-contact: bar\.safetensors does not tell self-contact; train one that does/,
  )
})
