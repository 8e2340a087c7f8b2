import { describe, expect, it } from 'vitest'
import { BroadPhase } from '../../../src/detect/fields/broad-phase.js'
import { SolidPair } from '../../../src/detect/fields/collide.js'
import { NO_FEATURE } from '../../../src/field/contact.js'
import { box } from '../../../src/field/shapes/primitives.js'
import { RigidWorld } from '../../../src/sim/rigid/rigid-world.js'
import { BALL, CUBE, FRAME, G, GROUND, pose, run, solid } from './scenes.js'

const FREE = { gravity: [0, 0, 0] } as const

describe('one body against closed forms', () => {
  it('falls as far as gravity says, to the first order of a substep', () => {
    const world = new RigidWorld()
    const body = world.add({ solid: CUBE, pose: pose([1, 50, 2]), velocity: [3, 4, 0] })
    run(world, 1)
    const h = FRAME / world.settings.substeps
    // Substeps add up to g h^2 n (n + 1) / 2.
    expect(body.position[1]).toBeCloseTo(50 + 4 - G / 2 - (G * h) / 2, 9)
    expect(body.position[0]).toBeCloseTo(4, 12)
    expect(body.velocity[1]).toBeCloseTo(4 - G, 12)
  })

  it('spins freely with its angular momentum and energy kept, though its axis wanders', () => {
    const world = new RigidWorld(FREE)
    const body = world.add({ solid: solid(box([0.5, 0.1, 0.3])), angularVelocity: [0.1, 0.2, 4], velocity: [0, 1, 0] })
    const [momentum, energy, axis] = [body.angularMomentum(), world.energy().kinetic, body.angularVelocity.slice()]
    run(world, 10)
    const after = body.angularMomentum()
    const size = Math.hypot(...momentum)
    for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - momentum[k]) / size).toBeLessThan(1e-9)
    expect(Math.abs(world.energy().kinetic / energy - 1)).toBeLessThan(1e-9)
    expect(Math.hypot(...axis.map((value, k) => value - body.angularVelocity[k]))).toBeGreaterThan(0.05)
  })

  it('slides with a deceleration of mu g, then rests', () => {
    const world = new RigidWorld()
    world.add({ solid: GROUND, fixed: true, friction: 0.3 })
    const block = world.add({ solid: CUBE, pose: pose([0, 0.5, 0]), friction: 0.3, velocity: [2, 0, 0] })
    run(world, 0.4)
    expect(block.velocity[0]).toBeCloseTo(2 - 0.3 * G * 0.4, 2)
    run(world, 0.6)
    expect(Math.abs(block.position[0] / (4 / (2 * 0.3 * G)) - 1)).toBeLessThan(0.02)
    expect(Math.hypot(...block.velocity)).toBeLessThan(1e-4)
  })

  it('sticks on a slope below the angle of friction, and slides above it', () => {
    const angle = (20 * Math.PI) / 180
    const moved = [0.4, 0.3].map((friction) => {
      const world = new RigidWorld()
      world.add({ solid: GROUND, fixed: true, friction, pose: pose([0, 0, 0], [0, 0, angle]) })
      const block = world.add({
        solid: CUBE,
        pose: pose([-0.5 * Math.sin(angle), 0.5 * Math.cos(angle), 0], [0, 0, angle]),
        friction,
      })
      const before = block.position.slice()
      run(world, 1)
      return Math.hypot(...before.map((value, k) => value - block.position[k]))
    })
    // tan 20 degrees is .364.
    expect(moved[0]).toBeLessThan(2e-4)
    const slid = (G * (Math.sin(angle) - 0.3 * Math.cos(angle))) / 2
    expect(Math.abs(moved[1] / slid - 1)).toBeLessThan(0.03)
  })

  it.each([0.5, 0.8])('bounces to e^2 of its height, e = %s', (restitution) => {
    const world = new RigidWorld()
    world.add({ solid: GROUND, fixed: true })
    const ball = world.add({ solid: BALL, pose: pose([0, 1.5, 0]), restitution })
    let [highest, hasHit] = [0, false]
    for (let frame = 0; frame < 90; frame++) {
      world.step(FRAME)
      hasHit ||= ball.velocity[1] > 0
      if (hasHit) highest = Math.max(highest, ball.position[1] - 0.5)
    }
    expect(Math.abs(highest - restitution ** 2)).toBeLessThan(0.02)
  })

  it('does not pass through a slab thinner than its way in a step', () => {
    const world = new RigidWorld()
    world.add({ solid: solid(box([1, 0.1, 1])), fixed: true })
    const ball = world.add({ solid: BALL, pose: pose([0.2, 3, 0.1]), velocity: [0, -60, 0] })
    run(world, 0.5)
    expect(ball.position[1]).toBeGreaterThan(0.595)
  })
})

describe('two bodies', () => {
  it('swap velocities head on without loss, and go on together with all of it', () => {
    for (const restitution of [1, 0]) {
      const world = new RigidWorld(FREE)
      const [a, b] = [-1, 1].map((side) =>
        world.add({
          solid: BALL,
          pose: pose([side, 0, 0]),
          velocity: [side < 0 ? 3 : 1, 0, 0],
          restitution,
          friction: 0,
        }),
      )
      run(world, 1.5)
      expect(a.velocity[0]).toBeCloseTo(restitution === 1 ? 1 : 2, 6)
      expect(b.velocity[0]).toBeCloseTo(restitution === 1 ? 3 : 2, 6)
    }
  })

  it('keep momentum and angular momentum through a collision beside their middles', () => {
    const world = new RigidWorld(FREE)
    const bodies = [
      world.add({
        solid: CUBE,
        density: 500,
        pose: pose([-1, 0, 0], [0.3, 0.2, 0.1]),
        velocity: [2, 0, 0],
        angularVelocity: [0, 1, 2],
      }),
      world.add({ solid: solid(box([0.3, 0.6, 0.2])), pose: pose([1, 0.3, 0.2]), velocity: [-1, 0.2, 0] }),
    ]
    const total = (): number[] => {
      const sums = [0, 0, 0, 0, 0, 0]
      for (const body of bodies) {
        const { mass, velocity: v, position: x } = body
        const spin = body.angularMomentum()
        for (let k = 0; k < 3; k++) {
          const [p, q] = [(k + 1) % 3, (k + 2) % 3]
          sums[k] += mass * v[k]
          sums[3 + k] += mass * (x[p] * v[q] - x[q] * v[p]) + spin[k]
        }
      }
      return sums
    }
    const [before, speed] = [total(), bodies[0].velocity[0]]
    run(world, 1)
    const after = total()
    const size = Math.hypot(...before.slice(3))
    expect(Math.abs(bodies[0].velocity[0] - speed)).toBeGreaterThan(0.5)
    for (let k = 0; k < 6; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(k < 3 ? 1e-8 : 1e-3 * size)
  })
})

describe('bodies at rest', () => {
  it('stay where they are in a stack, with their weight in the contacts', () => {
    const world = new RigidWorld()
    world.add({ solid: GROUND, fixed: true })
    const stack = [0, 1, 2].map((level) =>
      world.add({ solid: CUBE, pose: pose([0, 0.5 + level, 0], [0, 0.4 * level, 0]) }),
    )
    const before = stack.map(({ pose }) => pose.slice())
    run(world, 2)
    stack.forEach(({ pose: now }, i) => {
      expect(Math.max(...now.map((value, k) => Math.abs(value - before[i][k])))).toBeLessThan(2e-3)
    })
    const h = FRAME / world.settings.substeps
    const carried = world.contacts.map(({ points }) => points.reduce((sum, { impulses }) => sum + impulses[0], 0) / h)
    const weight = stack[0].mass * G
    for (let i = 0; i < 3; i++) expect(Math.abs(carried[i] / ((3 - i) * weight) - 1)).toBeLessThan(0.01)
  })

  it('ride on what moves under them', () => {
    const world = new RigidWorld()
    const belt = world.add({ solid: solid(box([1.2, 0.2, 0.8])), fixed: true, velocity: [0.5, 0, 0] })
    const block = world.add({ solid: CUBE, pose: pose([0, 0.7, 0]) })
    run(world, 1)
    expect(belt.position[0]).toBeCloseTo(0.5, 9)
    expect(block.velocity[0]).toBeCloseTo(0.5, 3)
  })
})

it('takes contacts of whatever finds them, also without numbers, and goes on from what they pushed', () => {
  let updates = 0
  const world = new RigidWorld(
    { iterations: 1 },
    {
      contactsOf: (a, b) => {
        const pair = new SolidPair(a, b)
        return {
          contacts: pair.contacts,
          update(poseA, poseB, gap) {
            updates++
            const list = pair.update(poseA, poseB, gap)
            list.ids.fill(NO_FEATURE)
            return list
          },
        }
      },
    },
  )
  world.add({ solid: GROUND, fixed: true })
  const block = world.add({ solid: CUBE, pose: pose([0, 0.5, 0]) })
  run(world, 0.5)
  expect(updates).toBeGreaterThanOrEqual(30)
  // With one sweep and nothing to begin from, half of the weight would be missing in each substep.
  expect(block.position[1]).toBeGreaterThan(0.4995)
  expect(Math.abs(block.velocity[1])).toBeLessThan(1e-4)
})

describe('what contacts are left as', () => {
  it('holds a block on a slope: forces are its weight, and friction is the share of it along the slope', () => {
    const angle = 0.3
    const world = new RigidWorld({ substeps: 2 })
    world.add({ solid: GROUND, fixed: true, pose: pose([0, 0, 0], [0, 0, angle]) })
    const at = [-0.499 * Math.sin(angle), 0.499 * Math.cos(angle), 0]
    const block = world.add({ solid: CUBE, pose: pose(at, [0, 0, angle]) })
    run(world, 2)
    const [pair] = world.contacts
    const contacts = pair.solved()
    expect(contacts.length).toBe(pair.contacts.count)
    // The ground was added first, so that it is A, and normals point out of it.
    const normal = [-Math.sin(angle), Math.cos(angle), 0]
    const force = [0, 0, 0]
    let pressing = 0
    for (const contact of contacts) {
      contact.normal.forEach((value, k) => {
        expect(value).toBeCloseTo(normal[k], 3)
        force[k] += (contact.impulse[k] * world.settings.substeps) / FRAME
        pressing += (value * contact.impulse[k] * world.settings.substeps) / FRAME
      })
      const above = contact.point[0] * normal[0] + contact.point[1] * normal[1]
      expect(Math.abs(above), 'on the ground').toBeLessThan(1e-3)
      expect(contact.separation).toBeLessThan(1e-4)
      expect(contact.separation).toBeGreaterThan(-1e-3)
    }
    const weight = block.mass * G
    expect(Math.hypot(force[0], force[1] - weight, force[2]) / weight).toBeLessThan(0.02)
    expect(pressing / weight).toBeCloseTo(Math.cos(angle), 1)
  })

  it('is told of bodies where they are, not where contacts were looked for', () => {
    const world = new RigidWorld()
    world.add({ solid: GROUND, fixed: true })
    const ball = world.add({ solid: BALL, pose: pose([0, 0.52, 0]), velocity: [0, -0.3, 0] })
    world.step(FRAME)
    const [{ separation, point }] = world.contacts[0].solved()
    expect(separation).toBeCloseTo(ball.position[1] - 0.5, 3)
    expect(point[1]).toBeCloseTo(0, 3)
  })
})

describe('a pull', () => {
  const far = [1.4, 2.2, -0.6]

  it('brings a point of a body to its target and holds it there, with the centre of mass below', () => {
    const world = new RigidWorld()
    const body = world.add({ solid: CUBE, pose: pose([0, 2, 0], [0.3, 0.2, 0.5]) })
    const pull = world.pull(body, [0.5, 0.5, 0.5])
    const at = pull.point(new Float64Array(3))
    expect([...pull.target], 'at first where it is').toEqual([...at])
    pull.target.set(far)
    for (let frame = 0; frame < 600; frame++) {
      world.step(FRAME)
      for (let k = 0; k < 3; k++) body.angularVelocity[k] *= 0.9
    }
    pull.point(at)
    // A spring of 4 Hz gives by g / (2 pi 4)^2 under a weight.
    const give = G / (2 * Math.PI * 4) ** 2
    expect(Math.hypot(at[0] - far[0], at[1] + give - far[1], at[2] - far[2])).toBeLessThan(0.01)
    expect(body.position[1]).toBeCloseTo(at[1] - Math.hypot(0.5, 0.5, 0.5), 2)
    world.release(pull)
    world.step(FRAME)
    expect(body.velocity[1], 'falls once let go').toBeLessThan(-0.1)
  })

  it('pulls the point straight to its target, though that turns the body', () => {
    const world = new RigidWorld({ ...FREE, substeps: 1 })
    const body = world.add({ solid: solid(box([0.8, 0.1, 0.1])) })
    const corner = [0.8, 0.1, 0.1]
    const pull = world.pull(body, corner)
    const way = [0.02, 0.04, -0.02]
    way.forEach((value, k) => {
      pull.target[k] += value
    })
    world.step(1e-3)
    const [v, w] = [body.velocity, body.angularVelocity]
    const speed = [0, 1, 2].map((k) => {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3]
      return v[k] + w[i] * corner[j] - w[j] * corner[i]
    })
    const along = speed.reduce((sum, value, k) => sum + value * way[k], 0) / Math.hypot(...way)
    expect(along).toBeGreaterThan(0.02)
    expect(along / Math.hypot(...speed)).toBeGreaterThan(0.9999)
  })

  it('is no stronger than it may be, and not through what is in the way', () => {
    const world = new RigidWorld()
    const slab = world.add({ solid: solid(box([2, 0.2, 2])), fixed: true })
    const body = world.add({ solid: CUBE, pose: pose([0, 0.7, 0]) })
    const weak = world.pull(body, [0, 0, 0], { maxForce: 0.9 * body.mass * G })
    weak.target.set([0, 5, 0])
    run(world, 0.5)
    expect(body.position[1], 'not lifted').toBeCloseTo(0.7, 2)
    world.release(weak)
    const down = world.pull(body, [0, 0, 0], { maxForce: 5 * body.mass * G })
    down.target.set([0, -3, 0])
    run(world, 0.5)
    expect(body.position[1]).toBeGreaterThan(0.69)
    expect(slab.position[1]).toBe(0)
  })

  it('ends with its body, and is refused of another world', () => {
    const world = new RigidWorld()
    const body = world.add({ solid: CUBE })
    const pull = world.pull(body, [0, 0, 0])
    world.remove(body)
    pull.target.set([Number.NaN, 0, 0])
    expect(() => world.step(FRAME)).not.toThrow()
    expect(() => world.pull(body, [0, 0, 0])).toThrow('rigid world: the body to pull is not in this world')
    const other = world.add({ solid: CUBE })
    expect(() => world.pull(other, [0, Number.NaN, 0])).toThrow('rigid pull: point value')
    expect(() => world.pull(other, [0, 0, 0], { frequency: 0 })).toThrow('frequency')
  })
})

it('finds bodies near each other by whatever is given for that', () => {
  let calls = 0
  class Counted extends BroadPhase {
    override forPairs(...words: Parameters<BroadPhase['forPairs']>): void {
      calls++
      super.forPairs(...words)
    }
  }
  const world = new RigidWorld({}, { broadPhase: new Counted() })
  world.add({ solid: GROUND, fixed: true })
  world.add({ solid: CUBE, pose: pose([0, 0.5, 0]) })
  run(world, 0.1)
  expect(calls).toBe(6)
  expect(world.contacts.length).toBe(1)
})

describe('what is refused', () => {
  it.each([
    [{ solid: GROUND }, 'rigid body: the solid has no end, so no mass; fix the body'],
    [{ solid: CUBE, mass: 0 }, 'rigid body: mass is 0; give a positive number'],
    [{ solid: CUBE, density: Number.NaN }, 'rigid body: density is NaN; give a positive number'],
    [{ solid: CUBE, friction: -1 }, 'rigid body: friction is -1; give zero or more'],
    [{ solid: CUBE, restitution: 2 }, 'rigid body: restitution is 2; give 0 to 1'],
    [{ solid: CUBE, velocity: [1, Number.NaN, 0] }, 'rigid body: velocity is'],
    [{ solid: CUBE, pose: [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1] }, 'rigid body: the pose scales by'],
    [{ solid: {} }, 'rigid body: solid is'],
  ])('a body %#', (options, message) => {
    expect(() => new RigidWorld().add(options as never)).toThrow(message)
  })

  it('a step of no time, a motion that is not finite, an option that does not exist', () => {
    const world = new RigidWorld()
    const body = world.add({ solid: CUBE })
    expect(() => world.step(0)).toThrow('rigid world: a step of 0 s; give a positive number')
    body.velocity[1] = Infinity
    expect(() => world.step(FRAME)).toThrow('rigid world: the velocity of body 0 is')
    expect(() => new RigidWorld({ substep: 1 } as never)).toThrow("rigid world: there is no option 'substep'")
    expect(() => world.remove({} as never)).toThrow('rigid world: the body is not in this world')
  })
})
