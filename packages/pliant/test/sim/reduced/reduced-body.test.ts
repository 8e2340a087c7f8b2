/** What a body says of itself, how it is made of tetrahedra, and what it refuses. */
import { describe, expect, it } from 'vitest'
import { lumpedMasses } from '../../../src/sim/fem/tet-elements.js'
import { ReducedBody, ReducedWorld, reducedBodyOfTets } from '../../../src/sim/index.js'
import { BAR, barMesh, box, HALF, MASS, softBar, vibrations } from './scenes.js'

describe('a reduced body', () => {
  it('has its vertices at R (x0 + U q) + p, all of them and one by one', () => {
    const body = box([1, 1])
    body.orientation.set([0, 0, Math.SQRT1_2, Math.SQRT1_2])
    body.position.set([1, 2, 3])
    body.code.set([0.5, -1])
    const all = new Float64Array(24)
    body.positions(all)
    // Corner 7 is (+, +, +); a quarter turn carries x to y.
    expect([...all.subarray(21)]).toEqual(
      [1 - (HALF[1] + 0.01), 2 + HALF[0] - 0.03, 3 + HALF[2]].map((x) => expect.closeTo(x, 12)),
    )
    const one = new Float64Array(3)
    for (let v = 0; v < 8; v++) {
      body.vertex(v, one)
      for (let axis = 0; axis < 3; axis++) expect(one[axis]).toBeCloseTo(all[3 * v + axis], 14)
    }
  })

  it('has vertices whose velocity is what they move by in a short time', () => {
    const body = softBar(3)
    const world = new ReducedWorld([body], { gravity: [0, 0, 0] })
    body.velocity.set([1, -2, 0.5])
    body.setAngularVelocity([3, 1, -2])
    body.codeVelocity.set([2, -1, 3])
    const [before, after, velocity] = [0, 0, 0].map(() => new Float64Array(3))
    body.vertex(5, before)
    body.vertexVelocity(5, velocity)
    world.step(1e-6)
    body.vertex(5, after)
    for (let axis = 0; axis < 3; axis++) expect((after[axis] - before[axis]) / 1e-6).toBeCloseTo(velocity[axis], 3)
  })

  it('turns as it is told, and has the energy and momentum of that', () => {
    const body = box()
    body.orientation.set([0, Math.sin(0.4), 0, Math.cos(0.4)])
    body.setAngularVelocity([1, 2, 3])
    const w = new Float64Array(3)
    body.angularVelocity(w)
    expect([...w]).toEqual([1, 2, 3].map((value) => expect.closeTo(value, 12)))
    const spin = body.angularMomentum.reduce((sum, value, axis) => sum + value * w[axis], 0)
    expect(body.kineticEnergy).toBeCloseTo(spin / 2, 12)
    body.position.set([0, 2, 0])
    expect(body.gravityEnergy([0, -9.81, 0])).toBeCloseTo(2 * 9.81 * MASS, 12)
    body.velocity.set([1, 0, 0])
    const about = new Float64Array(3)
    body.momentumAboutOrigin(about)
    expect(about[2]).toBeCloseTo(body.angularMomentum[2] - 2 * MASS, 12)
  })
})

describe('a reduced body of tetrahedra', () => {
  const mesh = barMesh()
  const { modes, eigenvalues } = vibrations(mesh, 3)

  it('stands where the mesh is, and weighs what its tetrahedra do', () => {
    const body = reducedBodyOfTets({ mesh, modes, eigenvalues, material: BAR })
    expect(body.mass).toBeCloseTo(0.4 * 0.1 * 0.1 * BAR.density, 9)
    expect(body.vertexCount).toBe(mesh.positions.length / 3)
    const out = new Float64Array(body.rest.length)
    body.positions(out)
    for (let i = 0; i < out.length; i++) expect(out[i]).toBeCloseTo(mesh.positions[i], 12)
    for (let k = 0; k < 3; k++) expect(body.modalMasses[k]).toBeCloseTo(1, 9)
    // About the long axis a bar turns most easily.
    expect(body.inertia[0]).toBeLessThan(body.inertia[4] / 3)
  })

  it('moves the same in a scaled code: masses and stiffnesses go with the square', () => {
    const scales = [0.1, 2, 0.5]
    const body = reducedBodyOfTets({ mesh, modes, eigenvalues, scales, material: BAR })
    for (let k = 0; k < 3; k++) {
      expect(body.modalMasses[k]).toBeCloseTo(scales[k] ** 2, 9)
      expect(body.modalStiffness[k] / (scales[k] ** 2 * eigenvalues[k])).toBeCloseTo(1, 9)
    }
    expect(body.modes[5]).toBeCloseTo(0.1 * modes[5], 14)
  })

  it('refuses modes that move the whole, and numbers that do not belong together', () => {
    const shifted = modes.map((u, i) => (i < mesh.positions.length && i % 3 === 0 ? u + 0.1 : u))
    expect(() => reducedBodyOfTets({ mesh, modes: shifted, eigenvalues, material: BAR })).toThrow(
      'reduced body: mode 0 moves the centre of mass; pass vibration modes of a free body.',
    )
    expect(() => reducedBodyOfTets({ mesh, modes: modes.subarray(1), eigenvalues })).toThrow(/values for 3 modes/)
    expect(() => reducedBodyOfTets({ mesh, modes, eigenvalues, scales: [1, 2] })).toThrow(/for 3 scales/)
    expect(() => reducedBodyOfTets({ mesh, modes, eigenvalues }, { elasticity: 'rubber' as never })).toThrow(
      "reduced body: elasticity is 'rubber'; give 'linear' or 'stvk'.",
    )
    const masses = lumpedMasses(mesh, 5)
    masses[3] = Number.NaN
    expect(() => reducedBodyOfTets({ mesh, modes, eigenvalues, masses })).toThrow('mass 3 is NaN; pass finite numbers.')
  })
})

describe('what is refused, in one line', () => {
  const data = () => {
    const { rest, modes, modalMasses, modalStiffness, mass, inertia } = box([1])
    return { rest, modes, modalMasses, modalStiffness, mass, inertia }
  }

  it.each([
    [{ mass: 0 }, 'reduced body: mass is 0; give a positive number.'],
    [{ modalMasses: [0] }, 'reduced body: modalMasses[0] is 0; give a positive number.'],
    [{ modalStiffness: [-1] }, 'reduced body: modalStiffness[0] is -1; give zero or more.'],
    [{ modes: new Float64Array(3) }, 'reduced body: 3 values for 1 modes; pass 24, 24 for each.'],
    [
      { rest: new Float64Array(4) },
      'reduced body: rest is Float64Array of 4; pass xyz triples of at least one vertex.',
    ],
    [{ inertia: new Float64Array(9) }, 'reduced body: the inertia is not positive; pass that of a body with volume.'],
  ])('%o', (wrong, message) => {
    expect(() => new ReducedBody({ ...data(), ...wrong })).toThrow(message)
  })

  it('states and durations that are none; nothing has moved then', () => {
    const body = box([1])
    const world = new ReducedWorld([body])
    body.codeVelocity[0] = Number.NaN
    expect(() => world.step(0.01)).toThrow('reduced body: code velocity 0 is NaN; pass finite numbers.')
    body.codeVelocity[0] = 0
    expect(() => world.step(Number.NaN)).toThrow('reduced world: the frame lasts NaN; pass seconds.')
    expect(body.position[1]).toBe(0)
    world.step(10)
    // No more than `maxFrame`.
    expect(body.velocity[1]).toBeCloseTo(-0.981, 9)
  })

  it('bodies, obstacles, options and self-contact that are none', () => {
    expect(() => new ReducedWorld([{} as never])).toThrow('reduced world: body 0 is Object; pass reduced bodies.')
    expect(() => new ReducedWorld([], { obstacles: [{} as never] })).toThrow(/obstacle 0 is Object; give \{ field \}/)
    expect(() => new ReducedWorld([], { iterations: 0 })).toThrow('reduced world: iterations is 0;')
    expect(() => new ReducedWorld([], { selfResponse: 'none' as never })).toThrow("give 'speculative' or 'paper'")
    expect(() => box([1], { damping: -1 })).toThrow('reduced body: damping is -1; give zero or more.')
    const body = box([1], { selfContact: { box: { lower: [0, 0], upper: [1] } } })
    expect(() => new ReducedWorld([body]).step(0.01)).toThrow(/for 1 lower end of the codes/)
  })
})
