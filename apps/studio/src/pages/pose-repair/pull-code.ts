/**
 * Inverse kinematics of a grabbed vertex: the code is moved so that the vertex goes where it is pulled, by damped least
 * squares (Levenberg-Marquardt). Of all small changes of the code that do so the least is taken, in the weighted sense
 *
 *   d = W^-1 J^T (J W^-1 J^T + l I)^-1 (target - x),   W the weights of the entries
 *
 * within the box of codes: an entry that is at its end and pushed beyond is left out, and the rest does its work.
 */
import type { PosedPoints, PosedShape } from 'pliant/exact'

/** Tries in one call: each poses the vertex once and, if it came nearer, its Jacobian. */
const TRIES = 8
/** Damping as a share of the mean of the matrix's diagonal: at first, and how it changes with success or failure. */
const DAMPING = { first: 1e-3, least: 1e-6, most: 1e6, down: 0.3, up: 8 }
/** Most that an entry changes in a try [unit of the code]: Jacobians of turns hold for some tens of degrees. */
const MOST_STEP = 0.12
/** Nearer than this share of the way at first is near enough. */
const NEAR_ENOUGH = 1e-3

export class CodePull {
  readonly #points: PosedPoints
  readonly #weights: Float64Array
  readonly #place = new Float64Array(3)
  readonly #rows: readonly Float64Array[]
  readonly #step: Float64Array
  readonly #trial: Float64Array
  #damping = DAMPING.first

  /** @param weights  what each entry of the code weighs in being moved, above zero; left out, one */
  constructor(
    private readonly shape: Pick<PosedShape, 'codeSize' | 'bounds' | 'movedPoints'>,
    readonly vertex: number,
    weights?: ArrayLike<number>,
  ) {
    const { codeSize } = shape
    this.#points = shape.movedPoints([vertex])
    this.#weights = Float64Array.from({ length: codeSize }, (_, k) => weights?.[k] ?? 1)
    this.#rows = [0, 1, 2].map(() => new Float64Array(codeSize))
    this.#step = new Float64Array(codeSize)
    this.#trial = new Float64Array(codeSize)
  }

  /** Where the vertex is at a code [m]; the same array every time. */
  placeAt(code: Float64Array): Float64Array {
    this.#points.positions(code, this.#place)
    return this.#place
  }

  /**
   * Moves the code until the vertex is at the target, or as far as it gets in one call.
   * @param code    is moved; never to where the vertex is further away
   * @param target  [m]
   * @returns how far the vertex is from the target then [m]
   */
  towards(code: Float64Array, target: ArrayLike<number>): number {
    const wayFrom = (at: Float64Array): number[] => [0, 1, 2].map((axis) => target[axis] - at[axis])
    let way = wayFrom(this.placeAt(code))
    let distance = Math.hypot(...way)
    const enough = NEAR_ENOUGH * distance
    let hasMoved = true
    for (let n = 0; n < TRIES && distance > enough; n++) {
      if (hasMoved) this.#linearise(code)
      this.#solve(code, way)
      for (let k = 0; k < code.length; k++) this.#trial[k] = code[k] + this.#step[k]
      const next = wayFrom(this.placeAt(this.#trial))
      hasMoved = Math.hypot(...next) < distance
      this.#damping *= hasMoved ? DAMPING.down : DAMPING.up
      this.#damping = Math.min(Math.max(this.#damping, DAMPING.least), DAMPING.most)
      if (!hasMoved) continue
      code.set(this.#trial)
      way = next
      distance = Math.hypot(...way)
    }
    return distance
  }

  #linearise(code: Float64Array): void {
    for (const [axis, row] of this.#rows.entries()) {
      this.#points.pullBack(
        code,
        [0, 1, 2].map((other) => (other === axis ? 1 : 0)),
        row,
      )
    }
  }

  /** The step for a way [m], within the box. */
  #solve(code: Float64Array, way: readonly number[]): void {
    const { lower, upper } = this.shape.bounds
    const left = new Set<number>()
    // Each round leaves out at least one entry more.
    for (let round = 0; round <= code.length; round++) {
      this.#solveWithout(left, way)
      const before = left.size
      for (let k = 0; k < code.length; k++) {
        const goesUp = this.#step[k] > 0
        if (goesUp ? code[k] >= upper[k] : code[k] <= lower[k] && this.#step[k] < 0) left.add(k)
      }
      if (left.size === before) break
    }
    let most = 0
    for (const value of this.#step) most = Math.max(most, Math.abs(value))
    const share = Math.min(1, MOST_STEP / (most || 1))
    for (let k = 0; k < code.length; k++) {
      // A code that is outside already, such as a recording's, may stay where it is.
      const [least, greatest] = [Math.min(lower[k], code[k]), Math.max(upper[k], code[k])]
      this.#step[k] = Math.min(Math.max(code[k] + share * this.#step[k], least), greatest) - code[k]
    }
  }

  #solveWithout(left: ReadonlySet<number>, way: readonly number[]): void {
    const matrix = [0, 1, 2].map((i) =>
      [0, 1, 2].map((j) => {
        let sum = 0
        for (let k = 0; k < this.#step.length; k++) {
          if (!left.has(k)) sum += (this.#rows[i][k] * this.#rows[j][k]) / this.#weights[k]
        }
        return sum
      }),
    )
    const damping = (this.#damping * (matrix[0][0] + matrix[1][1] + matrix[2][2])) / 3
    for (let i = 0; i < 3; i++) matrix[i][i] += damping
    const force = damping > 0 ? solve3(matrix, way) : [0, 0, 0]
    for (let k = 0; k < this.#step.length; k++) {
      let sum = 0
      for (let i = 0; i < 3; i++) sum += this.#rows[i][k] * force[i]
      this.#step[k] = left.has(k) ? 0 : sum / this.#weights[k]
    }
  }
}

/** By Cramer's rule: three by three, and damped, so that it is regular. */
function solve3(m: readonly (readonly number[])[], b: readonly number[]): number[] {
  const cross = (u: readonly number[], v: readonly number[]): number[] => [
    u[1] * v[2] - u[2] * v[1],
    u[2] * v[0] - u[0] * v[2],
    u[0] * v[1] - u[1] * v[0],
  ]
  const columns = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])]
  const determinant = m[0][0] * columns[0][0] + m[0][1] * columns[0][1] + m[0][2] * columns[0][2]
  return [0, 1, 2].map(
    (axis) => (b[0] * columns[0][axis] + b[1] * columns[1][axis] + b[2] * columns[2][axis]) / determinant,
  )
}
