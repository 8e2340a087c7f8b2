/** Bodies on the ground, on slopes and against each other. */
import { describe, expect, it } from 'vitest'
import { ExactMeshField } from '../../../src/exact/index.js'
import { fieldBox, fieldHalfSpace, fieldSphere, type Vec3 } from '../../../src/index.js'
import { type ReducedBody, ReducedWorld, rigidMotion } from '../../../src/sim/index.js'
import { box, energyOf, HALF, MASS, softBar } from './scenes.js'

const G = 9.81
const H = 1 / 60
const ground = () => ({ field: fieldHalfSpace([0, 1, 0], 0) })

function lowest(body: ReducedBody, up: readonly number[] = [0, 1, 0]): number {
  const p = new Float64Array(body.rest.length)
  body.positions(p)
  let least = Infinity
  for (let i = 0; i < p.length; i += 3) least = Math.min(least, p[i] * up[0] + p[i + 1] * up[1] + p[i + 2] * up[2])
  return least
}

describe('a body on the ground', () => {
  it('falls, lands without going in, and rests: contacts give m g h a step, the residual is small', () => {
    const body = softBar(6, { damping: 0.05 })
    body.position[1] = 0.3
    const world = new ReducedWorld([body], { obstacles: [ground()] })
    const gravity: Vec3 = [0, -G, 0]
    const start = energyOf(body, gravity)
    const impulse = new Float64Array(3)
    for (let n = 0; n < 240; n++) {
      const report = world.step(H)
      expect(lowest(body)).toBeGreaterThan(-1e-4)
      expect(energyOf(body, gravity)).toBeLessThan(start * (1 + 1e-9))
      expect(report.residual).toBeLessThan(2e-3)
    }
    world.contactImpulse(0, impulse)
    expect(impulse[1] / (body.mass * G * H)).toBeCloseTo(1, 3)
    expect(Math.abs(impulse[0])).toBeLessThan(1e-3 * impulse[1])
    expect(Math.hypot(...body.velocity)).toBeLessThan(1e-4)
    expect(world.report.residual).toBeLessThanOrEqual(world.settings.tolerance)
    expect(lowest(body)).toBeLessThan(1e-4)
  })

  it('does not go in, though it comes down at 20 m/s', () => {
    const body = box([3, 5], { damping: 0.05 })
    body.position.set([0, 1, 0])
    body.velocity.set([0, -20, 0])
    const world = new ReducedWorld([body], { obstacles: [ground()] })
    for (let n = 0; n < 60; n++) {
      world.step(H)
      // The solver's tolerance times the step.
      expect(lowest(body)).toBeGreaterThan(-1e-6)
    }
  })

  it('does not gain energy from a mode far too fast for the step, pressed flat and let go', () => {
    const body = box([200])
    body.position.set([0, HALF[1], 0])
    body.velocity.set([0, -3, 0])
    body.code[0] = 0
    const world = new ReducedWorld([body], { obstacles: [ground()], gravity: [0, 0, 0] })
    let energy = energyOf(body)
    for (let n = 0; n < 120; n++) {
      world.step(H)
      expect(energyOf(body)).toBeLessThanOrEqual(energy * (1 + 1e-9))
      energy = energyOf(body)
    }
  })

  it('sags under its weight as its mode says: m g / 2 on the lower corners against the stiffness', () => {
    const body = box([4], { damping: 0.3 })
    body.position.set([0, HALF[1], 0])
    const world = new ReducedWorld([body], { obstacles: [ground()] })
    for (let n = 0; n < 300; n++) world.step(H)
    // The lower corners go up by 2 cm per unit of -code, against m g.
    expect(body.code[0]).toBeCloseTo((-0.02 * MASS * G) / body.modalStiffness[0], 5)
    expect(lowest(body)).toBeCloseTo(0, 5)
  })

  it('is carried by a lift that goes up, and falls with one that goes down slowly', () => {
    for (const speed of [1, -0.5]) {
      const body = box()
      body.position.set([0, HALF[1], 0])
      const world = new ReducedWorld([body])
      for (let n = 1; n <= 60; n++) {
        const field = fieldHalfSpace([0, 1, 0], speed * n * H)
        world.setObstacles([{ field, motion: rigidMotion([0, speed, 0]) }])
        world.step(H)
        expect(lowest(body) - speed * n * H).toBeGreaterThan(-1e-6)
      }
      expect(lowest(body) - speed).toBeLessThan(1e-5)
      expect(body.velocity[1]).toBeCloseTo(speed, 4)
    }
  })

  it('leaves the ground and comes back within a step as if there were none', () => {
    const body = box()
    body.position.set([0, HALF[1], 0])
    body.velocity[1] = (G * H) / 2
    const world = new ReducedWorld([body], { obstacles: [ground()] })
    world.step(H)
    expect(body.velocity[1]).toBeCloseTo((-G * H) / 2, 12)
    expect(lowest(body)).toBeCloseTo(0, 12)
  })

  it('is pushed out where it begins inside, no faster than the rate', () => {
    const body = box()
    body.position.set([0, HALF[1] - 0.03, 0])
    const world = new ReducedWorld([body], { obstacles: [ground()], gravity: [0, 0, 0], pushOut: 0.2 })
    let before = body.position[1]
    for (let n = 0; n < 30; n++) {
      world.step(H)
      expect(body.position[1] - before).toBeLessThan(0.2 * H * (1 + 1e-4))
      before = body.position[1]
    }
    expect(lowest(body)).toBeGreaterThan(-1e-6)
  })

  it('keeps a margin if there is one', () => {
    const body = box()
    body.position.set([0, 0.2, 0])
    const world = new ReducedWorld([body], { obstacles: [ground()], margin: 0.01 })
    for (let n = 0; n < 60; n++) world.step(H)
    expect(lowest(body)).toBeCloseTo(0.01, 6)
  })
})

describe('friction', () => {
  /** A box on a slope, along which it slides to -x. @returns its speed down the slope after a second */
  function slide(slope: number, friction: number, speed = 0): number {
    const normal: Vec3 = [-Math.sin(slope), Math.cos(slope), 0]
    const body = box()
    body.orientation.set([0, 0, Math.sin(slope / 2), Math.cos(slope / 2)])
    body.position.set(normal.map((n) => n * HALF[1]))
    body.velocity.set([-speed * Math.cos(slope), -speed * Math.sin(slope), 0])
    const world = new ReducedWorld([body], { friction, obstacles: [{ field: fieldHalfSpace(normal, 0) }] })
    for (let n = 0; n < 60; n++) {
      world.step(H)
      expect(lowest(body, normal)).toBeGreaterThan(-1e-6)
    }
    return -(body.velocity[0] * Math.cos(slope) + body.velocity[1] * Math.sin(slope))
  }

  it('holds on a slope below the coefficient', () => {
    expect(Math.abs(slide(0.3, 0.4))).toBeLessThan(1e-4)
  })

  it('lets it slide above the coefficient, at g (sin - mu cos)', () => {
    for (const [slope, friction] of [
      [0.5, 0.4],
      [0.3, 0.1],
      [0.3, 0],
    ]) {
      const expected = G * (Math.sin(slope) - friction * Math.cos(slope))
      expect(slide(slope, friction) / expected).toBeCloseTo(1, 3)
    }
  })

  it('is with the surface: a belt carries what lies on it, by mu g until it is as fast', () => {
    const body = box()
    body.position.set([0, HALF[1], 0])
    const obstacle = { ...ground(), motion: rigidMotion([0.6, 0, 0.8]) }
    const world = new ReducedWorld([body], { friction: 0.1, obstacles: [obstacle] })
    for (let n = 0; n < 30; n++) world.step(H)
    expect(Math.hypot(body.velocity[0], body.velocity[2])).toBeCloseTo(0.1 * G * 0.5, 2)
    expect(body.velocity[2] / body.velocity[0]).toBeCloseTo(0.8 / 0.6, 3)
    for (let n = 0; n < 60; n++) world.step(H)
    expect(body.velocity[0]).toBeCloseTo(0.6, 3)
    expect(body.velocity[2]).toBeCloseTo(0.8, 3)
  })

  it('stops what slides on the flat after v / (mu g)', () => {
    expect(slide(0, 0.2, 3)).toBeCloseTo(3 - 0.2 * G, 2)
    expect(Math.abs(slide(0, 0.4, 3))).toBeLessThan(1e-6)
  })
})

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
    for (let axis = 0; axis < 3; axis++) expect(after[axis]).toBeCloseTo(before[axis], 9)
    for (let axis = 3; axis < 6; axis++) expect(Math.abs(after[axis] - before[axis])).toBeLessThan(5e-3)
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
})
