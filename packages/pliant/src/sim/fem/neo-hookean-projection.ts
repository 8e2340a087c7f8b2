/**
 * Takes negative eigenvalues out of a tetrahedron's stable neo-Hookean stiffness. In the singular frame F = U S V^T they
 * are known in closed form (Smith, de Goes and Kim 2018, section 4.2): three turns a + s sigma_k, three flips a - s sigma_k, and those
 * of a 3 x 3 matrix of stretches.
 */

import { createEigen3, eigen3 } from '../../math/symmetric-eigen3.js'
import { cornersAlong } from './rank-one.js'
import { createSvd3, svd3 } from './svd3.js'
import type { TetElements } from './tet-elements.js'

/** Three turns, three flips, three stretches. */
const MOST = 9

export class NeoHookeanProjection {
  /** The deformation gradient to work on, row by row. */
  readonly gradient = new Float64Array(9)
  private readonly svd = createSvd3()
  private readonly stretches = createEigen3()
  /** What to add, found by `find`: `count` times amounts[n] w w^T, where w is the twelve numbers of `moves` from 12 n on. */
  count = 0
  readonly amounts = new Float64Array(MOST)
  readonly moves = new Float64Array(12 * MOST)
  private readonly direction = new Float64Array(9)

  constructor(
    private readonly elements: TetElements,
    private readonly lambda: number,
  ) {}

  /**
   * Finds what lifts eigenvalues below -`slack` to zero.
   * @param a, b, s  factors of the identity, of F F and of dG/dF (neo-hookean.ts) [Pa]
   */
  find(tet: number, a: number, b: number, s: number, slack: number): void {
    const { s: sigma } = this.svd
    this.count = 0
    svd3(this.gradient, this.svd)
    for (let k = 0; k < 3; k++) {
      const turn = a + s * sigma[k]
      const flip = a - s * sigma[k]
      if (turn < -slack) this.liftTurn(tet, k, -1, -turn)
      if (flip < -slack) this.liftTurn(tet, k, 1, -flip)
    }
    const { matrix: m, values, vectors } = this.stretches
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const gi = sigma[(i + 1) % 3] * sigma[(i + 2) % 3]
        const gj = sigma[(j + 1) % 3] * sigma[(j + 2) % 3]
        const own = i === j ? a : s * sigma[3 - i - j]
        m[3 * i + j] = own + b * sigma[i] * sigma[j] + this.lambda * gi * gj
      }
    }
    if (isPositive(m, slack)) return
    eigen3(this.stretches)
    for (let k = 0; k < 3; k++) {
      if (values[k] < -slack) this.liftStretch(tet, vectors, k, -values[k])
    }
  }

  /** Q = (u_i v_j^T + sign u_j v_i^T) / sqrt 2 in the plane across axis k: sign -1 turns it, 1 flips it. */
  private liftTurn(tet: number, k: number, sign: number, amount: number): void {
    const { u, v } = this.svd
    const { direction } = this
    const i = (k + 1) % 3
    const j = (k + 2) % 3
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        const both = u[3 * r + i] * v[3 * c + j] + sign * u[3 * r + j] * v[3 * c + i]
        direction[3 * r + c] = Math.SQRT1_2 * both
      }
    }
    this.lift(tet, amount)
  }

  /** Q = sum w_i u_i v_i^T. */
  private liftStretch(tet: number, w: Float64Array, k: number, amount: number): void {
    const { u, v } = this.svd
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        this.direction[3 * r + c] =
          w[k] * u[3 * r] * v[3 * c] + w[3 + k] * u[3 * r + 1] * v[3 * c + 1] + w[6 + k] * u[3 * r + 2] * v[3 * c + 2]
      }
    }
    this.lift(tet, amount)
  }

  private lift(tet: number, amount: number): void {
    const { gradients, volumes } = this.elements
    cornersAlong(this.direction, gradients, tet, this.moves, 12 * this.count)
    this.amounts[this.count++] = volumes[tet] * amount
  }
}

/** Whether no eigenvalue of a symmetric 3 x 3 matrix is below -slack: its leading minors, then shifted, are positive. */
function isPositive(m: Float64Array, slack: number): boolean {
  const a = m[0] + slack
  const b = m[4] + slack
  const c = m[8] + slack
  const minor = a * b - m[1] * m[1]
  return a > 0 && minor > 0 && c * minor + 2 * m[1] * m[2] * m[5] > a * m[5] * m[5] + b * m[2] * m[2]
}
