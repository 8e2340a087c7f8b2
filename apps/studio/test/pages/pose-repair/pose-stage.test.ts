/** The pose as the worker keeps it: what is asked for, what is made of it, and what is told. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { PoseFrame, PoseSettings } from '../../../src/pages/pose-repair/pose-protocol.js'
import { PoseStage } from '../../../src/pages/pose-repair/pose-stage.js'
import { openSubject } from '../../../src/pages/pose-repair/subjects/index.js'
import type { Held } from '../../../src/shell/view/pull-input.js'

const artifact = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../public/artifacts/${name}`, import.meta.url)))

/** Frames after which nothing moves any more. */
const SETTLED = 12

describe('a pose of the humanoid', async () => {
  const bytes = artifact('humanoid-contact.safetensors')
  const glb = { name: 'humanoid.glb', bytes: artifact('humanoid.glb') }
  const subject = await openSubject('humanoid', bytes, [glb])
  const stage = (settings: Partial<PoseSettings> = {}): PoseStage => new PoseStage(subject, settings)

  const advance = (on: PoseStage, frames: number, held?: Held): PoseFrame => {
    let frame = on.advance(1, held, undefined)
    for (let n = 1; n < frames; n++) frame = on.advance(1, held, undefined)
    return frame
  }
  const entry = subject.entries.findIndex(({ group, name }) => group === 'LeftUpperArm' && name === 'turn z')
  const armIn = { entry, value: subject.shape.bounds.lower[entry] }

  it('an arm turned into the body meets it: parts light up, triangles and lines are told', () => {
    const on = stage()
    const rest = advance(on, 1)
    expect(rest.after).toMatchObject({ touching: false, pairs: 0 })
    on.command(armIn)
    const { before, after, codes } = advance(on, 2)
    expect(codes.before[entry]).toBe(armIn.value)
    expect(codes.after).toEqual(codes.before)
    expect(after.touching).toBe(true)
    expect(after.pairs).toBeGreaterThan(20)
    expect(after.segments.length).toBe(6 * after.pairs)
    expect(Math.max(...after.heat)).toBe(2)
    expect(after.nearest).toMatch(/Left(Upper|Lower)Arm|LeftHand/)
    expect(before).toBe(after)
  })

  it('repaired, it is free by the exact test, and what was asked for is told beside it', () => {
    const on = stage()
    on.command(armIn)
    advance(on, 2)
    on.command('repair')
    const { before, after, codes, repair, vertices } = advance(on, 1)
    expect(repair).toMatchObject({ free: true, wasFree: false })
    expect(before.touching).toBe(true)
    expect(after).toMatchObject({ touching: false, pairs: 0 })
    expect(subject.exact.touches(codes.after)).toBe(false)
    expect(codes.before[entry]).toBe(armIn.value)
    expect(vertices.after).not.toEqual(vertices.before)
    // Going on from there with another entry keeps the rest of what the repair made.
    on.command({ entry: 0, value: 0.05 })
    const next = advance(on, 1)
    expect(next.codes.before.slice(1)).toEqual(codes.after.slice(1))
    expect(next.codes.before[0]).toBe(0.05)
    expect(next.repair).toBeUndefined()
  })

  it('kept repaired, it is free whatever is asked for, and by the exact test once it rests', () => {
    const on = stage({ keep: 'on' })
    on.command(armIn)
    const { before, after, codes, still } = advance(on, SETTLED)
    expect(still).toBe(true)
    expect(before.touching).toBe(true)
    expect(after.touching).toBe(false)
    expect(codes.before[entry]).toBe(armIn.value)
    for (let n = 0; n < 4; n++) {
      on.command('random')
      expect(advance(on, SETTLED).after.touching, `random pose ${n}`).toBe(false)
    }
    on.set({ keep: 'off' })
    const { codes: asked } = advance(on, 2)
    expect(asked.after).toEqual(asked.before)
  })

  it('a hand that is pulled goes where it is pulled, from the pose on show', () => {
    const on = stage()
    const { vertices } = advance(on, 1)
    const part = subject.parts.groups.indexOf('RightHand')
    const vertex = subject.shape.triangles[3 * subject.parts.ofTriangle.indexOf(part)]
    const from = [...vertices.after.subarray(3 * vertex, 3 * vertex + 3)]
    const target: [number, number, number] = [from[0] + 0.1, from[1] + 0.3, from[2] + 0.1]
    const held = advance(on, 20, { vertex, target })
    expect([...held.pull].slice(3)).toEqual(target.map((value) => expect.closeTo(value, 5)))
    const place = [...held.vertices.after.subarray(3 * vertex, 3 * vertex + 3)]
    expect(Math.hypot(...place.map((value, axis) => value - target[axis]))).toBeLessThan(0.01)
    const { lower, upper } = subject.shape.bounds
    held.codes.before.forEach((value, k) => {
      expect(value).toBeGreaterThanOrEqual(lower[k])
      expect(value).toBeLessThanOrEqual(upper[k])
    })
    expect(advance(on, 1).pull).toHaveLength(0)
  })

  it('a motion plays until somebody does something else, and is kept free if told so', () => {
    const name = subject.motions[0].name
    const on = stage({ motion: name, play: 'on' })
    const [first, later] = [advance(on, 1), advance(on, 6)]
    expect(later.time).toBeCloseTo(7 / 60, 6)
    expect(later.codes.before).not.toEqual(first.codes.before)
    on.command('rest')
    expect(advance(on, 1)).toMatchObject({ play: 'off' })
    expect(stage({ motion: 'none such', play: 'on' }).settings).toMatchObject({ motion: '', play: 'off' })
  })

  it('takes a pose from the address, and leaves what is no pose alone', () => {
    const text = `${','.repeat(entry)}-0.2${','.repeat(subject.shape.codeSize - 1 - entry)}`
    const on = stage({ code: text })
    expect(advance(on, 1).codes.before[entry]).toBe(-0.2)
    on.set({ code: '1,2' })
    expect(advance(on, 1).codes.before[entry]).toBe(-0.2)
    expect(on.settings.code).toBe(text)
  })
})
