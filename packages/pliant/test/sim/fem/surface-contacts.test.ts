/** Elastic bodies on what is thinner than their triangles: contacts between the nodes of the surface. */
import { describe, expect, it } from 'vitest'
import { fieldCapsule, type SignedField } from '../../../src/index.js'
import { FemContacts } from '../../../src/sim/fem/fem-contacts.js'
import { NewtonStepper } from '../../../src/sim/fem/newton-stepper.js'
import { FemBody, rigidMotion } from '../../../src/sim/index.js'
import { piercedTriangles } from '../pierced.js'
import { bar, nodesAt } from './bars.js'

const FRAME = 1 / 60
const CONTACTS = ['points', 'surface'] as const
const RADIUS = 0.01
const FOOT = [0.163, -2, 0.157] as const
const TOP = [0.163, -RADIUS, 0.157] as const
const POLE = fieldCapsule(FOOT, TOP, RADIUS)

/** A cube of 30 cm with 7.5 cm between nodes, 3 cm above the ground. */
function cube(contact: 'points' | 'surface', options = {}): FemBody {
  const mesh = bar([0.3, 0.3, 0.3], [4, 4, 4])
  for (let i = 1; i < mesh.positions.length; i += 3) mesh.positions[i] += 0.03
  return new FemBody(mesh, { contact, material: { young: 5e4, density: 300 }, ...options })
}

const surfaceOf = ({ surface }: FemBody): Uint32Array => surface.triangles.map((v) => surface.nodeOfVertex[v])

const WAYS = {
  'linearly implicit': (body: FemBody) => (dt: number) => body.step(dt),
  'fully implicit': (body: FemBody) => {
    const stepper = new NewtonStepper(body)
    return (dt: number) => stepper.step(dt)
  },
}

describe.each(Object.entries(WAYS))('%s Euler', (name, stepperOf) => {
  const scenes: Record<string, { field: SignedField; ends: readonly (readonly number[])[] }> = {
    pole: { field: POLE, ends: [FOOT, TOP] },
    bar: {
      field: fieldCapsule([-2, -RADIUS, 0.163], [2, -RADIUS, 0.163], RADIUS),
      ends: [
        [-2, -RADIUS, 0.163],
        [2, -RADIUS, 0.163],
      ],
    },
  }
  for (const [scene, { field, ends }] of Object.entries(scenes)) {
    it(`a ${scene} comes into a body that is pressed on it by nodes alone, and not by its surface`, () => {
      const [points, surface] = CONTACTS.map((contact) => {
        const body = cube(contact, { obstacles: [{ field }] })
        const top = nodesAt({ positions: body.positions, tetrahedra: new Uint32Array(0) }, 1, 0.33)
        body.pin(top)
        const targets = Float64Array.from(top.flatMap((node) => [...body.positions.subarray(3 * node, 3 * node + 3)]))
        const step = stepperOf(body)
        let most = 0
        for (let frame = 0; frame < (name === 'fully implicit' ? 15 : 60); frame++) {
          // 4.5 cm in half a second; what is 3 cm above at first is pressed by 1.5.
          const share = name === 'fully implicit' ? 0.003 : 0.0015
          if (frame * share < 0.045) for (let i = 1; i < targets.length; i += 3) targets[i] -= share
          body.movePinned(targets)
          step(FRAME)
          most = Math.max(most, piercedTriangles(body.positions, surfaceOf(body), ends[0], ends[1]))
        }
        return most
      })
      expect(points).toBeGreaterThan(0)
      expect(surface).toBe(0)
    })
  }
})

describe('forces between nodes', () => {
  const contactsOf = (body: FemBody, field: SignedField, friction: number): FemContacts => {
    const settings = { stiffness: 1e6, friction, slipSpeed: 0.01, contact: 'surface' } as const
    const contacts = new FemContacts(body.surface, body.nodeCount, settings)
    contacts.setObstacles([{ field }])
    return contacts
  }

  it('push along the normal with no moment about the place, and stiffen nodes by as much in all', () => {
    const body = cube('surface')
    const { positions: x } = body
    // The pole's tip is 4 mm in the lower side.
    for (let i = 1; i < x.length; i += 3) x[i] -= 0.034
    const tip = [0.2, -RADIUS, 0.16] as const
    // Its edges are more than the pole's radius away.
    const contacts = contactsOf(body, fieldCapsule([0.2, -2, 0.16], tip, RADIUS), 0)
    const [forces, blocks] = [new Float64Array(x.length), new Float64Array(2 * x.length)]
    contacts.addLinearForces(x, new Float64Array(x.length), [0, 0, 0], FRAME, FRAME, forces, blocks)
    const [sum, moment] = [
      [0, 0, 0],
      [0, 0, 0],
    ]
    let stiffness = 0
    for (let i = 0; i < x.length; i += 3) {
      const r = [x[i] - tip[0], x[i + 1] + 0.004, x[i + 2] - tip[2]]
      const f = forces.subarray(i, i + 3)
      for (let axis = 0; axis < 3; axis++) sum[axis] += f[axis]
      moment[0] += r[1] * f[2] - r[2] * f[1]
      moment[1] += r[2] * f[0] - r[0] * f[2]
      moment[2] += r[0] * f[1] - r[1] * f[0]
      stiffness += blocks[2 * i + 3]
    }
    expect(sum[1]).toBeGreaterThan(1)
    expect(Math.hypot(sum[0], sum[2])).toBeLessThan(1e-9 * sum[1])
    // As deep as the pole is in, to what triangles are searched to.
    expect(sum[1] / stiffness).toBeCloseTo(0.004, 4)
    expect(Math.hypot(...moment) / sum[1]).toBeLessThan(2e-3)
  })

  it('are minus the gradient of their energy, friction included, wherever the body goes in the step', () => {
    const body = cube('surface')
    const { positions: x } = body
    for (let i = 1; i < x.length; i += 3) x[i] -= 0.034
    const contacts = contactsOf(body, POLE, 0.5)
    const start = x.slice()
    contacts.begin(start, new Float64Array(x.length), FRAME)
    for (let i = 0; i < x.length; i++) x[i] += 2e-4 * Math.sin(7 * i)
    const forces = new Float64Array(x.length)
    contacts.addForces(x, start, forces)
    const largest = Math.max(...forces.map(Math.abs))
    expect(largest).toBeGreaterThan(1)
    const h = 1e-7
    for (let i = 0; i < x.length; i++) {
      if (forces[i] === 0 && i % 7 > 0) continue
      const at = x[i]
      x[i] = at + h
      const above = contacts.energy(x, start)
      x[i] = at - h
      const below = contacts.energy(x, start)
      x[i] = at
      expect(Math.abs(forces[i] + (above - below) / (2 * h))).toBeLessThan(1e-4 * largest)
    }
  })
})

describe('a long step by Newton', () => {
  it('meets between nodes what is about as near as nodes lie apart when it begins, though nothing moves yet', () => {
    const body = cube('surface', { obstacles: [{ field: POLE }], gravity: [0, 0, 0] })
    const top = nodesAt({ positions: body.positions, tetrahedra: new Uint32Array(0) }, 1, 0.33)
    body.pin(top)
    const targets = Float64Array.from(top.flatMap((node) => [...body.positions.subarray(3 * node, 3 * node + 3)]))
    // From 3 cm above to 3 mm into it.
    for (let i = 1; i < targets.length; i += 3) targets[i] -= 0.033
    body.movePinned(targets)
    new NewtonStepper(body).step(10)
    expect(body.contacts.depthEnergy(body.positions)).toBeGreaterThan(0)
    expect(piercedTriangles(body.positions, surfaceOf(body), FOOT, TOP)).toBe(0)
  })
})

describe('an obstacle that moves', () => {
  it('is met between nodes where it is on its way: a pole that rises carries the body', () => {
    const body = cube('surface', { gravity: [0, 0, 0] })
    // In a frame it goes further than it is thick.
    const rise = 2
    for (let frame = 0; frame < 12; frame++) {
      const up = rise * FRAME * (frame + 1)
      const field = fieldCapsule([0.15, up - 2, 0.155], [0.15, up - RADIUS, 0.155], RADIUS)
      body.setObstacles([{ field, motion: rigidMotion([0, rise, 0]) }])
      body.step(FRAME)
    }
    const up = rise * FRAME * 12
    const ends = [up - 2, up - RADIUS].map((y) => [0.15, y, 0.155])
    expect(piercedTriangles(body.positions, surfaceOf(body), ends[0], ends[1])).toBe(0)
    // It is faster than the pole by a little: soft contacts throw.
    let momentum = 0
    body.masses.forEach((mass, node) => {
      momentum += mass * body.velocities[3 * node + 1]
    })
    expect(momentum / body.totalMass).toBeGreaterThan(rise / 2)
    expect(momentum / body.totalMass).toBeLessThan(2 * rise)
  })
})
