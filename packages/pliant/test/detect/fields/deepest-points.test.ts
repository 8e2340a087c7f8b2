import { expect, it } from 'vitest'
import { DeepestPointSearch } from '../../../src/detect/fields/deepest-points.js'
import { solidOf } from '../../../src/detect/fields/solid.js'
import { box, sphere } from '../../../src/field/shapes/primitives.js'
import { fieldOf, type Shape } from '../../../src/field/shapes/shape.js'
import { randomStream } from '../../../src/math/random.js'

const solid = (shape: Shape) => solidOf(fieldOf(shape), shape.box)
const CUBE = solid(box([0.5, 0.5, 0.5]))
const BALL = solid(sphere(0.6))

/** Moves the other by `at`: what is asked of it is asked there. */
function movedBack(at: readonly number[]): Float64Array {
  return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -at[0], -at[1], -at[2], 1)
}

it('tells all points of the surface that are near enough, and no other', () => {
  const random = randomStream(4, 1)
  const search = new DeepestPointSearch(CUBE)
  const count = CUBE.points.length / 3
  const distances = new Float64Array(count)
  for (let n = 0; n < 30; n++) {
    const at = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)]
    BALL.field.query(
      CUBE.points.map((value, i) => value - at[i % 3]),
      count,
      distances,
    )
    const expected = [...distances.keys()].filter((i) => distances[i] <= 0.02)
    const found = search.search(BALL.field, movedBack(at), 0.02)
    const told = [...found.features.subarray(0, found.sampled)]
    expect(told.sort((a, b) => a - b)).toEqual(expected)
  }
})

it('rules nothing out by a field that is steeper than distances', () => {
  // Three times the ball's distance.
  const steep = {
    slope: 3,
    query(points: Float64Array, count: number, out: Float64Array, gradients?: Float64Array) {
      BALL.field.query(points, count, out, gradients)
      for (let i = 0; i < count; i++) out[i] *= 3
      for (let i = 0; gradients && i < 3 * count; i++) gradients[i] *= 3
    },
    bounds: () => undefined,
  } as never
  for (const x of [0.9, 1, 1.05, 1.09]) {
    const search = new DeepestPointSearch(CUBE)
    const told = (field: never): number[] => {
      const found = search.search(field, movedBack([x, 0.3, 0.2]), 0, (field as { slope?: number }).slope)
      return [...found.features.subarray(0, found.sampled)].sort((a, b) => a - b)
    }
    expect(told(steep)).toEqual(told(BALL.field as never))
  }
})

it('finds where a cube is nearest to the middle of a ball, also of one that is deep in it', () => {
  const random = randomStream(5, 1)
  const search = new DeepestPointSearch(CUBE)
  for (let n = 0; n < 100; n++) {
    const at = [random.between(-0.45, 0.45), random.between(-0.45, 0.45), random.between(-0.45, 0.45)]
    const depth = 0.5 - Math.max(...at.map(Math.abs)) - 0.6
    const found = search.search(BALL.field, movedBack(at), 0)
    expect(Math.min(...found.distances.subarray(0, found.count)), `ball at ${at}`).toBeCloseTo(depth, 7)
  }
})

it('follows the valleys that distances have inside a box', () => {
  const random = randomStream(6, 1)
  const search = new DeepestPointSearch(BALL)
  const count = 20_000
  const points = new Float64Array(3 * count)
  const distances = new Float64Array(count)
  const errors: number[] = []
  for (let n = 0; n < 60; n++) {
    const way = [random.normal(), random.normal(), random.normal()]
    const far = random.between(0.8, 1) / Math.hypot(...way)
    const at = way.map((value) => value * far)
    for (let i = 0; i < count; i++) {
      const [height, angle] = [(2 * (i + 0.5)) / count - 1, 2.399963 * i]
      const out = Math.sqrt(1 - height * height)
      points.set(
        [at[0] + 0.6 * out * Math.cos(angle), at[1] + 0.6 * out * Math.sin(angle), at[2] + 0.6 * height],
        3 * i,
      )
    }
    CUBE.field.query(points, count, distances)
    const deepest = distances.reduce((least, distance) => Math.min(least, distance), 0)
    const found = search.search(CUBE.field, movedBack(at.map((value) => -value)), 0)
    errors.push(Math.min(...found.distances.subarray(0, found.count)) - deepest)
  }
  // 5.5e-3; steps that know of no valley 7.8e-3.
  expect(Math.max(...errors)).toBeLessThan(6.5e-3)
})
