import { describe, expect, it } from 'vitest'
import { fieldHalfSpace, fieldSphere, randomStream } from '../../../src/index.js'
import { femEnergy, femMomentum, invertedTets } from '../../../src/sim/fem/fem-energy.js'
import { FemBody } from '../../../src/sim/index.js'
import { bar, nodesAt, tumblingBar } from './bars.js'

describe('linearly implicit Euler', () => {
  it('keeps the linear momentum of a free body, though its solver is loose', () => {
    const body = tumblingBar()
    const before = femMomentum(body)
    for (let n = 0; n < 60; n++) body.step(1 / 60)
    const after = femMomentum(body)
    for (let axis = 0; axis < 3; axis++) {
      expect(Math.abs(after.linear[axis] / before.linear[0] - before.linear[axis] / before.linear[0])).toBeLessThan(
        1e-6,
      )
    }
  })

  it.each([
    [1, 1e5, 0.45],
    [1, 1e3, 0.3],
    [1, 1e7, 0.45],
    [3, 1e5, 0.3],
  ])('keeps the spin of a cube at %d turns a second, Young %d, Poisson %d, and its energy', (turns, young, poisson) => {
    const body = new FemBody(bar([0.2, 0.2, 0.2], [3, 3, 3]), { gravity: [0, 0, 0], material: { young, poisson } })
    const w = 2 * Math.PI * turns
    for (let i = 0; i < body.positions.length; i += 3) {
      const [x, y] = body.positions.subarray(i, i + 2)
      body.velocities.set([-w * (y - 0.1), w * (x - 0.1), 0], i)
    }
    const [, , before] = femMomentum(body).angular
    const energy = femEnergy(body).total
    for (let n = 0; n < 300; n++) {
      body.step(1 / 60)
      expect(femEnergy(body).total).toBeLessThan(1.05 * energy)
      // A twentieth was left after a second, before.
      expect(femMomentum(body).angular[2] / before).toBeGreaterThan(0.99)
      expect(femMomentum(body).angular[2] / before).toBeLessThan(1.01)
    }
  })

  it('keeps the angular momentum of a tumbling, stretched bar to a thousandth, about every axis', () => {
    const body = tumblingBar()
    const before = femMomentum(body).angular
    const size = Math.hypot(...before)
    for (let n = 0; n < 60; n++) body.step(1 / 60)
    const after = femMomentum(body).angular
    for (let axis = 0; axis < 3; axis++) expect(Math.abs(after[axis] - before[axis])).toBeLessThan(1e-3 * size)
  })

  it('falls as gravity says and slows down by mass damping', () => {
    const body = new FemBody(bar([0.1, 0.1, 0.1], [1, 1, 1]), { material: { massDamping: 3 } })
    let speed = 0
    for (let n = 0; n < 20; n++) {
      body.step(0.01)
      speed = (speed - 9.81 * 0.01) / (1 + 0.01 * 3)
    }
    const mass = body.masses.reduce((sum, value) => sum + value)
    expect(femMomentum(body).linear[1] / mass).toBeCloseTo(speed, 9)
  })

  it('dies down by stiffness damping at the rate that Rayleigh says', () => {
    const [young, density, length] = [1e5, 1000, 1]
    const stiffnessDamping = 0.01
    const mesh = bar([length, 0.05, 0.05], [20, 1, 1])
    const material = { young, density, poisson: 0, stiffnessDamping }
    const body = new FemBody(mesh, { gravity: [0, 0, 0], material, substep: 1e-4, tolerance: 1e-6 })
    for (let i = 0; i < body.positions.length; i += 3) {
      body.positions[i] += 1e-3 * Math.cos((Math.PI * mesh.positions[i]) / length)
    }
    const frequency = (Math.PI / length) * Math.sqrt(young / density)
    const before = femEnergy(body).elastic
    const turns = 4
    const period = (2 * Math.PI) / Math.sqrt(frequency ** 2 - ((stiffnessDamping * frequency ** 2) / 2) ** 2)
    for (let n = 0; n < 40; n++) body.step((turns * period) / 40)
    // Half of the step's own damping adds to that of the material.
    const rate = (frequency ** 2 * (stiffnessDamping + 1e-4)) / 2
    expect(Math.log(before / femEnergy(body).elastic) / (2 * rate * turns * period)).toBeCloseTo(1, 1)
  })

  it('loses energy on the ground and comes to rest above it', () => {
    const body = new FemBody(bar([0.2, 0.2, 0.2], [2, 2, 2]), {
      material: { young: 3e4, poisson: 0.4, stiffnessDamping: 0.01 },
      obstacles: [{ field: fieldHalfSpace([0, 1, 0], -0.1) }],
    })
    const first = femEnergy(body).total
    for (let n = 0; n < 200; n++) {
      body.step(1 / 60)
      expect(femEnergy(body).total).toBeLessThan(first + 1e-9)
    }
    expect(femEnergy(body).kinetic).toBeLessThan(1e-4 * first)
    expect(body.contacts.deepest(body.positions)).toBeLessThan(0.005)
  })

  it('rests on the ground at any length of step, and leaves it when it is lifted', () => {
    for (const substep of [1 / 60, 1 / 30, 0.1]) {
      const ground = { field: fieldHalfSpace([0, 1, 0], -0.05) }
      const body = new FemBody(bar([0.1, 0.1, 0.1], [2, 2, 2]), { substep, obstacles: [ground] })
      for (let t = 0; t < 5; t += substep) body.step(substep)
      // Contacts that let go too early: 9 cm/s for ever.
      expect(Math.max(...body.velocities.map(Math.abs))).toBeLessThan(1e-5)
      for (let node = 0; node < body.nodeCount; node++) body.forces[3 * node + 1] = 1.1 * 9.81 * body.masses[node]
      const frames = Math.round(0.5 / substep)
      for (let n = 0; n < frames; n++) body.step(substep)
      // Held back for no more than two steps.
      const steps = femMomentum(body).linear[1] / (body.totalMass * 0.1 * 9.81 * substep)
      expect(steps).toBeGreaterThan(frames - 2)
      expect(steps).toBeLessThan(frames + 1e-3)
    }
  })

  const onSlope = (slope: number, speed: number, substep: number): FemBody => {
    const angle = Math.atan(slope)
    const body = new FemBody(bar([0.1, 0.05, 0.1], [2, 1, 2]), {
      gravity: [9.81 * Math.sin(angle), -9.81 * Math.cos(angle), 0],
      obstacles: [{ field: fieldHalfSpace([0, 1, 0], 0) }],
      friction: 0.4,
      slipSpeed: 1e-3,
      substep,
    })
    for (let i = 0; i < body.velocities.length; i += 3) body.velocities[i] = speed
    return body
  }
  const speedOf = (body: FemBody): number => femMomentum(body).linear[0] / body.totalMass

  it('is held by friction of 0.4 on a slope of 0.35', () => {
    const body = onSlope(0.35, 0, 1 / 60)
    for (let n = 0; n < 90; n++) body.step(1 / 60)
    expect(Math.abs(speedOf(body))).toBeLessThan(1e-3)
  })

  it.each([0, 0.8])('slides on a slope of %d as Coulomb says', (slope) => {
    const body = onSlope(slope, 2, 1 / 480)
    for (let n = 0; n < 12; n++) body.step(1 / 60)
    const before = speedOf(body)
    for (let n = 0; n < 12; n++) body.step(1 / 60)
    const angle = Math.atan(slope)
    const expected = 9.81 * (Math.sin(angle) - 0.4 * Math.cos(angle)) * 0.2
    expect((speedOf(body) - before) / expected).toBeGreaterThan(0.9)
    expect((speedOf(body) - before) / expected).toBeLessThan(1.1)
  })

  it('is carried by a sphere and pushed by forces with stiffness', () => {
    const body = new FemBody(bar([0.2, 0.1, 0.2], [2, 1, 2]), {
      obstacles: [{ field: fieldSphere([0.1, -0.31, 0.1], 0.3) }],
      friction: 1,
    })
    for (let n = 0; n < 60; n++) body.step(1 / 60)
    const height = body.positions.reduce((sum, y, i) => sum + (i % 3 === 1 ? y : 0), 0) / body.nodeCount
    expect(height).toBeGreaterThan(0)
    // A spring from each node to where it is: holds what would fly away.
    body.setObstacles([])
    for (let node = 0; node < body.nodeCount; node++) for (const k of [0, 3, 5]) body.forceStiffness[6 * node + k] = 1e9
    body.velocities.fill(0)
    const before = body.positions.slice()
    for (let n = 0; n < 10; n++) body.step(1 / 60)
    expect(Math.max(...body.positions.map((x, i) => Math.abs(x - before[i])))).toBeLessThan(1e-6)
  })

  it('moves pinned nodes where it is told and the rest after them', () => {
    const mesh = bar([0.4, 0.1, 0.1], [4, 1, 1])
    const body = new FemBody(mesh, { gravity: [0, 0, 0] })
    const pins = nodesAt(mesh, 0, 0)
    body.pin(pins)
    for (let n = 1; n <= 120; n++) {
      const lift = 0.1 * Math.min(1, n / 30)
      const targets = pins.flatMap((node) => [0, 1, 2].map((axis) => mesh.positions[3 * node + axis] + lift))
      body.movePinned(Float64Array.from(targets))
      body.step(1 / 60)
    }
    for (let i = 0; i < body.positions.length; i++) expect(body.positions[i]).toBeCloseTo(mesh.positions[i] + 0.1, 2)
    for (const node of pins) expect(body.positions[3 * node]).toBeCloseTo(0.1, 12)
    expect(() => body.pin([999])).toThrow(/pinned node 999/)
    expect(() => body.movePinned(Float64Array.of(0))).toThrow(/1 values for 4 pins; pass 12/)
    expect(() => body.movePinned(new Float64Array(12).fill(Number.NaN))).toThrow(/pin 0 is NaN/)
  })

  it.each([1, 2])('recovers from a scrambled state and never gives NaN (seed %i)', (seed) => {
    const mesh = bar([0.2, 0.2, 0.2], [3, 3, 3])
    const random = randomStream(seed)
    const body = new FemBody(mesh, { gravity: [0, 0, 0], material: { young: 1e4, poisson: 0.45 } })
    for (let i = 0; i < body.positions.length; i++) body.positions[i] += random.between(-0.1, 0.1)
    expect(invertedTets(mesh, body.positions).length).toBeGreaterThan(20)
    const before = femEnergy(body).total
    for (let n = 0; n < 120; n++) body.step(1 / 60)
    // A node may stay folded through its neighbours without any tetrahedron being inverted: not rest, but far calmer.
    expect(invertedTets(mesh, body.positions)).toEqual([])
    expect(femEnergy(body).total).toBeLessThan(0.01 * before)
  })

  it('is put back into its rest shape where tetrahedra stay inverted, but not while another body touches it', () => {
    const largestJump = (isTouched: boolean): number => {
      const mesh = bar([0.2, 0.2, 0.2], [3, 3, 3])
      const body = new FemBody(mesh, { gravity: [0, 0, 0], material: { young: 1e4, poisson: 0.4 } })
      // Two corners of a tetrahedron change places and are held there.
      const [p, q] = mesh.tetrahedra
      body.positions.copyWithin(3 * p, 3 * q, 3 * q + 3)
      body.positions.set(mesh.positions.subarray(3 * p, 3 * p + 3), 3 * q)
      body.pin(mesh.tetrahedra.subarray(0, 4))
      let jump = 0
      for (let n = 0; n < 200; n++) {
        body.isTouched = isTouched
        const before = body.positions.slice()
        body.step(1 / 60)
        if (n < 100) continue
        jump = body.positions.reduce((most, value, i) => Math.max(most, Math.abs(value - before[i])), jump)
      }
      expect(invertedTets(mesh, body.positions).length).toBeGreaterThan(0)
      return jump
    }
    expect(largestJump(false)).toBeGreaterThan(0.01)
    expect(largestJump(true)).toBeLessThan(0.005)
  })

  it('refuses what is no number, drops what is too long, and stops what is too fast', () => {
    const body = new FemBody(bar([0.1, 0.1, 0.1], [1, 1, 1]), { maxFrame: 0.1, maxSpeed: 5 })
    expect(() => body.step(Number.NaN)).toThrow(/lasts NaN/)
    body.step(-1)
    expect(body.velocities.every((v) => v === 0)).toBe(true)
    body.step(1e6)
    const mass = body.masses.reduce((sum, value) => sum + value)
    expect(femMomentum(body).linear[1] / mass).toBeCloseTo(-0.981, 6)
    body.forces[3] = Infinity
    expect(() => body.step(0.01)).toThrow(/force of node 1 is Infinity/)
    body.forces[3] = 1e300
    body.velocities[0] = Number.NaN
    for (let n = 0; n < 5; n++) body.step(0.01)
    expect(body.positions.every(Number.isFinite)).toBe(true)
    expect(() => new FemBody(bar([1, 1, 1], [1, 1, 1]), { substep: 0 })).toThrow(/substep is 0/)
    expect(() => body.setObstacles([{ field: fieldSphere([0, 0, 0], -1) }])).toThrow(/radius is -1/)
    const ground = { field: fieldHalfSpace([0, 1, 0], 0) }
    for (const bad of [undefined, null, {}, { field: {} }, ground.field] as never[]) {
      expect(() => body.setObstacles([ground, bad])).toThrow(/^fem: obstacle 1 is .*; give { field }, .*\.$/)
    }
  })

  it('warns of materials that lock linear tetrahedra', () => {
    const warnings = [0.4, 0.45].map(
      (poisson) => new FemBody(bar([1, 1, 1], [1, 1, 1]), { material: { poisson } }).warnings,
    )
    expect(warnings[0]).toEqual([])
    expect(warnings[1][0]).toMatch(/^fem: Poisson 0.45 locks .*; give at most 0.4/)
  })

  it('gives the same bits again', () => {
    const run = () => {
      const body = tumblingBar()
      for (let n = 0; n < 20; n++) body.step(1 / 60)
      return body.positions
    }
    expect(run()).toEqual(run())
  })
})
