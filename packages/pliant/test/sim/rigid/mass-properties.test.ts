import { describe, expect, it } from 'vitest'
import { placed } from '../../../src/field/shapes/place.js'
import { box, halfSpace, sphere, torus } from '../../../src/field/shapes/primitives.js'
import { fieldOf, type Shape } from '../../../src/field/shapes/shape.js'
import { massProperties } from '../../../src/sim/rigid/mass-properties.js'

const weigh = (shape: Shape, density = 1) => massProperties(fieldOf(shape), shape.box, { density })
const diagonal = (inertia: Float64Array): number[] => [0, 4, 8].map((k) => inertia[k])

/** Largest difference as a share of the largest that is expected. */
function off(found: readonly number[], expected: readonly number[]): number {
  const size = Math.max(...expected.map(Math.abs))
  return Math.max(...found.map((value, k) => Math.abs(value - expected[k]))) / size
}

describe('mass properties against closed forms', () => {
  it('of a box', () => {
    const [a, b, c] = [0.5, 0.2, 0.35]
    const { mass, centre, inertia } = weigh(box([a, b, c]), 700)
    const exact = 700 * 8 * a * b * c
    expect(Math.abs(mass / exact - 1)).toBeLessThan(5e-4)
    expect(
      off(
        diagonal(inertia),
        [b * b + c * c, a * a + c * c, a * a + b * b].map((v) => (exact * v) / 3),
      ),
    ).toBeLessThan(1e-3)
    expect(Math.hypot(...centre)).toBeLessThan(1e-9)
  })

  it('of a ball', () => {
    const { mass, inertia } = weigh(sphere(0.7))
    const exact = (4 / 3) * Math.PI * 0.7 ** 3
    expect(Math.abs(mass / exact - 1)).toBeLessThan(5e-4)
    expect(
      off(
        diagonal(inertia),
        [0, 0, 0].map(() => 0.4 * exact * 0.49),
      ),
    ).toBeLessThan(1e-3)
  })

  it('of a torus, which its box is mostly air of', () => {
    const [R, r] = [0.4, 0.15]
    const { mass, inertia } = weigh(torus(R, r))
    const exact = 2 * Math.PI ** 2 * R * r * r
    const across = exact * ((R * R) / 2 + (5 / 8) * r * r)
    expect(Math.abs(mass / exact - 1)).toBeLessThan(2e-3)
    expect(off(diagonal(inertia), [across, exact * (R * R + 0.75 * r * r), across])).toBeLessThan(3e-3)
  })

  it('of a box that is moved and turned: the centre goes along, and inertia turns', () => {
    const angle = 0.6
    const turned = placed(box([0.5, 0.2, 0.3]), {
      at: [1, -2, 0.5],
      turn: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)],
    })
    const { centre, inertia } = weigh(turned)
    expect(off([...centre], [1, -2, 0.5])).toBeLessThan(1e-4)
    const [x, y] = [0.04 + 0.09, 0.25 + 0.09].map((squares) => (0.24 * squares) / 3)
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    const exact = [c * c * x + s * s * y, c * s * (x - y), s * s * x + c * c * y]
    expect(off([inertia[0], inertia[1], inertia[4]], exact)).toBeLessThan(2e-3)
    expect(inertia[1]).toBe(inertia[3])
  })
})

it('refuses what cannot be weighed, in one line', () => {
  const ground = halfSpace([0, 1, 0], 0)
  expect(() => weigh(ground)).toThrow(/^mass: the box is .* give a finite one/)
  const apart = { lower: [2, 2, 2], upper: [3, 3, 3] } as const
  expect(() => massProperties(fieldOf(sphere(1)), apart)).toThrow('mass: the field is nowhere negative in the box')
  const broken = {
    query: (_: unknown, count: number, out: Float64Array) => out.fill(Number.NaN, 0, count),
    bounds() {},
  }
  expect(() => massProperties(broken as never, apart)).toThrow('mass: the field answers NaN')
})
