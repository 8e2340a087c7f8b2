/** Bodies on the ground, on slopes and against each other. */
import { describe, expect, it } from 'vitest'
import { fieldHalfSpace, type Vec3 } from '../../../src/index.js'
import { ReducedBody, ReducedWorld, rigidMotion } from '../../../src/sim/index.js'
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

describe('hundreds of vertices that lie on the ground', () => {
  const sag = (x: number, z: number) => 0.02 * (1.5 * (x * x + z * z) - 1.1)
  const twist = (x: number, z: number) => 0.02 * x * z

  /** A plate of 21 x 21 vertices below and as many above. @param heights  its modes, for x and z from -1 to 1 [m] */
  function plate(heights: ((x: number, z: number) => number)[]): ReducedBody {
    const places = Array.from({ length: 441 }, (_, i) => [(i % 21) / 10 - 1, Math.floor(i / 21) / 10 - 1])
    const corners = [-1, 1].flatMap((side) => places.map(([x, z]) => [0.1 * x, 0.02 * side, 0.1 * z]))
    const modes = heights.flatMap((of) => [...places, ...places].flatMap(([x, z]) => [0, of(x, z), 0]))
    const [modalMasses, modalStiffness] = [1e-4, 1e-4 * (2 * Math.PI * 4) ** 2].map((value) => heights.map(() => value))
    const inertia = [2e-3, 0, 0, 0, 4e-3, 0, 0, 0, 2e-3]
    return new ReducedBody(
      {
        rest: Float64Array.from(corners.flat()),
        modes: Float64Array.from(modes),
        modalMasses,
        modalStiffness,
        mass: 1,
        inertia,
      },
      { damping: 0.2 },
    )
  }

  it('get a few rows: at rest the residual is small, and none of them goes in', () => {
    const body = plate([sag, twist])
    body.position[1] = 0.1
    body.setAngularVelocity([0.5, 0, 1])
    const world = new ReducedWorld([body], { obstacles: [ground()] })
    for (let n = 0; n < 180; n++) {
      const { rows } = world.step(H)
      // Of 441 contacts with friction, three rows each.
      expect(rows).toBeLessThan(3 * 24)
      expect(lowest(body)).toBeGreaterThan(-2e-4)
    }
    for (let n = 0; n < 30; n++) {
      expect(world.step(H).residual).toBeLessThanOrEqual(world.settings.tolerance)
      expect(lowest(body)).toBeGreaterThan(-1e-6)
    }
    expect(body.kineticEnergy).toBeLessThan(1e-8)
  })

  it('are all held, though the step begins with a few: what would go in is added', () => {
    // Sixteen bumps that come down at once: more than the first rows know of.
    const middles = Array.from({ length: 16 }, (_, i) => [(i % 4) * 0.5 - 0.75, Math.floor(i / 4) * 0.5 - 0.75])
    const body = plate(
      middles.map(
        ([x, z]) =>
          (u, w) =>
            -0.02 * Math.max(0, 1 - ((u - x) ** 2 + (w - z) ** 2) / 0.05),
      ),
    )
    body.position[1] = 0.021
    body.codeVelocity.fill(20)
    const world = new ReducedWorld([body], { obstacles: [ground()], friction: 0 })
    const { residual } = world.step(H)
    expect(residual).toBeLessThan(1e-3)
    expect(lowest(body)).toBeGreaterThan(-1e-3 * H)
    expect(lowest(body)).toBeLessThan(1e-5)
  })
})

describe('what bounces', () => {
  it('comes back with its share of the speed, and as high as that', () => {
    for (const restitution of [0.5, 1]) {
      const body = box()
      body.position.set([0, 1 + HALF[1], 0])
      const world = new ReducedWorld([body], { restitution, friction: 0, obstacles: [ground()] })
      let highest = 0
      for (let n = 0, isUp = false; n < 120; n++) {
        world.step(H)
        isUp ||= body.velocity[1] > 0
        if (isUp) highest = Math.max(highest, lowest(body))
      }
      // It turns round where it is a step before the ground, hence some cm.
      expect(Math.abs(highest - restitution ** 2)).toBeLessThan(0.08)
    }
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
