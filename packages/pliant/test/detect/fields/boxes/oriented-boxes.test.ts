import { describe, expect, it } from 'vitest'
import { boxHolds, boxVolume, type OrientedBox } from '../../../../src/detect/fields/boxes/oriented-box.js'
import {
  type OrientedBoxesOptions,
  orientedBoxes,
  type SurfacePoints,
} from '../../../../src/detect/fields/boxes/oriented-boxes.js'
import { type Solid, solidOf } from '../../../../src/detect/fields/solid.js'
import { union } from '../../../../src/field/shapes/combine.js'
import { placed } from '../../../../src/field/shapes/place.js'
import { box, torus } from '../../../../src/field/shapes/primitives.js'
import { fieldOf, type Shape } from '../../../../src/field/shapes/shape.js'
import { linearDeterminant } from '../../../../src/math/mat4.js'
import { randomStream } from '../../../../src/math/random.js'

const solid = (shape: Shape): Solid => solidOf(fieldOf(shape), shape.box)
const QUICK = { points: 256, steps: 200, restarts: 1 } as const
const METHODS = ['segmentation', 'clusters'] as const
const volumeOf = (boxes: readonly OrientedBox[]): number => boxes.reduce((sum, each) => sum + boxVolume(each), 0)

const held = ({ points }: Pick<SurfacePoints, 'points'>, boxes: readonly OrientedBox[], tolerance: number): number => {
  let count = 0
  for (let at = 0; at < points.length; at += 3) {
    if (boxes.some((each) => boxHolds(each, points, at, tolerance))) count++
  }
  return count
}

describe.each(METHODS)('oriented boxes by %s', (method) => {
  it('hold every point of a torus, in no more boxes than were allowed, and leave its hole and corners out', () => {
    const ring = solid(torus(0.4, 0.1))
    const boxes = orientedBoxes(ring, { ...QUICK, method, most: 12 })
    expect(held(ring, boxes, 1e-12)).toBe(ring.points.length / 3)
    expect(boxes.length).toBeGreaterThan(3)
    expect(boxes.length).toBeLessThanOrEqual(12)
    const random = randomStream(1, 0)
    const around = Float64Array.from({ length: 30_000 }, (_, at) => random.between(-1, 1) * (at % 3 === 1 ? 0.1 : 0.5))
    expect(held({ points: around }, boxes, 0) / 10_000).toBeLessThan(0.8)
    expect(boxes.some((each) => boxHolds(each, [0, 0, 0], 0))).toBe(false)
    for (const { frame, half } of boxes) {
      expect(linearDeterminant(frame)).toBeCloseTo(1, 12)
      expect(Math.min(...half)).toBeGreaterThanOrEqual(0)
    }
    // The largest first.
    expect(boxes.map(boxVolume)).toEqual(boxes.map(boxVolume).sort((a, b) => b - a))
  })

  it('leave hardly a strip of the surface out between points that they were made of', () => {
    const shape = torus(0.4, 0.1)
    const fine = solidOf(fieldOf(shape), shape.box, { cells: 47 })
    const boxes = orientedBoxes(solid(shape), { ...QUICK, method })
    expect(held(fine, boxes, 0) / (fine.points.length / 3)).toBeGreaterThan(0.99)
  })

  it('are of a rod and a plate far from it not one box for both', () => {
    const both = solid(
      union(placed(box([0.1, 0.1, 0.4]), { at: [-1, 0, 0] }), placed(box([0.3, 0.3, 0.1]), { at: [1, 0, 0] })),
    )
    const boxes = orientedBoxes(both, { ...QUICK, method })
    expect(held(both, boxes, 1e-12)).toBe(both.points.length / 3)
    for (const { frame, half } of boxes) {
      const reach = [0, 1, 2].reduce((sum, axis) => sum + Math.abs(frame[4 * axis]) * half[axis], 0)
      expect(Math.abs(frame[12]) - reach).toBeGreaterThan(0.3)
    }
  })

  it('follow the body, however large it is and wherever it lies', () => {
    const ring = solid(torus(0.4, 0.1))
    const boxes = orientedBoxes(ring, { ...QUICK, method })
    const shift = [300, -20, 5]
    const far = { points: ring.points.map((value, at) => 1000 * value + shift[at % 3]), facings: ring.facings }
    const large = orientedBoxes(far, { ...QUICK, method })
    expect(held(far, large, 1e-9)).toBe(far.points.length / 3)
    expect(volumeOf(large) / volumeOf(boxes) / 1e9).toBeCloseTo(1, 1)
  })

  it('are the same for the same seed, and the least of what was begun several times', () => {
    const ring = solid(torus(0.4, 0.1))
    const once = (options: OrientedBoxesOptions) => orientedBoxes(ring, { ...QUICK, steps: 60, method, ...options })
    expect(once({ seed: 3 })).toEqual(once({ seed: 3 }))
    expect(volumeOf(once({ seed: 3 }))).not.toBe(volumeOf(once({ seed: 4 })))
    const volumes = [1, 2, 3, 4, 5].map((restarts) => volumeOf(once({ seed: 3, restarts })))
    expect(volumes).toEqual([...volumes].sort((a, b) => b - a))
  })

  it('hold a single point, and fewer points than boxes', () => {
    const one = { points: Float64Array.of(1, 2, 3), facings: new Float64Array(3) }
    const boxes = orientedBoxes(one, { ...QUICK, method, steps: 5 })
    expect(boxes.some((each) => boxHolds(each, one.points, 0, 1e-12))).toBe(true)
    const flat = { points: Float64Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0), facings: new Float64Array(12) }
    expect(held(flat, orientedBoxes(flat, { ...QUICK, method, most: 300, steps: 20 }), 1e-9)).toBe(4)
  })
})

it('name what is wrong with a surface or an option', () => {
  const ring = solid(torus(0.4, 0.1))
  expect(() => orientedBoxes({ points: new Float64Array(0), facings: new Float64Array(0) })).toThrow(/no points/)
  expect(() => orientedBoxes({ points: ring.points, facings: new Float64Array(3) })).toThrow(/and 3 of facings/)
  expect(() => orientedBoxes({ points: ring.points.map(() => Number.NaN), facings: ring.facings })).toThrow(/finite/)
  expect(() => orientedBoxes(ring, { method: 'hulls' as never })).toThrow(/method is 'hulls'/)
  expect(() => orientedBoxes(ring, { most: 0 })).toThrow(/most is 0/)
})

it('holds a point on a side, and none beyond', () => {
  const turned: OrientedBox = {
    // A quarter turn about z: its first axis is +y.
    frame: Float64Array.of(0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1),
    half: [2, 1, 0.5],
  }
  expect(boxHolds(turned, [5, 2, 0], 0)).toBe(true)
  expect(boxHolds(turned, [5, 2.01, 0], 0)).toBe(false)
  expect(boxHolds(turned, [5, 2.01, 0], 0, 0.02)).toBe(true)
  expect(boxHolds(turned, [6.5, 0, 0], 0)).toBe(false)
  expect(boxVolume(turned)).toBe(8)
})
