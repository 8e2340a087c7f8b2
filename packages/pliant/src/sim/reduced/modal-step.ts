/**
 * A step of a body's code by the implicit midpoint (trapezoid):
 *
 *   (m + h d/2 + h^2 k/4) u' = (m - h d/2 - h^2 k/4) u - h k q + h f + J^T lambda,   q' = q + h (u + u')/2.
 *
 * It keeps the energy of a linear mode at any step. With nonlinear elasticity the force is the energy's discrete gradient
 * (stvk-modes.ts), which keeps it too; the mean rate w = (u + u')/2 is then found by Newton's method without contacts, and
 * contacts act by the stiffness there.
 */
import { invertPositive, solveDense } from '../../math/dense-inverse.js'
import type { ReducedBody } from './reduced-body.js'
import type { ReducedElasticity, StiffnessKind } from './reduced-elasticity.js'

const NEWTON_STEPS = 20
/** A Newton step whose energy is a smaller share of the motion's ends the search. */
const ENOUGH = 1e-24
const HALVINGS = 12

export class ModalStep {
  /** How many Newton steps the last free step took; 0 without nonlinear elasticity. */
  newtonSteps = 0
  /** Diagonal of the inverse, or all of it with nonlinear elasticity. */
  private readonly inverse: Float64Array
  private readonly matrix: Float64Array
  private readonly mean: Float64Array
  private readonly trial: Float64Array
  private readonly next: Float64Array
  private readonly misfit: Float64Array
  private readonly move: Float64Array

  constructor(private readonly body: ReducedBody) {
    const { codeSize, elasticity } = body
    this.inverse = new Float64Array(elasticity ? codeSize * codeSize : codeSize)
    this.matrix = new Float64Array(elasticity ? codeSize * codeSize : 0)
    this.mean = new Float64Array(codeSize)
    this.trial = new Float64Array(codeSize)
    this.next = new Float64Array(codeSize)
    this.misfit = new Float64Array(codeSize)
    this.move = new Float64Array(codeSize)
  }

  /**
   * The rate of the code at the end of a step that nothing hinders.
   * @param before  velocities of all bodies when it begins; the code's from `at` on
   * @param after   receives the rates, from `at` on
   */
  free(h: number, before: Float64Array, after: Float64Array, at: number): void {
    if (this.body.elasticity) {
      this.freeNonlinear(this.body.elasticity, h, before, after, at)
      return
    }
    const { modalMasses: m, modalDamping: d, modalStiffness: k, code, codeForces } = this.body
    for (let i = 0; i < code.length; i++) {
      const implicit = (h * d[i]) / 2 + (h * h * k[i]) / 4
      this.inverse[i] = 1 / (m[i] + implicit)
      const pushed = (m[i] - implicit) * before[at + i] + h * (codeForces[i] - k[i] * code[i])
      after[at + i] = this.inverse[i] * pushed
    }
  }

  /** What an impulse on the code [J s per unit of code] changes its rate by at the end of the step. */
  apply(from: Float64Array, fromAt: number, out: Float64Array, outAt: number): void {
    const { codeSize, elasticity } = this.body
    const { inverse } = this
    for (let i = 0; i < codeSize; i++) {
      if (!elasticity) {
        out[outAt + i] = inverse[i] * from[fromAt + i]
        continue
      }
      let sum = 0
      for (let j = 0; j < codeSize; j++) sum += inverse[i * codeSize + j] * from[fromAt + j]
      out[outAt + i] = sum
    }
  }

  private freeNonlinear(
    elasticity: ReducedElasticity,
    h: number,
    before: Float64Array,
    after: Float64Array,
    at: number,
  ): void {
    const { mean, trial, move, body } = this
    const { modalMasses: m, codeSize } = body
    for (let i = 0; i < codeSize; i++) mean[i] = before[at + i]
    let worst = this.measure(elasticity, h, before, at, mean)
    for (this.newtonSteps = 0; this.newtonSteps < NEWTON_STEPS; this.newtonSteps++) {
      this.findMove(elasticity, h, before, at)
      // The matrix is that of the end's rate, of which the mean moves by half.
      let share = 0.5
      let found = Infinity
      for (let n = 0; n < HALVINGS; n++, share /= 2) {
        for (let i = 0; i < codeSize; i++) trial[i] = mean[i] - share * move[i]
        found = this.measure(elasticity, h, before, at, trial)
        if (found < worst) break
      }
      let [moved, moving] = [0, 0]
      for (let i = 0; i < codeSize; i++) {
        moved += m[i] * (trial[i] - mean[i]) ** 2
        moving += m[i] * trial[i] ** 2
      }
      if (!(found < worst)) break
      mean.set(trial)
      worst = found
      if (moved <= ENOUGH * moving) break
    }
    this.linearise(elasticity, h)
    for (let i = 0; i < codeSize; i++) after[at + i] = 2 * mean[i] - before[at + i]
  }

  /** Writes 2 m (w - u) + h F(q, q + h w) + h d w - h f. @returns its square by the masses' inverse */
  private measure(
    elasticity: ReducedElasticity,
    h: number,
    before: Float64Array,
    at: number,
    mean: Float64Array,
  ): number {
    const { misfit, next, body } = this
    const { modalMasses: m, modalDamping: d, code, codeForces } = body
    for (let i = 0; i < code.length; i++) next[i] = code[i] + h * mean[i]
    elasticity.meanForce(code, next, misfit)
    let squared = 0
    for (let i = 0; i < code.length; i++) {
      misfit[i] = 2 * m[i] * (mean[i] - before[at + i]) + h * (misfit[i] + d[i] * mean[i] - codeForces[i])
      squared += misfit[i] ** 2 / m[i]
    }
    return squared
  }

  /** Newton's step by the exact derivative: eight of them do, where a symmetric one takes twenty in large strains. */
  private findMove(elasticity: ReducedElasticity, h: number, before: Float64Array, at: number): void {
    const { mean, move, misfit, matrix, body } = this
    this.writeMatrix(elasticity, h, 'exact')
    this.measure(elasticity, h, before, at, mean)
    move.set(misfit)
    if (solveDense(matrix, body.codeSize, move)) return
    this.linearise(elasticity, h)
    this.apply(misfit, 0, move, 0)
  }

  /** What contacts go by: all of the stiffness if that is positive, else what of it is. */
  private linearise(elasticity: ReducedElasticity, h: number): void {
    const { codeSize } = this.body
    this.writeMatrix(elasticity, h, 'symmetric')
    if (invertPositive(this.matrix, codeSize, this.inverse)) return
    this.writeMatrix(elasticity, h, 'positive')
    invertPositive(this.matrix, codeSize, this.inverse)
  }

  /** m + h d/2 + h^2 K/4. */
  private writeMatrix(elasticity: ReducedElasticity, h: number, kind: StiffnessKind): void {
    const { matrix, next, mean, body } = this
    const { modalMasses: m, modalDamping: d, code, codeSize } = body
    for (let i = 0; i < codeSize; i++) next[i] = code[i] + h * mean[i]
    elasticity.stiffness(code, next, matrix, kind)
    for (let i = 0; i < matrix.length; i++) matrix[i] *= (h * h) / 4
    for (let i = 0; i < codeSize; i++) matrix[i * (codeSize + 1)] += m[i] + (h * d[i]) / 2
  }
}
