/** Springs from a vertex to a point. */
import { describe, expect, it } from 'vitest'
import { fieldHalfSpace } from '../../../src/index.js'
import { type ReducedBody, ReducedWorld } from '../../../src/sim/index.js'
import { box, energyOf, MASS, softBar } from './scenes.js'

const H = 1 / 60

function vertexOf(body: ReducedBody, vertex: number): Float64Array {
  const out = new Float64Array(3)
  body.vertex(vertex, out)
  return out
}

describe('a pull', () => {
  it('hangs a body below its target by its weight over the stiffness', () => {
    const body = box([], {})
    const world = new ReducedWorld([body])
    const pull = world.pull(body, 7, { stiffness: 400, damping: 40 })
    pull.target.set([0, 1, 0])
    for (let n = 0; n < 1500; n++) world.step(H)
    // It still swings a little.
    expect(Math.abs(vertexOf(body, 7)[1] - (1 - (MASS * 9.81) / 400))).toBeLessThan(2e-3)
  })

  it.each([1, 1e3, 1e6, 1e9])(
    'is stable at %d N/m: energy of the body does not grow while the target rests',
    (stiffness) => {
      const body = softBar(4, { damping: 0.01 })
      const world = new ReducedWorld([body], { gravity: [0, 0, 0] })
      const pull = world.pull(body, 0, { stiffness, damping: 0 })
      pull.target[1] += 0.1
      const energy = (): number => {
        const way = vertexOf(body, 0).map((x, i) => x - pull.target[i])
        return energyOf(body) + (stiffness / 2) * way.reduce((sum, x) => sum + x * x, 0)
      }
      const start = energy()
      for (let n = 0; n < 300; n++) {
        world.step(H)
        expect(energy()).toBeLessThan(start * 1.01)
      }
      if (stiffness > 1e5) expect(Math.hypot(...vertexOf(body, 0).map((x, i) => x - pull.target[i]))).toBeLessThan(1e-3)
    },
  )

  it('pulls no harder than its limit, and no longer once released', () => {
    const body = box()
    const world = new ReducedWorld([body], { gravity: [0, 0, 0] })
    const pull = world.pull(body, 0, { stiffness: 1e6, maxForce: 3 })
    pull.target[0] += 10
    world.step(H)
    expect(body.velocity[0]).toBeCloseTo((3 * H) / MASS, 9)
    world.release(pull)
    const speed = body.velocity[0]
    world.step(H)
    expect(body.velocity[0]).toBe(speed)
  })

  it('takes its time where the body hits something: a blow is no reason to pull twice', () => {
    const body = box()
    body.position[1] = 0.05
    body.velocity[1] = -5
    const ground = { field: fieldHalfSpace([0, 1, 0], 0) }
    const world = new ReducedWorld([body], { gravity: [0, 0, 0], friction: 0, obstacles: [ground] })
    world.pull(body, 0, { stiffness: 1e6, maxForce: 3 }).target[0] += 10
    world.step(H)
    expect(body.velocity[0]).toBeCloseTo((3 * H) / MASS, 6)
  })

  it('refuses a vertex, a target and a world that are none', () => {
    const body = box()
    const world = new ReducedWorld([body])
    expect(() => world.pull(body, 8)).toThrow('pull: vertex 8; there are 0 to 7.')
    expect(() => world.pull(box(), 0)).toThrow('pull: the body is not in this world; pass one that is.')
    expect(() => world.pull(body, 0, { stiffness: -1 })).toThrow('pull: stiffness is -1; give a positive number.')
    const pull = world.pull(body, 0)
    pull.target[1] = Number.NaN
    const before = body.position.slice()
    expect(() => world.step(H)).toThrow('pull: target value 1 is NaN; pass finite numbers.')
    expect(body.position).toEqual(before)
  })
})
