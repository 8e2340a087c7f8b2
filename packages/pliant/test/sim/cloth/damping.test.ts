import { expect, it } from 'vitest'
import { randomStream } from '../../../src/math/random.js'
import { createBend } from '../../../src/sim/cloth/bend.js'
import { clothSettings } from '../../../src/sim/cloth/cloth-options.js'
import { dampBend, dampStretch } from '../../../src/sim/cloth/damping.js'
import { clothEdges } from '../../../src/sim/cloth/hinges.js'
import { createStretch } from '../../../src/sim/cloth/stretch.js'

const settings = clothSettings({ bendStiffness: 1e-3 })
const masses = [0.5, 1, 2, 4]
const weights = Float64Array.from(masses, (mass) => 1 / mass)

/** Two triangles over an edge, bent by an angle [rad]. */
function hinge(angle: number) {
  const x = Float64Array.of(0, 0, 0, 0, 0, 1, 1, 0, 0.5, -Math.cos(angle), Math.sin(angle), 0.5)
  const triangles = Uint32Array.of(0, 1, 2, 1, 0, 3)
  return { x, edges: clothEdges(triangles, 4) }
}
const momentum = (v: Float64Array, axis: number): number =>
  masses.reduce((sum, mass, i) => sum + mass * v[3 * i + axis], 0)

it('takes away the share of the stretching that it is told, and no momentum (seed 4)', () => {
  const random = randomStream(4)
  for (const share of [0.25, 1]) {
    const { x, edges } = hinge(0)
    const all = createStretch(x, edges, new Float64Array(4).fill(0.25), settings)
    // One edge alone: others would stretch it again.
    const one = { ...all, count: 1 }
    const [a, b] = all.ends
    const v = Float64Array.from({ length: 12 }, () => random.normal())
    const rate = (): number => [0, 1, 2].reduce((sum, k) => sum + (v[b + k] - v[a + k]) * (x[b + k] - x[a + k]), 0)
    const [before, moved] = [rate(), [0, 1, 2].map((axis) => momentum(v, axis))]
    dampStretch(one, x, v, weights, share)
    expect(rate()).toBeCloseTo((1 - share) * before, 12)
    for (let axis = 0; axis < 3; axis++) expect(momentum(v, axis)).toBeCloseTo(moved[axis], 12)
  }
})

it('takes away the share of the bending that it is told, and no momentum (seed 5)', () => {
  const random = randomStream(5)
  for (const share of [0.25, 1]) {
    const { x, edges } = hinge(0.6)
    const bend = createBend(x, edges, settings)
    expect(bend.count).toBe(1)
    const v = Float64Array.from({ length: 12 }, () => random.normal())
    const along = (values: Float64Array, axis: number): number =>
      [0, 1, 2, 3].reduce((sum, i) => sum + bend.stencils[i] * values[bend.corners[i] + axis], 0)
    const rate = (): number => [0, 1, 2].reduce((sum, axis) => sum + along(x, axis) * along(v, axis), 0)
    const [before, moved] = [rate(), [0, 1, 2].map((axis) => momentum(v, axis))]
    dampBend(bend, x, v, weights, share)
    expect(rate()).toBeCloseTo((1 - share) * before, 12)
    for (let axis = 0; axis < 3; axis++) expect(momentum(v, axis)).toBeCloseTo(moved[axis], 12)
  }
})

it('remembers how a garment is bent at rest, also where it is bent by a degree', () => {
  expect(createBend(hinge(0).x, hinge(0).edges, settings).rests[0]).toBe(0)
  const degree = Math.PI / 180
  const [one, two] = [degree, 2 * degree].map(
    (angle) => createBend(hinge(angle).x, hinge(angle).edges, settings).rests[0],
  )
  // Otherwise a garment that is cut to a body would be ironed flat.
  expect(one).toBeGreaterThan(0)
  expect(two / one).toBeCloseTo(2, 2)
})
