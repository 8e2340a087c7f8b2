/** Reduced bodies against each other. */
import { describe, expect, it } from 'vitest'
import { ExactMeshField } from '../../../src/exact/index.js'
import { fieldBox, fieldHalfSpace, fieldSphere } from '../../../src/index.js'
import { type ReducedBody, ReducedWorld, reducedBodyOfArtifact } from '../../../src/sim/index.js'
import { selfContactExample } from '../../artifact/self-contact-example.js'
import { box, energyOf, HALF, MASS } from './scenes.js'

const G = 9.81
const H = 1 / 60
const ground = () => ({ field: fieldHalfSpace([0, 1, 0], 0) })

describe('two bodies', () => {
  /** Fields of their own triangles, as they are bent. */
  const withShape = (body: ReducedBody): ReducedBody => {
    body.shape = new ExactMeshField({ positions: body.rest, triangles: body.triangles! })
    return body
  }

  function totals(bodies: ReducedBody[]): number[] {
    const part = new Float64Array(3)
    const sum = new Array(6).fill(0)
    for (const body of bodies) {
      body.linearMomentum(part)
      for (let axis = 0; axis < 3; axis++) sum[axis] += part[axis]
      body.momentumAboutOrigin(part)
      for (let axis = 0; axis < 3; axis++) sum[3 + axis] += part[axis]
    }
    return sum
  }

  it('that meet head-on keep their momentum, do not overlap, and end no faster than they met', () => {
    const [a, b] = [withShape(box([3, 5], { damping: 0.02 })), withShape(box([3, 5], { damping: 0.02 }))]
    a.position.set([-0.3, 0, 0])
    b.position.set([0.3, 0.01, 0.02])
    a.velocity.set([2, 0, 0])
    b.velocity.set([-1, 0, 0])
    const world = new ReducedWorld([a, b], { gravity: [0, 0, 0] })
    const before = totals([a, b])
    const energy = energyOf(a) + energyOf(b)
    let touched = 0
    const impulses = [new Float64Array(3), new Float64Array(3)]
    for (let n = 0; n < 60; n++) {
      touched += world.step(H).rows > 0 ? 1 : 0
      world.contactImpulse(0, impulses[0])
      world.contactImpulse(1, impulses[1])
      for (let axis = 0; axis < 3; axis++) expect(impulses[0][axis] + impulses[1][axis]).toBeCloseTo(0, 12)
      expect(energyOf(a) + energyOf(b)).toBeLessThan(energy * (1 + 1e-6))
      const p = new Float64Array(a.rest.length)
      a.positions(p)
      const d = new Float64Array(8)
      const other = new Float64Array(b.rest.length)
      b.positions(other)
      new ExactMeshField({ positions: other, triangles: b.triangles! }).query(p, 8, d)
      expect(Math.min(...d)).toBeGreaterThan(-2e-3)
    }
    const after = totals([a, b])
    expect(touched).toBeGreaterThan(0)
    for (let i = 0; i < 6; i++) expect(Math.abs(after[i] - before[i])).toBeLessThan(1e-13)
    expect(a.velocity[0]).toBeLessThan(b.velocity[0] + 1e-6)
  })

  it("press each other's modes where they touch, interpolated on triangles", () => {
    const [a, b] = [box([], {}, 0.5), withShape(box([12], { damping: 0.5 }))]
    b.position.set([0, HALF[1], 0])
    a.position.set([0, 2 * HALF[1] + HALF[1] / 2 + 0.001, 0])
    const world = new ReducedWorld([a, b], { obstacles: [{ field: fieldHalfSpace([0, 1, 0], 0) }] })
    for (let n = 0; n < 600; n++) world.step(H)
    // a rests on b's top, which carries m g, and b's own weight is on its feet: 2 m g below, m g above.
    const expected = (-0.02 * (2 * MASS * G + MASS * G)) / b.modalStiffness[0]
    expect(b.code[0] / expected).toBeCloseTo(1, 2)
  })

  it('meet where the other is turned to: a box lies on one that stands on its side', () => {
    const [a, b] = [box([], {}, 0.4), withShape(box())]
    b.orientation.set([0, 0, Math.SQRT1_2, Math.SQRT1_2])
    b.position.set([0, HALF[0], 0])
    a.position.set([0, 2 * HALF[0] + 0.03, 0])
    const world = new ReducedWorld([a, b], { obstacles: [ground()] })
    for (let n = 0; n < 60; n++) world.step(H)
    expect(a.position[1]).toBeCloseTo(2 * HALF[0] + 0.4 * HALF[1], 3)
    expect(b.position[1]).toBeCloseTo(HALF[0], 3)
  })

  it('feel a push between vertices as the triangle there does: modes are interpolated', () => {
    const [a, b] = [box([], {}, 0.01), withShape(box([2, 2, 2]))]
    a.position.set([0.06, HALF[1] + 0.01 * HALF[1] + 1e-4, 0.02])
    const world = new ReducedWorld([a, b], { gravity: [0, 0, 0], friction: 0 })
    a.velocity[1] = -0.01
    world.step(H)
    const { rows } = world
    expect(rows.count).toBeGreaterThan(0)
    const corner = new Float64Array(3)
    for (let row = 0; row < rows.count; row++) {
      const vertex = (rows.keys[row] % 2 ** 32) / 4
      for (let axis = 0; axis < 3; axis++) corner[axis] = a.position[axis] + a.rest[3 * vertex + axis]
      // Mode 1 moves the top by 3 cm times x / half, but not up; mode 2 by a saddle, linear on each triangle.
      const [x, z] = [corner[0] / HALF[0], corner[2] / HALF[2]]
      const saddle = [1 - Math.abs(x - z), Math.abs(x + z) - 1].map((value) => -0.02 * value)
      expect(rows.values[rows.startB(row) + 6]).toBeCloseTo(-0.02, 9)
      expect(rows.values[rows.startB(row) + 7]).toBeCloseTo(0, 9)
      const found = rows.values[rows.startB(row) + 8]
      expect(Math.min(...saddle.map((value) => Math.abs(value - found)))).toBeLessThan(1e-9)
    }
  })

  it('takes a field from a function, too, and none for a body that has no shape', () => {
    const [a, b] = [box(), box()]
    b.shape = () => fieldSphere([0, 0, 0], 0.1)
    a.position.set([0, 0.5, 0])
    b.position.set([0, 0.1, 0])
    const world = new ReducedWorld([a, b], { obstacles: [{ field: fieldBox([0, -1, 0], [5, 1.05, 5]) }] })
    for (let n = 0; n < 30; n++) world.step(H)
    expect(a.position[1]).toBeLessThan(0.5)
    expect(a.position[1]).toBeGreaterThan(HALF[1])
  })

  it('that spin, bend and rub against each other keep momentum and angular momentum to rounding', () => {
    const bodies = [1, 0.8].map((scale) => withShape(box([3, 5, 4], { damping: 0.02 }, scale)))
    const [a, b] = bodies
    a.position.set([-0.3, 0.02, 0])
    b.position.set([0.3, -0.01, 0.03])
    a.velocity.set([2, 0.4, 0])
    b.velocity.set([-1, 0, 0.5])
    a.setAngularVelocity([1, 4, -3])
    b.setAngularVelocity([-2, 1, 5])
    a.code.set([0.5, -0.3, 0.2])
    const world = new ReducedWorld(bodies, { gravity: [0, 0, 0], friction: 0.6 })
    const before = totals(bodies)
    let loaded = 0
    for (let n = 0; n < 90; n++) {
      loaded += world.step(H).rows > 0 && world.motion.impulses.some((impulse) => impulse > 0) ? 1 : 0
      for (const [i, value] of totals(bodies).entries()) expect(Math.abs(value - before[i])).toBeLessThan(1e-13)
    }
    expect(loaded).toBeGreaterThan(0)
  })

  it.each([0, 0.5, 1])('of one mass part with %f of the speed they met with', (restitution) => {
    const bodies = [withShape(box([], {}, 0.5)), withShape(box())]
    const [a, b] = bodies
    a.position.set([-0.3, 0, 0])
    b.position.set([0.3, 0, 0])
    a.velocity[0] = 2
    b.velocity[0] = -1
    const world = new ReducedWorld(bodies, { gravity: [0, 0, 0], restitution })
    const energy = energyOf(a) + energyOf(b)
    for (let n = 0; n < 60; n++) world.step(H)
    // One common velocity, and half of what they part with to each side: exchanged if nothing is lost.
    expect(a.velocity[0]).toBeCloseTo(0.5 - 1.5 * restitution, 4)
    expect(b.velocity[0]).toBeCloseTo(0.5 + 1.5 * restitution, 4)
    const lost = (MASS / 4) * 3 ** 2 * (1 - restitution ** 2)
    expect(energy - energyOf(a) - energyOf(b)).toBeCloseTo(lost, 3)
  })

  it('stay at rest in a stack of three', () => {
    const bodies = [1, 0.8, 0.6].map((scale) => withShape(box([30, 40], { damping: 0.3 }, scale)))
    const heights = [HALF[1], 2.8 * HALF[1], 4.2 * HALF[1]]
    bodies.forEach((body, i) => {
      body.position.set([0.005 * i, heights[i], -0.004 * i])
    })
    const world = new ReducedWorld(bodies, { obstacles: [ground()] })
    for (let n = 0; n < 180; n++) world.step(H)
    const settled = bodies.map((body) => body.position.slice())
    for (let n = 0; n < 120; n++) {
      world.step(H)
      for (const body of bodies) expect(body.kineticEnergy).toBeLessThan(1e-6)
    }
    bodies.forEach((body, i) => {
      for (let axis = 0; axis < 3; axis++) expect(Math.abs(body.position[axis] - settled[i][axis])).toBeLessThan(1e-5)
      // A few mm lower than stiff ones.
      expect(Math.abs(body.position[1] - heights[i])).toBeLessThan(0.006)
    })
  })

  it('that are rings, thrown at each other, go into each other by no more than 1% of their size', () => {
    const artifact = selfContactExample('plane')
    const rings = [0, 1].map(() => withShape(reducedBodyOfArtifact(artifact, { damping: 0.1 })))
    const [a, b] = rings
    const size = 2 * a.radius
    a.position.set([-0.7 * size, 0, 0])
    b.position.set([0.7 * size, 0.1 * size, 0.15 * size])
    b.orientation.set([Math.sin(0.4), 0, 0, Math.cos(0.4)])
    a.velocity[0] = 3 * size
    b.velocity[0] = -3 * size
    b.setAngularVelocity([0, 2, 1])
    const world = new ReducedWorld(rings, { gravity: [0, 0, 0] })
    const before = totals(rings)
    const scale = Math.max(...before.map(Math.abs), a.mass * 3 * size)
    const [inOne, inOther] = rings.map(
      (ring) => new ExactMeshField({ positions: ring.rest, triangles: ring.triangles! }),
    )
    const distances = new Float64Array(a.vertexCount)
    let [deepest, touched] = [0, 0]
    for (let n = 0; n < 60; n++) {
      touched += world.step(H).rows > 0 ? 1 : 0
      const [p, q] = rings.map((ring) => {
        const positions = new Float64Array(ring.rest.length)
        ring.positions(positions)
        return positions
      })
      inOne.update({ vertices: p })
      inOther.update({ vertices: q })
      for (const [field, points] of [
        [inOne, q],
        [inOther, p],
      ] as const) {
        field.query(points, a.vertexCount, distances)
        deepest = Math.max(deepest, -Math.min(...distances))
      }
    }
    expect(touched).toBeGreaterThan(5)
    expect(deepest).toBeLessThan(0.01 * size)
    for (const [i, value] of totals(rings).entries()) expect(Math.abs(value - before[i])).toBeLessThan(1e-12 * scale)
  })
})
