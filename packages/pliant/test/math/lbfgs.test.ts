/** Least values that are known in closed form, with and without a box. */
import { describe, expect, it } from 'vitest'
import { type Evaluate, Lbfgs } from '../../src/math/lbfgs.js'
import { randomStream } from '../../src/math/random.js'

const rosenbrock: Evaluate = ([x, y], gradient) => {
  gradient[0] = -400 * x * (y - x * x) - 2 * (1 - x)
  gradient[1] = 200 * (y - x * x)
  return 100 * (y - x * x) ** 2 + (1 - x) ** 2
}

/** 1/2 x^T A x - b^T x with A = diag + a rank one matrix. */
function quadraticOf(diagonal: number[], u: number[], b: number[]): Evaluate {
  return (x, gradient) => {
    const along = u.reduce((sum, value, k) => sum + value * x[k], 0)
    let value = (along * along) / 2
    diagonal.forEach((a, k) => {
      value += (a * x[k] * x[k]) / 2 - b[k] * x[k]
      gradient[k] = a * x[k] + u[k] * along - b[k]
    })
    return value
  }
}

describe('Lbfgs', () => {
  it('finds the least value of stiff quadratics (seed 1)', () => {
    const random = randomStream(1)
    for (let round = 0; round < 20; round++) {
      const size = 1 + random.below(30)
      const diagonal = Array.from({ length: size }, () => 10 ** random.between(0, 3))
      const u = diagonal.map(() => random.normal())
      const b = diagonal.map(() => random.normal())
      // Sherman-Morrison.
      const [db, du] = [b, u].map((v) => v.map((value, k) => value / diagonal[k]))
      const dot = (p: number[], q: number[]): number => p.reduce((sum, value, k) => sum + value * q[k], 0)
      const share = dot(u, db) / (1 + dot(u, du))
      const x = new Float64Array(size)
      const report = new Lbfgs(size, { steps: 500, tolerance: 1e-6 }).minimise(quadraticOf(diagonal, u, b), x)
      expect(report.converged).toBe(true)
      db.forEach((value, k) => {
        expect(x[k]).toBeCloseTo(value - share * du[k], 5)
      })
    }
  })

  it('follows the bent valley of Rosenbrock, in the usual number of evaluations', () => {
    const x = Float64Array.of(-1.2, 1)
    const report = new Lbfgs(2).minimise(rosenbrock, x)
    expect(report.converged).toBe(true)
    expect(x[0]).toBeCloseTo(1, 7)
    expect(x[1]).toBeCloseTo(1, 7)
    expect(report.value).toBeLessThan(1e-14)
    expect(report.evaluations).toBeLessThan(80)
  })

  it('ends on the face of a box that the least value lies behind', () => {
    // Least on x = 1/2: d/dy of (3 y + 1/2 - 2) = 0.
    const x = Float64Array.of(-1, -1)
    const box = { lower: [-1, -1], upper: [0.5, 1] }
    const report = new Lbfgs(2).minimise(quadraticOf([1, 2], [1, 1], [4, 2]), x, box)
    expect(report.converged).toBe(true)
    expect(x[0]).toBe(0.5)
    expect(x[1]).toBeCloseTo(0.5, 9)
    // Behind a corner, and from outside the box.
    const corner = Float64Array.of(7, -7)
    expect(new Lbfgs(2).minimise(quadraticOf([1, 2], [0, 0], [4, 9]), corner, box).converged).toBe(true)
    expect([...corner]).toEqual([0.5, 1])
  })

  it('solves quadratics in boxes: the optimality conditions hold (seed 2)', () => {
    const random = randomStream(2)
    let held = 0
    for (let round = 0; round < 30; round++) {
      const size = 2 + random.below(20)
      const diagonal = Array.from({ length: size }, () => 10 ** random.between(0, 2))
      const evaluate = quadraticOf(
        diagonal,
        diagonal.map(() => random.normal()),
        diagonal.map((a) => a * random.normal()),
      )
      const box = { lower: diagonal.map(() => -0.5), upper: diagonal.map(() => 0.5) }
      const x = Float64Array.from(diagonal, () => random.between(-0.5, 0.5))
      const report = new Lbfgs(size, { steps: 500, tolerance: 1e-6 }).minimise(evaluate, x, box)
      expect(report.converged).toBe(true)
      const gradient = new Float64Array(size)
      evaluate(x, gradient)
      x.forEach((value, k) => {
        expect(Math.abs(value)).toBeLessThanOrEqual(0.5)
        if (Math.abs(value) < 0.5) expect(Math.abs(gradient[k])).toBeLessThan(1.01e-6)
        else {
          held++
          expect(gradient[k] * value).toBeLessThanOrEqual(1e-6)
        }
      })
    }
    expect(held).toBeGreaterThan(50)
  })

  it('leaves a start that is best as it is, asked once', () => {
    const x = Float64Array.of(1, 1)
    expect(new Lbfgs(2).minimise(rosenbrock, x)).toMatchObject({ steps: 0, evaluations: 1, converged: true })
    expect([...x]).toEqual([1, 1])
  })

  it('gives up where there is no number, or nothing to gain', () => {
    const nowhere: Evaluate = (_, gradient) => {
      gradient.fill(Number.NaN)
      return Number.NaN
    }
    expect(new Lbfgs(1).minimise(nowhere, Float64Array.of(1))).toMatchObject({ steps: 0, converged: false })
    // The gradient lies: every step goes up.
    const lying: Evaluate = ([x], gradient) => {
      gradient[0] = -1
      return x
    }
    const x = Float64Array.of(2)
    expect(new Lbfgs(1).minimise(lying, x).converged).toBe(false)
    expect(x[0]).toBeCloseTo(2, 12)
  })

  it('goes on where the slope does: out of where the function bends the other way, from a tiny first step', () => {
    const pit: Evaluate = ([x], gradient) => {
      gradient[0] = (2 * x) / (1 + x * x) ** 2
      return -1 / (1 + x * x)
    }
    const x = Float64Array.of(3)
    expect(new Lbfgs(1).minimise(pit, x, undefined, 1e-3).converged).toBe(true)
    expect(x[0]).toBeCloseTo(0, 7)
  })

  it('steps back from where the function has no value', () => {
    // -log(1 - x) - 3x is least at 2/3 and ends at 1; the first step leads beyond.
    const barrier: Evaluate = ([x], gradient) => {
      gradient[0] = 1 / (1 - x) - 3
      return x < 1 ? -Math.log(1 - x) - 3 * x : Number.NaN
    }
    const x = Float64Array.of(0)
    expect(new Lbfgs(1).minimise(barrier, x, undefined, 5).converged).toBe(true)
    expect(x[0]).toBeCloseTo(2 / 3, 7)
  })

  it('is the same again, whatever it did before', () => {
    const solver = new Lbfgs(2)
    const first = Float64Array.of(-1.2, 1)
    const report = solver.minimise(rosenbrock, first)
    solver.minimise(quadraticOf([1, 2], [1, 1], [4, 2]), Float64Array.of(3, 3), { lower: [-1, -1], upper: [1, 1] })
    const again = Float64Array.of(-1.2, 1)
    expect(solver.minimise(rosenbrock, again)).toEqual(report)
    expect(again).toEqual(first)
  })
})
