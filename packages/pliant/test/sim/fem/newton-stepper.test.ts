import { describe, expect, it } from 'vitest'
import { fieldHalfSpace, randomStream } from '../../../src/index.js'
import { femEnergy, femMomentum, invertedTets } from '../../../src/sim/fem/fem-energy.js'
import { NewtonStepper } from '../../../src/sim/fem/newton-stepper.js'
import { FemBody } from '../../../src/sim/index.js'
import { bar, nodesAt, tumblingBar } from './bars.js'

const STATIC = { tolerance: 1e-9, solverTolerance: 1e-8, solverIterations: 5000 } as const
const still = { gravity: [0, 0, 0] } as const

describe('fully implicit Euler', () => {
  it.each([0, 0.3, 0.45])('stretches a bar by Young and thins it by Poisson (%d)', (poisson) => {
    const mesh = bar([0.4, 0.1, 0.1], [4, 2, 2])
    const young = 1e5
    const body = new FemBody(mesh, { ...still, material: { young, poisson, stiffnessDamping: 0 } })
    const strain = 1e-4
    pull(body, young * strain * 0.1 * 0.1)
    // Free in space: long enough that inertia counts for 2e-5, short enough that it still holds rigid motion.
    const { iterations } = new NewtonStepper(body).step(10, STATIC)
    // Trimming stiffness that needed none once took 167 iterations without Poisson's effect.
    expect(iterations).toBeLessThan(10)
    const [length, width] = [0, 1].map((axis) => extent(body.positions, axis))
    expect((length / 0.4 - 1) / strain).toBeCloseTo(1, 2)
    expect((width / 0.1 - 1) / strain).toBeCloseTo(-poisson, 2)
  })

  it('bends a cantilever as Timoshenko says, within 5%: 72 x 12 x 4 cells of six linear tetrahedra', () => {
    const [long, thick, wide] = [0.6, 0.1, 0.1 / 3]
    const [young, poisson] = [1e6, 0.3]
    const mesh = bar([long, thick, wide], [72, 12, 4])
    const body = new FemBody(mesh, { ...still, material: { young, poisson, stiffnessDamping: 0 } })
    body.pin(nodesAt(mesh, 0, 0))
    const tip = nodesAt(mesh, 0, long)
    const load = 0.03
    for (const node of tip) body.forces[3 * node + 1] = -load / tip.length
    new NewtonStepper(body).step(1e3, { ...STATIC, tolerance: 1e-6, solverTolerance: 1e-5 })
    const sag = tip.reduce((sum, node) => sum + mesh.positions[3 * node + 1] - body.positions[3 * node + 1], 0)
    const inertia = (wide * thick ** 3) / 12
    const shear = young / (2 * (1 + poisson))
    const theory = (load * long ** 3) / (3 * young * inertia) + (load * long) / ((5 / 6) * shear * thick * wide)
    expect(theory / long).toBeLessThan(0.01)
    expect(Math.abs(sag / tip.length / theory - 1)).toBeLessThan(0.05)
  })

  it('passes the patch test: affine on the boundary is affine inside, on an irregular mesh', () => {
    const mesh = bar([1, 1, 1], [3, 3, 3])
    const random = randomStream(3)
    const inner: number[] = []
    const outer: number[] = []
    for (let node = 0; node < mesh.positions.length / 3; node++) {
      const inside = [0, 1, 2].every((axis) => Math.abs(mesh.positions[3 * node + axis] - 0.5) < 0.4)
      ;(inside ? inner : outer).push(node)
      if (inside) for (let axis = 0; axis < 3; axis++) mesh.positions[3 * node + axis] += random.between(-0.08, 0.08)
    }
    const affine = (x: number, y: number, z: number) => [1.1 * x + 0.1 * y, 0.95 * y - 0.05 * z, 0.2 * x + 1.05 * z]
    const body = new FemBody(mesh, { ...still, material: { poisson: 0.4, stiffnessDamping: 0 } })
    body.pin(outer)
    body.movePinned(Float64Array.from(outer.flatMap((node) => affine(...at(mesh.positions, node)))))
    new NewtonStepper(body).step(1e3, STATIC)
    expect(inner.length).toBe(8)
    for (const node of inner) {
      const wanted = affine(...at(mesh.positions, node))
      for (let axis = 0; axis < 3; axis++) expect(body.positions[3 * node + axis]).toBeCloseTo(wanted[axis], 8)
    }
  })

  it('converges quadratically near the solution', () => {
    const mesh = bar([1, 1, 1], [3, 3, 3])
    const body = new FemBody(mesh, { ...still, material: { young: 1e5, poisson: 0.4, stiffnessDamping: 0 } })
    const { vertexOfNode } = body.surface
    // Blown up by 5%, so that no stiffness needs projecting, which would cost the last digits' speed.
    const pins = Array.from(vertexOfNode.keys()).filter((node) => vertexOfNode[node] >= 0)
    body.pin(pins)
    body.movePinned(Float64Array.from(pins.flatMap((node) => at(mesh.positions, node).map((value) => 1.05 * value))))
    const random = randomStream(8)
    for (let i = 0; i < body.forces.length; i++) body.forces[i] = random.between(-1000, 1000)
    const { moves } = new NewtonStepper(body).step(1e3, { ...STATIC, tolerance: 1e-13, solverTolerance: 1e-13 })
    const late = moves.filter((move) => move < 0.05 && move > 1e-10)
    expect(late.length).toBeGreaterThanOrEqual(3)
    // Digits double: each move is no more than a few times the square of the one before, in units of an element.
    for (let i = 1; i < late.length; i++) expect(late[i]).toBeLessThan(10 * late[i - 1] ** 2 + 1e-13)
  })

  it('keeps the momentum of a free body, and loses energy', () => {
    const body = tumblingBar()
    const stepper = new NewtonStepper(body)
    const before = femMomentum(body).linear
    const scale = body.masses.reduce((sum, mass) => sum + mass)
    let energy = femEnergy(body).total
    for (let n = 0; n < 30; n++) {
      stepper.step(1 / 100)
      const now = femEnergy(body).total
      expect(now).toBeLessThan(energy)
      energy = now
    }
    femMomentum(body).linear.forEach((value, axis) => {
      expect(Math.abs(value - before[axis]) / scale).toBeLessThan(1e-6)
    })
  })

  it('falls freely at g, by its own first-order rule', () => {
    const body = new FemBody(bar([0.1, 0.1, 0.1], [1, 1, 1]))
    const stepper = new NewtonStepper(body)
    for (let n = 0; n < 10; n++) stepper.step(0.01)
    const mass = body.masses.reduce((sum, value) => sum + value)
    expect(femMomentum(body).linear[1] / mass).toBeCloseTo(-0.981, 9)
    expect(body.positions[1]).toBeCloseTo(-9.81 * 0.01 ** 2 * 55, 5)
  })

  it('rests on the ground with friction, and slides off a slope without', () => {
    const lean = [0.5, Math.sqrt(0.75), 0] as const
    const speeds = [2, 0].map((friction) => {
      const body = new FemBody(bar([0.2, 0.1, 0.2], [2, 1, 2]), {
        material: { young: 1e5, stiffnessDamping: 0.02 },
        obstacles: [{ field: fieldHalfSpace(lean, 0) }],
        friction,
      })
      turnOnto(body, lean)
      const stepper = new NewtonStepper(body)
      for (let n = 0; n < 40; n++) stepper.step(0.01)
      expect(body.contacts.deepest(body.positions)).toBeLessThan(0.005)
      return Math.hypot(...femMomentum(body).linear) / body.masses.reduce((sum, mass) => sum + mass)
    })
    expect(speeds[0]).toBeLessThan(0.02)
    expect(speeds[1]).toBeCloseTo(9.81 * 0.5 * 0.4, 1)
  })

  it('finds the way back from inside out', () => {
    const mesh = bar([0.2, 0.2, 0.2], [2, 2, 2])
    const body = new FemBody(mesh, { ...still, material: { poisson: 0.45 } })
    for (let i = 0; i < body.positions.length; i += 3) body.positions[i] *= -1
    expect(invertedTets(mesh, body.positions).length).toBe(mesh.tetrahedra.length / 4)
    const random = randomStream(1)
    for (let i = 0; i < body.positions.length; i++) body.positions[i] += random.between(-0.01, 0.01)
    const stepper = new NewtonStepper(body)
    for (let n = 0; n < 60; n++) stepper.step(0.05)
    expect(invertedTets(mesh, body.positions)).toEqual([])
    expect(femEnergy(body).elastic).toBeLessThan(1e-3)
  })

  it('refuses steps and forces that are no numbers, and survives steps far too long', () => {
    const body = new FemBody(bar([0.1, 0.1, 0.1], [1, 1, 1]))
    const stepper = new NewtonStepper(body)
    expect(() => stepper.step(Number.NaN)).toThrow(/lasts NaN/)
    expect(() => stepper.step(0)).toThrow(/lasts 0/)
    body.forces[4] = Number.NaN
    expect(() => stepper.step(0.01)).toThrow(/force of node 1 is NaN/)
    body.forces[4] = 0
    stepper.step(1e4)
    expect(body.positions.every(Number.isFinite)).toBe(true)
  })
})

/** Pulls a bar at its ends along x with a force spread as linear tetrahedra have it: by area. */
function pull(body: FemBody, force: number): void {
  const { positions: p, triangles, nodeOfVertex } = body.surface
  const ends = [Math.min(...p.filter((_, i) => i % 3 === 0)), Math.max(...p.filter((_, i) => i % 3 === 0))]
  const shares = new Float64Array(body.nodeCount)
  let area = 0
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [...triangles.subarray(t, t + 3)]
    const end = ends.find((x) => corners.every((v) => Math.abs(p[3 * v] - x) < 1e-9))
    if (end === undefined) continue
    const [a, b, c] = corners.map((v) => [p[3 * v + 1], p[3 * v + 2]])
    const own = Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2
    if (end === ends[1]) area += own
    for (const v of corners) shares[nodeOfVertex[v]] += ((end === ends[1] ? 1 : -1) * own) / 3
  }
  for (let node = 0; node < body.nodeCount; node++) body.forces[3 * node] = (force * shares[node]) / area
}

function extent(positions: Float64Array, axis: number): number {
  const values = positions.filter((_, i) => i % 3 === axis)
  return Math.max(...values) - Math.min(...values)
}

function at(positions: Float64Array, node: number): [number, number, number] {
  return [positions[3 * node], positions[3 * node + 1], positions[3 * node + 2]]
}

/** Lays a body that stands on y = 0 onto a plane through the origin. */
function turnOnto(body: FemBody, normal: readonly [number, number, number]): void {
  const { positions: p } = body
  for (let i = 0; i < p.length; i += 3) {
    const [x, y] = [p[i], p[i + 1]]
    p[i] = normal[1] * x + normal[0] * y
    p[i + 1] = -normal[0] * x + normal[1] * y
  }
}
