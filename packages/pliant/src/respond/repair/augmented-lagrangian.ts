/**
 * The least of an objective over codes where some constraints hold, g_i <= 0: the augmented Lagrangian by which Tan et al.
 * (Eq. 1) handle collisions, L = E + sum of (max(0, l_i + r g_i)^2 - l_i^2) / 2r, its inner minima by L-BFGS in the box of
 * codes. The schedule is the usual one; the paper says none.
 */
import { type Evaluate, Lbfgs } from '../../math/lbfgs.js'
import type { CodeBox } from './code-search.js'

/** Constraints on a code, all wanted at zero or below. */
export interface Constraints {
  readonly count: number
  /**
   * @param values     receives `count` values
   * @param gradients  receives their gradients by the code, one after the other
   */
  evaluate(code: Float64Array, values: Float64Array, gradients: Float64Array): void
}

/** How constraints are weighed, and when an augmented Lagrangian gives up. */
export interface LagrangianSettings {
  /** Weight that violation begins with. */
  weight: number
  /** By how much it grows, above one. */
  weightGrowth: number
  /** Where that ends. */
  mostWeight: number
  /** It grows where an outer iteration shrank the violation by less than this, above one. */
  shrink: number
  /** Outer iterations at most. */
  outer: number
  /** Steps of L-BFGS in each at most. */
  inner: number
  /** Changes that L-BFGS remembers. */
  memory: number
}

export interface LagrangianReport {
  outerIterations: number
  evaluations: number
  /** Largest constraint at the result; zero if all hold. */
  violation: number
  /** Whether all hold to the tolerance, and none holds the code back that it need not. */
  converged: boolean
}

/** Of the augmented Lagrangian's gradient, and of its value: what networks in single precision can resolve. */
const SLOPE = 1e-5
const GAIN = 1e-9
/** The first step of an inner minimisation to try [unit of the code], before the curvature is known. */
const FIRST_STEP = 0.05

/** Room for solves of one size. */
export class AugmentedLagrangian {
  readonly #solver: Lbfgs
  readonly #values: Float64Array
  readonly #gradients: Float64Array
  readonly #multipliers: Float64Array

  constructor(
    readonly size: number,
    readonly constraints: Constraints,
    readonly settings: LagrangianSettings,
  ) {
    const { inner: steps, memory } = settings
    this.#solver = new Lbfgs(size, { steps, memory, tolerance: SLOPE, gain: GAIN })
    this.#values = new Float64Array(constraints.count)
    this.#gradients = new Float64Array(constraints.count * size)
    this.#multipliers = new Float64Array(constraints.count)
  }

  /**
   * @param code       where to begin; is moved to the result
   * @param tolerance  of the constraints
   */
  solve(objective: Evaluate, code: Float64Array, box: CodeBox | undefined, tolerance: number): LagrangianReport {
    const { weightGrowth, mostWeight, shrink, outer } = this.settings
    const [values, gradients, multipliers] = [this.#values, this.#gradients, this.#multipliers.fill(0)]
    const { count } = this.constraints
    let weight = this.settings.weight
    const lagrangian: Evaluate = (at, gradient) => {
      let sum = objective(at, gradient)
      this.constraints.evaluate(at, values, gradients)
      for (let i = 0; i < count; i++) {
        const push = Math.max(0, multipliers[i] + weight * values[i])
        sum += (push * push - multipliers[i] * multipliers[i]) / (2 * weight)
        if (push === 0) continue
        for (let k = 0; k < this.size; k++) gradient[k] += push * gradients[i * this.size + k]
      }
      return sum
    }
    const report = { outerIterations: 0, evaluations: 0, violation: Infinity, converged: false }
    let last = Infinity
    while (report.outerIterations < outer && !report.converged) {
      report.outerIterations++
      report.evaluations += this.#solver.minimise(lagrangian, code, box, FIRST_STEP).evaluations + 1
      this.constraints.evaluate(code, values, gradients)
      // A constraint is off by what it is violated, or by what it still pushes where it holds with room to spare.
      let off = 0
      report.violation = 0
      for (let i = 0; i < count; i++) {
        off = Math.max(off, Math.abs(Math.max(values[i], -multipliers[i] / weight)))
        report.violation = Math.max(report.violation, values[i])
        multipliers[i] = Math.max(0, multipliers[i] + weight * values[i])
      }
      report.converged = off <= tolerance
      if (!(off < last / shrink)) weight = Math.min(mostWeight, weightGrowth * weight)
      last = off
    }
    return report
  }
}
