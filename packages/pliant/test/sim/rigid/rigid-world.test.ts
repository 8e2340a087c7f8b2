import { describe, expect, it } from 'vitest'
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
