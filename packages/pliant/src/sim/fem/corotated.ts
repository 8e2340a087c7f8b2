/**
 * Corotated linear elasticity: per volume mu |F - R|^2 + lambda/2 tr(R^T F - I)^2, where R is the rotation of F's polar decomposition
 * (signed, so that it stays one when F inverts). Linear in strain; weak against loss of volume, unlike neo-hookean.ts.
 * Second derivative by singular values (Kim and Eberle 2022, section 5.4): 2 mu I + lambda R R, less what turning gives.
 */
import type { BlockMatrix } from './block-matrix.js'
import type { ElasticLaw } from './elastic-law.js'
import { lameConstants } from './fem-material.js'
import { addRankOne, cornersAlong } from './rank-one.js'
import { createSvd3, svd3 } from './svd3.js'
import { gradientSpreads, type TetElements } from './tet-elements.js'

export class Corotated implements ElasticLaw {
  private readonly mu: number
  private readonly lambda: number
  private readonly spreads: Float64Array
  private readonly svd = createSvd3()
  /** F, R and a direction in which F changes, row by row. */
  private readonly f = new Float64Array(9)
  private readonly r = new Float64Array(9)
  private readonly q = new Float64Array(9)
  /** Corners' motion along such a direction. */
  private readonly w = new Float64Array(12)

  constructor(
    private readonly elements: TetElements,
    young: number,
    poisson: number,
  ) {
    const { shear, lambda } = lameConstants(young, poisson)
    this.mu = shear
    this.lambda = lambda
    this.spreads = gradientSpreads(elements)
  }

  energy(positions: Float64Array): number {
    const { s } = this.svd
    let energy = 0
    for (let tet = 0; tet < this.elements.volumes.length; tet++) {
      this.decompose(positions, tet)
      const strain = (s[0] - 1) ** 2 + (s[1] - 1) ** 2 + (s[2] - 1) ** 2
      const growth = s[0] + s[1] + s[2] - 3
      energy += this.elements.volumes[tet] * (this.mu * strain + (this.lambda / 2) * growth * growth)
    }
    return energy
  }

  addForces(positions: Float64Array, forces: Float64Array): void {
    for (let tet = 0; tet < this.elements.volumes.length; tet++) {
      this.decompose(positions, tet)
      this.addForcesOf(tet, forces)
    }
  }

  addForcesAndStiffness(positions: Float64Array, forces: Float64Array, matrix: BlockMatrix, inertia: number): void {
    for (let tet = 0; tet < this.elements.volumes.length; tet++) {
      this.decompose(positions, tet)
      this.addForcesOf(tet, forces)
      this.addStiffnessOf(tet, matrix, inertia / this.spreads[tet])
    }
  }

  private decompose(x: Float64Array, tet: number): void {
    const { corners, gradients } = this.elements
    const { f, r, svd } = this
    for (let row = 0; row < 3; row++) {
      const origin = x[3 * corners[4 * tet] + row]
      for (let column = 0; column < 3; column++) {
        let sum = 0
        for (let corner = 1; corner < 4; corner++) {
          const edge = x[3 * corners[4 * tet + corner] + row] - origin
          sum += edge * gradients[9 * tet + 3 * (corner - 1) + column]
        }
        f[3 * row + column] = sum
      }
    }
    svd3(f, svd)
    const { u, v } = svd
    for (let row = 0; row < 9; row += 3) {
      for (let column = 0; column < 3; column++) {
        const c = 3 * column
        r[row + column] = u[row] * v[c] + u[row + 1] * v[c + 1] + u[row + 2] * v[c + 2]
      }
    }
  }

  private addForcesOf(tet: number, forces: Float64Array): void {
    const { corners, volumes, gradients } = this.elements
    const { f, r, q, w, mu } = this
    const pressure = this.lambda * this.growth
    for (let i = 0; i < 9; i++) q[i] = 2 * mu * (f[i] - r[i]) + pressure * r[i]
    cornersAlong(q, gradients, tet, w)
    for (let i = 0; i < 12; i++) forces[3 * corners[4 * tet + Math.trunc(i / 3)] + (i % 3)] -= volumes[tet] * w[i]
  }

  private get growth(): number {
    const { s } = this.svd
    return s[0] + s[1] + s[2] - 3
  }

  private addStiffnessOf(tet: number, matrix: BlockMatrix, slack: number): void {
    const { corners, volumes, gradients } = this.elements
    const { r, q, w, mu, lambda, svd } = this
    // 2 mu I: the three axes of each corner alike.
    for (let axis = 0; axis < 3; axis++) {
      for (let row = 0; row < 3; row++) {
        q.fill(0)
        q[3 * row + axis] = 1
        cornersAlong(q, gradients, tet, w)
        addRankOne(matrix, corners, tet, w, 2 * mu * volumes[tet])
      }
    }
    cornersAlong(r, gradients, tet, w)
    addRankOne(matrix, corners, tet, w, lambda * volumes[tet])
    const { u, v, s } = svd
    for (let k = 0; k < 3; k++) {
      const i = (k + 1) % 3
      const j = (k + 2) % 3
      // Where two singular values cancel, turning is free to jump; no more than 2 mu and what mass holds up is taken away.
      const sum = Math.max(s[i] + s[j], 1e-9)
      const turn = Math.max(-2 * mu - slack, (2 * (lambda * this.growth - 2 * mu)) / sum)
      for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 3; column++) {
          const across = u[3 * row + i] * v[3 * column + j] - u[3 * row + j] * v[3 * column + i]
          q[3 * row + column] = Math.SQRT1_2 * across
        }
      }
      cornersAlong(q, gradients, tet, w)
      addRankOne(matrix, corners, tet, w, turn * volumes[tet])
    }
  }
}
