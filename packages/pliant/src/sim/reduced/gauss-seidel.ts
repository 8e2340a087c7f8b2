/**
 * Projected Gauss-Seidel for the impulses of constraint rows: row by row, the impulse that would bring the row where it
 * belongs, clipped to what it may be (Erleben 2007, as in Cai et al. section 5.2). Velocities are carried along, so a
 * sweep costs as much as the rows are long.
 *
 * Friction is Coulomb's cone, not a box: both tangents are solved together (2 x 2) and taken if they stay in the disc,
 * else they go down the gradient and back onto the disc, whose fixed points slide straight against the motion.
 *
 * Sweeps alone are slow where rows nearly depend on each other, so the impulses go on along the way of the sweeps before
 * (nonsmooth nonlinear conjugate gradients; Silcowitz, Niebe and Erleben 2010), beginning anew where sweeps change more
 * than before.
 *
 * Residual: how far each row's impulse is from the fixed point of that step, times the row's own response, so that it
 * is a velocity: that of the largest violation of either J v >= bound, impulse >= 0, or their product's being zero.
 */
import { AT_LEAST, type ConstraintRows, FRICTION, FRICTION_SECOND, grown, SOFT } from './constraint-rows.js'

/** Applies the inverse of one body's mass matrix, which may hold damping and stiffness of a step. */
export interface InverseMass {
  apply(body: number, from: Float64Array, fromAt: number, out: Float64Array, outAt: number): void
}

export interface SolveReport {
  /** Sweeps over all rows. */
  iterations: number
  /** Largest violation left [m/s, or 1/s of the code]. */
  residual: number
}

export class GaussSeidel {
  /** Impulses [N s, or J s per unit of code], one per row. */
  impulses = new Float64Array(0)
  /** M^-1 J^T, laid out as the rows. */
  responses = new Float64Array(0)
  /** J M^-1 J^T of each row with itself, and of a friction row with its second. */
  private diagonals = new Float64Array(0)
  private mixed = new Float64Array(0)
  private readonly step = new Float64Array(2)
  /** Impulses before a sweep, and the way of all sweeps. */
  private start = new Float64Array(0)
  private direction = new Float64Array(0)

  /** Takes new rows and masses; impulses are zero then. */
  prepare(rows: ConstraintRows, mass: InverseMass): void {
    const { count, values, bodiesA, bodiesB, starts } = rows
    if (this.responses.length < values.length) this.responses = grown(this.responses, values.length)
    if (this.diagonals.length < count) {
      for (const name of ['diagonals', 'mixed', 'impulses', 'start', 'direction'] as const)
        this[name] = grown(this[name], count)
    }
    const { responses, diagonals, mixed } = this
    for (let row = 0; row < count; row++) {
      mass.apply(bodiesA[row], values, starts[row], responses, starts[row])
      const startB = rows.startB(row)
      if (bodiesB[row] >= 0) mass.apply(bodiesB[row], values, startB, responses, startB)
      const end = startB + rows.sizeOf(bodiesB[row])
      diagonals[row] = 0
      for (let i = starts[row]; i < end; i++) diagonals[row] += values[i] * responses[i]
      mixed[row] = 0
      if (rows.kinds[row] === FRICTION_SECOND) {
        const shift = starts[row] - starts[row - 1]
        for (let i = starts[row]; i < end; i++) mixed[row - 1] += responses[i] * values[i - shift]
      }
    }
    this.impulses.fill(0)
  }

  /** Velocities as the present impulses change them: after a warm start. */
  applyImpulses(rows: ConstraintRows, velocities: Float64Array): void {
    for (let row = 0; row < rows.count; row++) {
      if (this.impulses[row] !== 0) rows.addMultiple(row, this.impulses[row], this.responses, velocities)
    }
  }

  /**
   * Goes on from the present impulses, which `velocities` have felt.
   * @param velocities  of all bodies, changed
   * @param iterations  most sweeps
   * @param tolerance   [m/s] that a residual may have
   */
  solve(
    rows: ConstraintRows,
    velocities: Float64Array,
    iterations: number,
    tolerance: number,
    report: SolveReport,
  ): void {
    report.residual = rows.count > 0 ? this.sweep(rows, velocities, false) : 0
    report.iterations = 0
    this.direction.fill(0)
    let last = Infinity
    while (report.residual > tolerance && report.iterations < iterations) {
      this.start.set(this.impulses)
      // What a sweep changes is about what the next will find: the true residual is only worked out where that is small.
      const changed = this.sweep(rows, velocities, true)
      report.iterations++
      const isLast = report.iterations >= iterations
      if (changed > tolerance && !isLast) {
        report.residual = changed
        last = this.accelerate(rows, velocities, last)
      } else report.residual = this.sweep(rows, velocities, false)
    }
  }

  /**
   * Goes on along the way of the sweeps before, as conjugate gradients do, unless sweeps change more than they did.
   * @param last  squared change of the sweep before
   * @returns the squared change of this one
   */
  private accelerate(rows: ConstraintRows, velocities: Float64Array, last: number): number {
    const { impulses, start, direction, diagonals, responses } = this
    let squared = 0
    for (let row = 0; row < rows.count; row++) squared += diagonals[row] * (impulses[row] - start[row]) ** 2
    const share = last > 0 && squared <= last ? squared / last : 0
    for (let row = 0; row < rows.count; row++) {
      const change = impulses[row] - start[row]
      direction[row] *= share
      if (direction[row] !== 0) {
        impulses[row] += direction[row]
        rows.addMultiple(row, direction[row], responses, velocities)
      }
      direction[row] += change
    }
    return squared
  }

  /** @returns the largest change of an impulse times the row's response [m/s] */
  private sweep(rows: ConstraintRows, velocities: Float64Array, changing: boolean): number {
    const { kinds, bounds, compliances, limits, normals } = rows
    const { impulses, diagonals, responses, step } = this
    let largest = 0
    for (let row = 0; row < rows.count; row++) {
      const kind = kinds[row]
      const diagonal = diagonals[row] + compliances[row]
      if (!(diagonal > 0) || kind === FRICTION_SECOND) continue
      if (kind === FRICTION) {
        const scale = this.frictionStep(rows, row, velocities, limits[row] * impulses[normals[row]])
        largest = Math.max(largest, scale * Math.sqrt(step[0] ** 2 + step[1] ** 2))
        if (!changing) continue
        for (let k = 0; k < 2; k++) {
          if (step[k] === 0) continue
          impulses[row + k] += step[k]
          rows.addMultiple(row + k, step[k], responses, velocities)
        }
        continue
      }
      const before = impulses[row]
      let next = before - (rows.speed(row, velocities) + compliances[row] * before - bounds[row]) / diagonal
      if (kind === AT_LEAST) next = Math.max(0, next)
      else if (kind === SOFT) next = Math.min(Math.max(next, -limits[row]), limits[row])
      const change = next - before
      largest = Math.max(largest, diagonal * Math.abs(change))
      if (!changing || change === 0) continue
      impulses[row] = next
      rows.addMultiple(row, change, responses, velocities)
    }
    return largest
  }

  /** Writes how both tangential impulses change. @returns what makes a velocity of that [1/kg] */
  private frictionStep(rows: ConstraintRows, row: number, velocities: Float64Array, radius: number): number {
    const { impulses, diagonals, mixed, step } = this
    const [a, b, c] = [diagonals[row], diagonals[row + 1], mixed[row]]
    const r0 = rows.speed(row, velocities) - rows.bounds[row]
    const r1 = rows.speed(row + 1, velocities) - rows.bounds[row + 1]
    const stiffest = (a + b) / 2 + Math.sqrt(((a - b) / 2) ** 2 + c * c)
    const determinant = a * b - c * c
    if (determinant > 1e-12 * stiffest * stiffest) {
      const x = impulses[row] - (b * r0 - c * r1) / determinant
      const y = impulses[row + 1] - (a * r1 - c * r0) / determinant
      if (x * x + y * y <= radius * radius) {
        step[0] = x - impulses[row]
        step[1] = y - impulses[row + 1]
        return stiffest
      }
    }
    const x = impulses[row] - r0 / stiffest
    const y = impulses[row + 1] - r1 / stiffest
    const length = Math.sqrt(x * x + y * y)
    const factor = length > radius ? radius / length : 1
    step[0] = factor * x - impulses[row]
    step[1] = factor * y - impulses[row + 1]
    return stiffest
  }
}
