import { describe, expect, it } from 'vitest'
import { type OrientedBox, orientedBox } from '../../../../src/detect/fields/boxes/oriented-box.js'
import { protrusions } from '../../../../src/detect/fields/paper/detection-points.js'
import { type PaperOptions, PaperPair } from '../../../../src/detect/fields/paper/paper-pair.js'
import { type Solid, solidOf } from '../../../../src/detect/fields/solid.js'
import { box, halfSpace, sphere } from '../../../../src/field/shapes/primitives.js'
import { fieldOf, type Shape } from '../../../../src/field/shapes/shape.js'
import type { SignedField } from '../../../../src/field/signed-field.js'

const solid = (shape: Shape): Solid => solidOf(fieldOf(shape), shape.box)
const BALL = { solid: solid(sphere(0.5)) }
const at = (x: number, y: number, z: number): Float64Array =>
  Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1)

describe("the paper's method", () => {
  it('finds both deepest points of two balls, to the length of its steps', () => {
    const list = new PaperPair(BALL, BALL, { step: 0.002 }).update(at(0, 0, 0), at(0.9, 0, 0))
    expect(Math.abs(list.separations[0] + 0.1)).toBeLessThan(0.002)
    expect(list.normals[0]).toBeGreaterThan(0.99)
    expect(list.pointsA[0]).toBeCloseTo(0.5, 2)
    expect(list.pointsB[0]).toBeCloseTo(0.4, 2)
  })

  it('finds nothing where nothing touches, though boxes do', () => {
    expect(new PaperPair(BALL, BALL).update(at(0, 0, 0), at(0.75, 0.75, 0)).count).toBe(0)
    expect(new PaperPair(BALL, BALL).update(at(0, 0, 0), at(3, 0, 0)).count).toBe(0)
  })

  it('begins at points that stick out, if there are some', () => {
    const rod = solid(box([0.5, 0.04, 0.04]))
    const points = protrusions(rod.field, rod.box, 0.05)
    const list = new PaperPair({ solid: rod, points }, BALL, { step: 0.005 }).update(at(0, 0, 0), at(0.95, 0, 0))
    expect(list.separations[0]).toBeCloseTo(-0.05, 2)
    expect(list.normals[0]).toBeGreaterThan(0.99)
  })

  it('begins where boxes of both bodies overlap, and nowhere else', () => {
    const [left, right] = [-0.25, 0.25].map((x) =>
      orientedBox({ lower: [x - 0.25, -0.5, -0.5], upper: [x + 0.25, 0.5, 0.5] }),
    )
    const found = (a: OrientedBox[], b: OrientedBox[]): number =>
      new PaperPair({ ...BALL, boxes: a }, { ...BALL, boxes: b }).update(at(0, 0, 0), at(0.9, 0, 0)).count
    expect(found([left, right], [left, right])).toBeGreaterThan(0)
    expect(found([right], [left])).toBeGreaterThan(0)
    expect(found([left], [left, right])).toBe(0)
    expect(found([left, right], [right])).toBe(0)
  })

  it('ends where a field is no number anywhere', () => {
    const nothing: SignedField = {
      query: (_points, count, distances, gradients) => {
        distances.fill(Number.NaN, 0, count)
        gradients?.fill(Number.NaN, 0, 3 * count)
      },
      bounds: () => undefined,
    }
    const list = new PaperPair({ solid: { ...BALL.solid, field: nothing } }, BALL).update(at(0, 0, 0), at(0.9, 0, 0))
    expect(list.count).toBe(0)
  })

  it('names options that it does not have, and values that are wrong', () => {
    expect(() => new PaperPair(BALL, BALL, { levels: -1 })).toThrow(/levels is -1/)
    expect(() => new PaperPair(BALL, BALL, { maxContacts: 1e9 })).toThrow(/maxContacts is 1000000000/)
    expect(() => new PaperPair(BALL, { solid: solid(halfSpace([0, 1, 0], 0)) })).toThrow(/a body has no end; give one/)
    expect(() => new PaperPair(BALL, BALL, { stride: 1 } as PaperOptions)).toThrow(/no option 'stride'/)
  })
})
