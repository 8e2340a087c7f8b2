import { describe, expect, it } from 'vitest'
import { CUBOID, SegmentationLoss } from '../../../../src/detect/fields/boxes/segmentation-loss.js'
import { randomStream } from '../../../../src/math/random.js'

/** Points on the faces of a box along the axes, two on each, with the faces' normals. */
function onBox(half: readonly number[]) {
  const [points, normals]: number[][] = [[], []]
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      for (const beside of [-0.5, 0.7]) {
        const point = half.map((value) => beside * value)
        point[axis] = side * half[axis]
        points.push(...point)
        normals.push(...[0, 1, 2].map((k) => (k === axis ? side : 0)))
      }
    }
  }
  return { points: Float64Array.from(points), normals: Float64Array.from(normals) }
}

const raw = (half: number): number => Math.log(half / (1 - half))

describe('the loss of a joint segmentation', () => {
  it('is of a cuboid that is the surface no more than its compactness, however far points are moved', () => {
    const half = [0.2, 0.1, 0.3]
    const { points, normals } = onBox(half)
    const loss = new SegmentationLoss(points, normals, 1)
    const numbers = new Float64Array(loss.size)
    numbers.set(half.map(raw))
    numbers[CUBOID.turn + 3] = 2
    const gradient = new Float64Array(loss.size)
    // One cuboid has all: .1 (sqrt(1 + .01))^2. A point that is moved along its normal is carried back onto its face.
    expect(loss.at(numbers, new Float64Array(12).fill(0.04), gradient)).toBeCloseTo(0.1 * 1.01, 14)
    for (const value of gradient) expect(value).toBeCloseTo(0, 14)
    // Moved aside by .05, it is that far off along one axis at the 4 points of its two faces there, and nowhere else.
    numbers[CUBOID.middle + 1] = Math.atanh(0.05)
    expect(loss.at(numbers, new Float64Array(12), gradient)).toBeCloseTo(0.1 * 1.01 + (4 / 12) * 0.05 ** 2, 14)
  })

  it('asks of a point that faces another way to be moved onto the face that it faces with', () => {
    // On the right face of a cube, but facing up: its place on the upper face is .1 away.
    const loss = new SegmentationLoss(Float64Array.of(0.2, 0.1, 0), Float64Array.of(0, 1, 0), 1)
    const numbers = new Float64Array(loss.size)
    numbers.set([0.2, 0.2, 0.2].map(raw))
    numbers[CUBOID.turn + 3] = 1
    const squared = loss.at(numbers, new Float64Array(1), new Float64Array(loss.size)) - 0.1 * 1.01
    expect(squared).toBeCloseTo(0.1 ** 2, 14)
  })

  it('is less if one cuboid has all points than if two alike share them', () => {
    const { points, normals } = onBox([0.2, 0.1, 0.3])
    const loss = new SegmentationLoss(points, normals, 2)
    const numbers = new Float64Array(loss.size)
    for (const m of [0, 1]) {
      numbers.set([0.2, 0.1, 0.3].map(raw), CUBOID.entries * m)
      numbers[CUBOID.entries * m + CUBOID.turn + 3] = 1
    }
    const [gradient, lengths] = [new Float64Array(loss.size), new Float64Array(12)]
    const shared = loss.at(numbers, lengths, gradient)
    for (let i = 0; i < 12; i++) numbers[2 * CUBOID.entries + 2 * i] = 40
    expect(loss.at(numbers, lengths, gradient)).toBeLessThan(shared - 1e-3)
    expect(shared).toBeCloseTo(0.1 * 0.51, 14)
  })

  it.each([1, 2, 3])('has the gradient that finite differences have (seed %i)', (seed) => {
    const random = randomStream(seed, 0)
    const [count, cuboids] = [9, 3]
    const points = Float64Array.from({ length: 3 * count }, () => random.between(-0.5, 0.5))
    const ways = Array.from({ length: count }, () => [random.normal(), random.normal(), random.normal()])
    const normals = Float64Array.from(ways.flatMap((way) => way.map((value) => value / Math.hypot(...way))))
    const loss = new SegmentationLoss(points, normals, cuboids)
    const numbers = Float64Array.from({ length: loss.size }, () => random.normal())
    const lengths = Float64Array.from({ length: count }, () => 0.05 * random.normal())
    const gradient = new Float64Array(loss.size)
    loss.at(numbers, lengths, gradient)
    const unused = new Float64Array(loss.size)
    for (let at = 0; at < loss.size; at++) {
      const own = numbers[at]
      const [after, before] = [1e-6, -1e-6].map((step) => {
        numbers[at] = own + step
        return loss.at(numbers, lengths, unused)
      })
      numbers[at] = own
      expect(gradient[at], `number ${at}`).toBeCloseTo((after - before) / 2e-6, 8)
    }
    expect(Math.max(...gradient.map(Math.abs))).toBeGreaterThan(1e-3)
  })
})
