/** Nonlinear elasticity of a code: gradient, small strains, energy, large turns. */
import { describe, expect, it } from 'vitest'
import { fieldHalfSpace } from '../../../src/index.js'
import { randomStream } from '../../../src/math/random.js'
import { ReducedWorld, reducedBodyOfTets, StvkModes } from '../../../src/sim/index.js'
import { BAR, barMesh, energyOf, softBar, vibrations } from './scenes.js'

const mesh = barMesh()
const { modes, eigenvalues } = vibrations(mesh, 5)
const stvk = new StvkModes(mesh, modes, BAR)

/** The same energy, tetrahedron by tetrahedron from deformed positions. */
function energyOfTets(code: readonly number[]): number {
  const x = mesh.positions.map(
    (p, i) => p + code.reduce((sum, q, k) => sum + q * modes[k * mesh.positions.length + i], 0),
  )
  const shear = BAR.young / (2 * (1 + BAR.poisson))
  const lambda = (BAR.young * BAR.poisson) / ((1 + BAR.poisson) * (1 - 2 * BAR.poisson))
  let energy = 0
  for (let t = 0; t < mesh.tetrahedra.length; t += 4) {
    const edges = (p: Float64Array) =>
      [1, 2, 3].map((c) => [0, 1, 2].map((a) => p[3 * mesh.tetrahedra[t + c] + a] - p[3 * mesh.tetrahedra[t] + a]))
    const [rest, now] = [edges(mesh.positions), edges(x)]
    const cross = (u: number[], v: number[]) =>
      [0, 1, 2].map((i) => u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3])
    const dot = (u: number[], v: number[]) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
    const volume = dot(rest[0], cross(rest[1], rest[2]))
    // F = sum of edges times the gradients of the corners' weights.
    const b = [0, 1, 2].map((c) => cross(rest[(c + 1) % 3], rest[(c + 2) % 3]).map((value) => value / volume))
    const f = [0, 1, 2].map((i) => [0, 1, 2].map((j) => [0, 1, 2].reduce((sum, c) => sum + now[c][i] * b[c][j], 0)))
    const strain = (i: number, j: number) =>
      ([0, 1, 2].reduce((sum, k) => sum + f[k][i] * f[k][j], 0) - (i === j ? 1 : 0)) / 2
    let squared = 0
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) squared += strain(i, j) ** 2
    const trace = strain(0, 0) + strain(1, 1) + strain(2, 2)
    energy += (Math.abs(volume) / 6) * ((lambda / 2) * trace ** 2 + shear * squared)
  }
  return energy
}

/** Codes of seed 7, as large as strains of some tenths. */
const random = randomStream(7)
const codes = Array.from({ length: 4 }, () => Float64Array.from({ length: 5 }, () => 0.02 * random.between(-1, 1)))

describe('StVK modes', () => {
  it('have the energy that the tetrahedra have at the deformed positions (seed 7)', () => {
    for (const code of codes) expect(stvk.energy(code) / energyOfTets([...code])).toBeCloseTo(1, 9)
  })

  it('have the gradient that finite differences give (seed 7)', () => {
    const step = 1e-6
    for (const code of codes) {
      const gradient = stvk.gradient(code)
      const size = Math.hypot(...gradient)
      for (let k = 0; k < 5; k++) {
        const [up, down] = [code.slice(), code.slice()]
        up[k] += step
        down[k] -= step
        const difference = (stvk.energy(up) - stvk.energy(down)) / (2 * step)
        expect(Math.abs(gradient[k] - difference)).toBeLessThan(1e-7 * size)
      }
    }
  })

  it('have the stiffness that finite differences of the gradient give, and a positive one beside it (seed 7)', () => {
    const step = 1e-6
    const matrix = new Float64Array(25)
    for (const code of codes) {
      stvk.stiffness(code, code, matrix, 'exact')
      const size = Math.max(...matrix)
      for (let k = 0; k < 5; k++) {
        const [up, down] = [code.slice(), code.slice()]
        up[k] += step
        down[k] -= step
        const [a, b] = [stvk.gradient(up), stvk.gradient(down)]
        for (let i = 0; i < 5; i++) {
          expect(Math.abs(matrix[5 * i + k] - (a[i] - b[i]) / (2 * step))).toBeLessThan(1e-6 * size)
        }
      }
      stvk.stiffness(code, code, matrix, 'positive')
      for (let n = 0; n < 20; n++) {
        const x = Float64Array.from({ length: 5 }, () => random.between(-1, 1))
        let form = 0
        for (let i = 0; i < 25; i++) form += matrix[i] * x[i % 5] * x[Math.floor(i / 5)]
        expect(form).toBeGreaterThan(0)
      }
    }
  })

  it('have a mean force whose work is what the energy changes by, however far apart (seed 7)', () => {
    const force = new Float64Array(5)
    for (const [n, code] of codes.entries()) {
      const next = codes[(n + 1) % codes.length]
      stvk.meanForce(code, next, force)
      const work = force.reduce((sum, f, k) => sum + f * (next[k] - code[k]), 0)
      expect(work / (stvk.energy(next) - stvk.energy(code))).toBeCloseTo(1, 9)
    }
  })

  it('equal linear elasticity for small codes', () => {
    const code = Float64Array.of(1e-7, -2e-7, 1e-7, 3e-7, 1e-7)
    const gradient = stvk.gradient(code)
    for (let k = 0; k < 5; k++) expect(gradient[k] / (eigenvalues[k] * code[k])).toBeCloseTo(1, 4)
    const [linear, nonlinear] = [softBar(5), softBar(5, { elasticity: 'stvk' })]
    for (const body of [linear, nonlinear]) body.code.set([1e-4, 0, -1e-4, 2e-4, 0])
    const worlds = [linear, nonlinear].map((body) => new ReducedWorld([body], { gravity: [0, 0, 0] }))
    for (let n = 0; n < 30; n++) for (const world of worlds) world.step(1 / 60)
    for (let k = 0; k < 5; k++) expect(Math.abs(linear.code[k] - nonlinear.code[k])).toBeLessThan(1e-7)
  })

  it('refuse a material that is not the one of the modes', () => {
    expect(() =>
      reducedBodyOfTets({ mesh, modes, eigenvalues, material: { ...BAR, young: 3e5 } }, { elasticity: 'stvk' }),
    ).toThrow(/mode 0 has stiffness .* by its eigenvalue, .* by the material/)
  })
})

describe('a body that bends far', () => {
  it('keeps its energy to 1e-9 for 10 s, and is not what the linear one is', () => {
    const body = softBar(5, { elasticity: 'stvk' })
    const world = new ReducedWorld([body], { gravity: [0, 0, 0] })
    body.code.set([4, 2, 0, 1, 0])
    const energy = energyOf(body)
    expect(energy / energyOf(Object.assign(softBar(5), { code: body.code }))).toBeGreaterThan(1.2)
    for (let n = 0; n < 600; n++) {
      world.step(1 / 60)
      expect(Math.abs(energyOf(body) / energy - 1)).toBeLessThan(1e-9)
    }
  })

  it('keeps its energy to a millionth from a shape beyond all sense, whose steps Newton must halve', () => {
    const body = softBar(5, { elasticity: 'stvk' })
    const world = new ReducedWorld([body], { gravity: [0, 0, 0] })
    body.code.set([80, -60, 50, 90, 40])
    const energy = energyOf(body)
    for (let n = 0; n < 120; n++) {
      world.step(1 / 60)
      expect(Math.abs(energyOf(body) / energy - 1)).toBeLessThan(1e-6)
    }
  })

  it('loses energy by its damping alone, though it lies on the ground', () => {
    const body = softBar(5, { elasticity: 'stvk', damping: 0.05 })
    body.position[1] = 0.2
    body.code.set([4, 2, 0, 1, 0])
    const gravity = [0, -9.81, 0] as const
    const world = new ReducedWorld([body], { gravity, obstacles: [{ field: fieldHalfSpace([0, 1, 0], 0) }] })
    const start = energyOf(body, gravity)
    for (let n = 0; n < 180; n++) {
      world.step(1 / 60)
      expect(energyOf(body, gravity)).toBeLessThan(start * 1.001)
    }
    expect(Math.hypot(...body.velocity)).toBeLessThan(1e-3)
    const impulse = new Float64Array(3)
    world.contactImpulse(0, impulse)
    expect(impulse[1] / (body.mass * 9.81)).toBeCloseTo(1 / 60, 4)
  })
})
