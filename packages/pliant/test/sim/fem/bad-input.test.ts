/** What cannot be simulated: an error that names the value and the remedy, or a rule that keeps every number finite. */
import { describe, expect, it } from 'vitest'
import { fieldHalfSpace, fieldSphere, type TetMesh } from '../../../src/index.js'
import { femMomentum } from '../../../src/sim/fem/fem-energy.js'
import { NewtonStepper } from '../../../src/sim/fem/newton-stepper.js'
import { FemBody, type FemKernel, type FemMaterial } from '../../../src/sim/index.js'
import { bar } from './bars.js'

/** Five centimetres above the ground. @param substep [s] that `step` may take at once */
function fallingCube(kernel: FemKernel, substep: number): FemBody {
  const ground = { field: fieldHalfSpace([0, 1, 0], -0.05) }
  return new FemBody(bar([0.1, 0.1, 0.1], [2, 2, 2]), { kernel, substep, maxFrame: substep, obstacles: [ground] })
}

const cube = (): TetMesh => bar([0.1, 0.1, 0.1], [1, 1, 1])

describe('a mesh that cannot be a body', () => {
  it('is refused for inverted tetrahedra, all of them or one', () => {
    const { positions, tetrahedra } = cube()
    const turned = tetrahedra.map((_, i) => tetrahedra[i % 4 < 2 ? i + 1 - 2 * (i % 4) : i])
    expect(() => new FemBody({ positions, tetrahedra: turned })).toThrow(/6 are inverted: 0, 1, .*orientTets/)
    tetrahedra.set([tetrahedra[1], tetrahedra[0]])
    expect(() => new FemBody({ positions, tetrahedra })).toThrow(/1 are inverted: 0; repair/)
  })

  it('is refused for flat tetrahedra, as thin as a sheet of one millionth', () => {
    const flat = bar([0.1, 1e-8, 0.1], [1, 1, 1])
    expect(() => new FemBody(flat)).toThrow(/have no volume: 0.*repair/)
  })

  it('is refused for nodes that nothing uses, nodes that are not there, and positions that are not finite', () => {
    const { positions, tetrahedra } = cube()
    const more = Float64Array.of(...positions, 1, 1, 1)
    expect(() => new FemBody({ positions: more, tetrahedra })).toThrow(/1 nodes belong to no .*: 8; .*dropUnusedNodes/)
    expect(() => new FemBody({ positions: positions.subarray(3), tetrahedra })).toThrow(/nodes that are not there/)
    positions[4] = Number.NaN
    expect(() => new FemBody({ positions, tetrahedra })).toThrow(/not finite: 1/)
  })

  it('may be several pieces, which then move each for itself', () => {
    const { positions, tetrahedra } = cube()
    const nodes = positions.length / 3
    const body = new FemBody(
      {
        positions: Float64Array.of(...positions, ...positions.map((x, i) => (i % 3 === 0 ? x + 1 : x))),
        tetrahedra: Uint32Array.of(...tetrahedra, ...tetrahedra.map((node) => node + nodes)),
      },
      { obstacles: [{ field: fieldSphere([0.05, -0.2, 0.05], 0.19) }] },
    )
    for (let n = 0; n < 30; n++) body.step(1 / 60)
    const speeds = [0, nodes].map((first) => body.velocities[3 * first + 1])
    expect(Math.abs(speeds[0])).toBeLessThan(0.5)
    expect(speeds[1]).toBeCloseTo(-9.81 / 2, 1)
  })
})

describe('a material that cannot be', () => {
  it.each([0.5, 0.4999, 0.7, Infinity])('is refused: Poisson %d is incompressible or beyond', (poisson) => {
    expect(() => new FemBody(cube(), { material: { poisson } })).toThrow(
      `poisson is ${poisson}; give a number above -1 and at most 0.49 (0.5 is incompressible, `,
    )
  })

  it.each([-1, -2, -Infinity, Number.NaN])('is refused: Poisson %d', (poisson) => {
    expect(() => new FemBody(cube(), { material: { poisson } })).toThrow(/poisson is .*; give a number above -1/)
  })

  it.each([
    [{ young: 0 }, /young is 0; give a positive/],
    [{ density: -5 }, /density is -5; give a positive/],
    [{ stiffnessDamping: Number.NaN }, /stiffnessDamping is NaN; give zero or more/],
  ] as [FemMaterial, RegExp][])('is refused: %o', (material, message) => {
    expect(() => new FemBody(cube(), { material })).toThrow(message)
  })

  it.each([-0.99, 0.495])('may come near to it: Poisson %d falls, lands and stays finite', (poisson) => {
    const body = new FemBody(bar([0.1, 0.1, 0.1], [2, 2, 2]), {
      material: { poisson, young: 2e4 },
      obstacles: [{ field: fieldHalfSpace([0, 1, 0], -0.02) }],
    })
    for (let n = 0; n < 120; n++) body.step(1 / 60)
    expect(body.positions.every(Number.isFinite)).toBe(true)
    expect(Math.max(...body.velocities.map(Math.abs))).toBeLessThan(0.1)
  })
})

describe('a time step far too long', () => {
  it('is cut at `maxFrame`: 10 s or for ever pass as a tenth of a second', () => {
    for (const frame of [10, 1e300, Infinity]) {
      const body = new FemBody(cube())
      body.step(frame)
      expect(femMomentum(body).linear[1] / body.totalMass).toBeCloseTo(-0.981, 6)
    }
    expect(() => new FemBody(cube()).step(Number.NaN)).toThrow('fem: the frame lasts NaN; pass seconds.')
  })

  it.each(['plain', 'simd'] as const)('stays finite and below `maxSpeed` where it is really taken (%s)', (kernel) => {
    const body = fallingCube(kernel, 10)
    for (let n = 0; n < 20; n++) {
      body.step(10)
      expect(body.positions.every(Number.isFinite)).toBe(true)
      expect(Math.max(...body.velocities.map(Math.abs))).toBeLessThanOrEqual(30)
    }
  })

  it.each(['plain', 'simd'] as const)('comes to rest where it is six times too long (%s)', (kernel) => {
    const body = fallingCube(kernel, 0.1)
    for (let n = 0; n < 50; n++) body.step(0.1)
    expect(Math.max(...body.velocities.map(Math.abs))).toBeLessThan(1e-3)
    expect(body.contacts.deepest(body.positions)).toBeLessThan(0.01)
  })

  it('stays finite in fully implicit Euler', () => {
    const body = fallingCube('plain', 1 / 60)
    const stepper = new NewtonStepper(body)
    for (let n = 0; n < 3; n++) stepper.step(10)
    expect(body.positions.every(Number.isFinite)).toBe(true)
    expect(() => stepper.step(Infinity)).toThrow(/lasts Infinity; pass a positive number/)
  })
})

describe('a kernel that is none', () => {
  it('is refused by name', () => {
    expect(() => new FemBody(cube(), { kernel: 'gpu' as 'simd' })).toThrow(
      /kernel is 'gpu'; give 'auto', 'simd' or 'plain'/,
    )
  })
})
