import { describe, expect, it } from 'vitest'
import { overlapCells } from '../../../src/detect/fields/overlap-cells.js'
import { placed } from '../../../src/field/shapes/place.js'
import { box, heart, sphere } from '../../../src/field/shapes/primitives.js'
import { fieldOf } from '../../../src/field/shapes/shape.js'
import type { SignedField } from '../../../src/field/signed-field.js'
import { randomStream } from '../../../src/math/random.js'
import { ALL_SHAPES } from '../../field/shapes/all-shapes.js'

const AROUND = { lower: [-2, -2, -2], upper: [2, 2, 2] } as const
const ball = (x: number, radius = 1) => fieldOf(placed(sphere(radius), { at: [x, 0, 0] }))

describe('cells that two fields have in common', () => {
  it('fill the lens of two balls between what is certain and what may be', () => {
    const { touches, volume, cells } = overlapCells(ball(-0.5), ball(0.5), AROUND, { levels: 6 })
    const lens = (Math.PI * (4 + 1) * (2 - 1) ** 2) / 12
    expect(touches).toBe(true)
    expect(cells.length).toBeGreaterThan(100)
    expect(volume[0]).toBeLessThan(lens)
    expect(volume[1]).toBeGreaterThan(lens)
    expect(volume[1] - volume[0]).toBeLessThan(0.5 * lens)
  })

  it('come nearer to the lens with every level', () => {
    const widths = [3, 4, 5, 6].map((levels) => {
      const { volume } = overlapCells(ball(-0.5), ball(0.5), AROUND, { levels })
      return volume[1] - volume[0]
    })
    for (let i = 1; i < widths.length; i++) expect(widths[i]).toBeLessThan(0.6 * widths[i - 1])
  })

  it('prove that bodies just apart do not touch, and that they do where one is as deep', () => {
    const cube = fieldOf(box([1, 1, 1]))
    const at = (x: number): SignedField => fieldOf(placed(box([1, 1, 1]), { at: [x, 0.3, 0.2] }))
    const around = { lower: [-1, -1, -1], upper: [3, 2, 2] } as const
    expect(overlapCells(cube, at(2.02), around, { levels: 8 })).toMatchObject({ touches: false, volume: [0, 0] })
    expect(overlapCells(cube, at(1.98), around, { levels: 8 }).touches).toBe(true)
    expect(overlapCells(cube, at(1.999), around, { levels: 3 }).touches).toBeUndefined()
  })

  it('tell two hearts, as in Fig. 2, from each other', () => {
    const hearts = (x: number) => overlapCells(fieldOf(heart(1)), fieldOf(placed(heart(1), { at: [x, 0, 0] })), AROUND)
    expect(hearts(1.6).touches).toBe(true)
    expect(hearts(2.1).touches).toBe(false)
  })

  it('never deny a point that lies in both', () => {
    const random = randomStream(2, 1)
    const [count, distances] = [3000, new Float64Array(3000)]
    for (let n = 0; n < 40; n++) {
      const pick = () => ALL_SHAPES[random.below(ALL_SHAPES.length)]
      const turn = [random.normal(), random.normal(), random.normal(), random.normal()] as const
      const at = [random.between(-1.5, 1.5), random.between(-1.5, 1.5), random.between(-1.5, 1.5)] as const
      const [first, second] = [pick(), pick()]
      const [a, b] = [fieldOf(first.shape), fieldOf(placed(second.shape, { at, turn }))]
      const points = Float64Array.from({ length: 3 * count }, () => random.between(-2, 2))
      const inBoth = new Uint8Array(count).fill(1)
      for (const field of [a, b]) {
        field.query(points, count, distances)
        for (let i = 0; i < count; i++) if (distances[i] >= 0) inBoth[i] = 0
      }
      const { touches, volume } = overlapCells(a, b, AROUND, { levels: 4 })
      const share = inBoth.reduce((sum, one) => sum + one, 0) / count
      if (share > 0) expect(touches, `${first.name} and ${second.name} at ${at}`).not.toBe(false)
      const deviation = 5 * Math.sqrt((share * (1 - share)) / count) + 5 / count
      expect(64 * (share + deviation), `${first.name} and ${second.name} at ${at}`).toBeGreaterThan(volume[0])
      expect(64 * (share - deviation)).toBeLessThan(volume[1])
    }
  })

  it('end with the first place in both where only that is asked for, and ask bounds of cells that may be clear', () => {
    const counted = (field: SignedField): SignedField & { asked: number } => ({
      asked: 0,
      query: (points, count, out) => field.query(points, count, out),
      bounds(box) {
        this.asked++
        return field.bounds(box)
      },
    })
    const [a, b] = [counted(ball(-0.5)), counted(ball(0.5))]
    const all = overlapCells(a, b, AROUND, { levels: 5 })
    const whole = a.asked + b.asked
    const { touches, looked, volume, cells } = overlapCells(a, b, AROUND, { levels: 5, volume: false })
    expect([touches, cells.length]).toEqual([true, 0])
    expect(looked).toBeLessThan(0.1 * all.looked)
    expect(a.asked + b.asked - whole).toBeLessThan(0.1 * whole)
    expect(volume[0]).toBe(0)
    expect(volume[1]).toBeGreaterThan(all.volume[1])
    expect(overlapCells(ball(-1.01), ball(1.01), AROUND, { levels: 7, volume: false }).touches).toBe(false)
  })

  it('stay unknown where a field promises nothing, or there would be too many', () => {
    const mute: SignedField = { query: (_, count, out) => out.fill(-1, 0, count), bounds: () => undefined }
    const { unknown, volume, looked } = overlapCells(mute, ball(0, 0.5), AROUND, { levels: 2 })
    expect(unknown.length).toBeGreaterThan(0)
    expect(volume[0]).toBe(0)
    expect(looked).toBeLessThan(100)
    const few = overlapCells(ball(-0.5), ball(0.5), AROUND, { levels: 20, most: 1000 })
    expect(few.looked).toBeLessThan(20_000)
    expect(few.volume[1]).toBeGreaterThan(1.3)
  })

  it('refuse a box without an end', () => {
    const endless = { lower: [0, 0, 0], upper: [1, 1, Infinity] } as const
    expect(() => overlapCells(ball(0), ball(0), endless)).toThrow('reaches from 0 to Infinity')
    expect(() => overlapCells(ball(0), ball(0), AROUND, { levels: -1 })).toThrow('levels is -1')
  })
})
