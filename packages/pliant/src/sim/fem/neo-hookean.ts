/**
 * Stable neo-Hookean elasticity (Smith, de Goes and Kim 2018, Eq. 14): per volume mu/2 (|F|^2 - 3) + lambda/2 (J - alpha)^2
 * - mu/2 log(|F|^2 + 1) with J = det F and alpha = 1 + 3 mu / (4 lambda), finite and with a way back from any inversion.
 * mu and lambda are those of their Eq. 19, so that small strains meet Lame's constants.
 *
 * The second derivative a I + b F F + lambda G G + s dG/dF (G = dJ/dF) needs no singular values: dG/dF of a linear
 * tetrahedron is the cross product with an edge. Only s dG/dF
 * can be negative: where a bound on the singular values says that it may outweigh the rest a little, s is trimmed;
 * where by much, the tetrahedron is decomposed and what is negative taken out (neo-hookean-projection.ts).
 */
import type { BlockMatrix } from './block-matrix.js'
import type { ElasticLaw } from './elastic-law.js'
import { lameConstants } from './fem-material.js'
import { NeoHookeanProjection } from './neo-hookean-projection.js'
import { addRankOne } from './rank-one.js'
import { gradientSpreads, type TetElements } from './tet-elements.js'

/** Trimming s to less than this part would make tetrahedra too soft where s stiffens them: decompose instead. */
const TRIM = 0.5

/** Keeps a bound on singular values from zero when an element has shrunk to a point. */
const TINY = 1e-12

export class NeoHookean implements ElasticLaw {
  /** Tetrahedra that the last stiffness had to decompose: for measurements. */
  decomposed = 0
  /** Constants of the energy [Pa], [Pa] and 1; not Lame's own. */
  readonly mu: number
  readonly lambda: number
  readonly alpha: number
  private readonly projection: NeoHookeanProjection
  private readonly spreads: Float64Array

  constructor(
    private readonly elements: TetElements,
    young: number,
    poisson: number,
  ) {
    const { shear, lambda } = lameConstants(young, poisson)
    this.mu = (4 / 3) * shear
    this.lambda = lambda + (5 / 6) * shear
    this.alpha = 1 + (0.75 * this.mu) / this.lambda
    this.projection = new NeoHookeanProjection(elements, this.lambda)
    this.spreads = gradientSpreads(elements)
  }

  energy(positions: Float64Array): number {
    const { corners, volumes, turns, gradients } = this.elements
    const { mu, lambda, alpha } = this
    const atRest = (lambda / 2) * (1 - alpha) ** 2 - (mu / 2) * Math.log(4)
    let energy = 0
    for (let tet = 0; tet < volumes.length; tet++) {
      const o = 3 * corners[4 * tet]
      const i = 3 * corners[4 * tet + 1]
      const j = 3 * corners[4 * tet + 2]
      const k = 3 * corners[4 * tet + 3]
      const ix = positions[i] - positions[o]
      const iy = positions[i + 1] - positions[o + 1]
      const iz = positions[i + 2] - positions[o + 2]
      const jx = positions[j] - positions[o]
      const jy = positions[j + 1] - positions[o + 1]
      const jz = positions[j + 2] - positions[o + 2]
      const kx = positions[k] - positions[o]
      const ky = positions[k + 1] - positions[o + 1]
      const kz = positions[k + 2] - positions[o + 2]
      let square = 0
      for (let axis = 9 * tet; axis < 9 * tet + 3; axis++) {
        const fx = ix * gradients[axis] + jx * gradients[axis + 3] + kx * gradients[axis + 6]
        const fy = iy * gradients[axis] + jy * gradients[axis + 3] + ky * gradients[axis + 6]
        const fz = iz * gradients[axis] + jz * gradients[axis + 3] + kz * gradients[axis + 6]
        square += fx * fx + fy * fy + fz * fz
      }
      const triple = ix * (jy * kz - jz * ky) + iy * (jz * kx - jx * kz) + iz * (jx * ky - jy * kx)
      const over = (triple * turns[tet]) / (6 * volumes[tet]) - alpha
      const density = (mu / 2) * (square - 3) + (lambda / 2) * over * over - (mu / 2) * Math.log(square + 1)
      energy += volumes[tet] * (density - atRest)
    }
    return energy
  }

  addForces(positions: Float64Array, forces: Float64Array): void {
    this.add(positions, forces, undefined, 0)
  }

  addForcesAndStiffness(positions: Float64Array, forces: Float64Array, matrix: BlockMatrix, inertia: number): void {
    this.decomposed = 0
    this.add(positions, forces, matrix, inertia)
  }

  // One long loop on local numbers: the run-time step spends a third of its time here (docs/notes/fem.md).
  private add(positions: Float64Array, forces: Float64Array, matrix: BlockMatrix | undefined, inertia: number): void {
    const { corners, volumes, turns, gradients } = this.elements
    const { mu, lambda, alpha, spreads } = this
    for (let tet = 0; tet < volumes.length; tet++) {
      const o = 3 * corners[4 * tet]
      const i = 3 * corners[4 * tet + 1]
      const j = 3 * corners[4 * tet + 2]
      const k = 3 * corners[4 * tet + 3]
      const ox = positions[o]
      const oy = positions[o + 1]
      const oz = positions[o + 2]
      const ix = positions[i] - ox
      const iy = positions[i + 1] - oy
      const iz = positions[i + 2] - oz
      const jx = positions[j] - ox
      const jy = positions[j + 1] - oy
      const jz = positions[j + 2] - oz
      const kx = positions[k] - ox
      const ky = positions[k + 1] - oy
      const kz = positions[k + 2] - oz
      const b = 9 * tet
      const b1x = gradients[b]
      const b1y = gradients[b + 1]
      const b1z = gradients[b + 2]
      const b2x = gradients[b + 3]
      const b2y = gradients[b + 4]
      const b2z = gradients[b + 5]
      const b3x = gradients[b + 6]
      const b3y = gradients[b + 7]
      const b3z = gradients[b + 8]
      const f00 = ix * b1x + jx * b2x + kx * b3x
      const f01 = ix * b1y + jx * b2y + kx * b3y
      const f02 = ix * b1z + jx * b2z + kx * b3z
      const f10 = iy * b1x + jy * b2x + ky * b3x
      const f11 = iy * b1y + jy * b2y + ky * b3y
      const f12 = iy * b1z + jy * b2z + ky * b3z
      const f20 = iz * b1x + jz * b2x + kz * b3x
      const f21 = iz * b1y + jz * b2y + kz * b3y
      const f22 = iz * b1z + jz * b2z + kz * b3z
      const square =
        f00 * f00 + f01 * f01 + f02 * f02 + f10 * f10 + f11 * f11 + f12 * f12 + f20 * f20 + f21 * f21 + f22 * f22
      // g_n: gradient of J with respect to corner n.
      const volume = volumes[tet]
      const per = turns[tet] / (6 * volume)
      const g1x = per * (jy * kz - jz * ky)
      const g1y = per * (jz * kx - jx * kz)
      const g1z = per * (jx * ky - jy * kx)
      const g2x = per * (ky * iz - kz * iy)
      const g2y = per * (kz * ix - kx * iz)
      const g2z = per * (kx * iy - ky * ix)
      const g3x = per * (iy * jz - iz * jy)
      const g3y = per * (iz * jx - ix * jz)
      const g3z = per * (ix * jy - iy * jx)
      const jacobian = ix * g1x + iy * g1y + iz * g1z
      const shrink = 1 / (square + 1)
      const a = mu * (1 - shrink)
      const s = lambda * (jacobian - alpha)
      // p_n = F b_n.
      const p1x = f00 * b1x + f01 * b1y + f02 * b1z
      const p1y = f10 * b1x + f11 * b1y + f12 * b1z
      const p1z = f20 * b1x + f21 * b1y + f22 * b1z
      const p2x = f00 * b2x + f01 * b2y + f02 * b2z
      const p2y = f10 * b2x + f11 * b2y + f12 * b2z
      const p2z = f20 * b2x + f21 * b2y + f22 * b2z
      const p3x = f00 * b3x + f01 * b3y + f02 * b3z
      const p3y = f10 * b3x + f11 * b3y + f12 * b3z
      const p3z = f20 * b3x + f21 * b3y + f22 * b3z
      const va = volume * a
      const vs = volume * s
      const t1x = va * p1x + vs * g1x
      const t1y = va * p1y + vs * g1y
      const t1z = va * p1z + vs * g1z
      const t2x = va * p2x + vs * g2x
      const t2y = va * p2y + vs * g2y
      const t2z = va * p2z + vs * g2z
      const t3x = va * p3x + vs * g3x
      const t3y = va * p3y + vs * g3y
      const t3z = va * p3z + vs * g3z
      forces[o] += t1x + t2x + t3x
      forces[o + 1] += t1y + t2y + t3y
      forces[o + 2] += t1z + t2z + t3z
      forces[i] -= t1x
      forces[i + 1] -= t1y
      forces[i + 2] -= t1z
      forces[j] -= t2x
      forces[j + 1] -= t2y
      forces[j + 2] -= t2z
      forces[k] -= t3x
      forces[k + 1] -= t3y
      forces[k + 2] -= t3z
      if (matrix === undefined) continue

      const { values, diagonal, places } = matrix
      const bb = volume * 2 * mu * shrink * shrink
      const vl = volume * lambda
      // The only part that can be negative is s dG/dF. Its eigenvalues are at most the largest singular value for turns, flips
      // and stretches of mixed sign, and twice that for stretches of one sign; these, while s < 0, lambda G G holds up.
      const c00 = f00 * f00 + f10 * f10 + f20 * f20
      const c11 = f01 * f01 + f11 * f11 + f21 * f21
      const c22 = f02 * f02 + f12 * f12 + f22 * f22
      const c01 = f00 * f01 + f10 * f11 + f20 * f21
      const c02 = f00 * f02 + f10 * f12 + f20 * f22
      const c12 = f01 * f02 + f11 * f12 + f21 * f22
      const aside = c00 * c00 + c11 * c11 + c22 * c22 + 2 * (c01 * c01 + c02 * c02 + c12 * c12) - (square * square) / 3
      const largest = Math.sqrt(square / 3 + Math.sqrt(Math.max(0, (2 / 3) * aside))) + TINY
      const slack = inertia / spreads[tet]
      let most = (a + slack) / largest
      if (jacobian > 0 && s < 0) {
        const smallest = jacobian / largest
        most = Math.min(most, (a + slack + 3 * lambda * smallest * smallest) / (2 * largest))
      } else most /= 2
      const size = Math.abs(s)
      const decompose = most < TRIM * size
      const c = size <= most || decompose ? vs * per : volume * Math.sign(s) * most * per
      const b11 = va * (b1x * b1x + b1y * b1y + b1z * b1z)
      const b22 = va * (b2x * b2x + b2y * b2y + b2z * b2z)
      const b33 = va * (b3x * b3x + b3y * b3y + b3z * b3z)
      const b12 = va * (b1x * b2x + b1y * b2y + b1z * b2z)
      const b13 = va * (b1x * b3x + b1y * b3y + b1z * b3z)
      const b23 = va * (b2x * b3x + b2y * b3y + b2z * b3z)
      // Blocks among corners 1, 2, 3; those of corner 0 are what rows must sum to zero by.
      const m11xx = b11 + bb * p1x * p1x + vl * g1x * g1x
      const m11xy = bb * p1x * p1y + vl * g1x * g1y
      const m11xz = bb * p1x * p1z + vl * g1x * g1z
      const m11yy = b11 + bb * p1y * p1y + vl * g1y * g1y
      const m11yz = bb * p1y * p1z + vl * g1y * g1z
      const m11zz = b11 + bb * p1z * p1z + vl * g1z * g1z
      const m22xx = b22 + bb * p2x * p2x + vl * g2x * g2x
      const m22xy = bb * p2x * p2y + vl * g2x * g2y
      const m22xz = bb * p2x * p2z + vl * g2x * g2z
      const m22yy = b22 + bb * p2y * p2y + vl * g2y * g2y
      const m22yz = bb * p2y * p2z + vl * g2y * g2z
      const m22zz = b22 + bb * p2z * p2z + vl * g2z * g2z
      const m33xx = b33 + bb * p3x * p3x + vl * g3x * g3x
      const m33xy = bb * p3x * p3y + vl * g3x * g3y
      const m33xz = bb * p3x * p3z + vl * g3x * g3z
      const m33yy = b33 + bb * p3y * p3y + vl * g3y * g3y
      const m33yz = bb * p3y * p3z + vl * g3y * g3z
      const m33zz = b33 + bb * p3z * p3z + vl * g3z * g3z
      // d2J of 1 and 2 is -[k]x, of 1 and 3 [j]x, of 2 and 3 -[i]x, over six volumes.
      const m12xx = b12 + bb * p1x * p2x + vl * g1x * g2x
      const m12xy = bb * p1x * p2y + vl * g1x * g2y + c * kz
      const m12xz = bb * p1x * p2z + vl * g1x * g2z - c * ky
      const m12yx = bb * p1y * p2x + vl * g1y * g2x - c * kz
      const m12yy = b12 + bb * p1y * p2y + vl * g1y * g2y
      const m12yz = bb * p1y * p2z + vl * g1y * g2z + c * kx
      const m12zx = bb * p1z * p2x + vl * g1z * g2x + c * ky
      const m12zy = bb * p1z * p2y + vl * g1z * g2y - c * kx
      const m12zz = b12 + bb * p1z * p2z + vl * g1z * g2z
      const m13xx = b13 + bb * p1x * p3x + vl * g1x * g3x
      const m13xy = bb * p1x * p3y + vl * g1x * g3y - c * jz
      const m13xz = bb * p1x * p3z + vl * g1x * g3z + c * jy
      const m13yx = bb * p1y * p3x + vl * g1y * g3x + c * jz
      const m13yy = b13 + bb * p1y * p3y + vl * g1y * g3y
      const m13yz = bb * p1y * p3z + vl * g1y * g3z - c * jx
      const m13zx = bb * p1z * p3x + vl * g1z * g3x - c * jy
      const m13zy = bb * p1z * p3y + vl * g1z * g3y + c * jx
      const m13zz = b13 + bb * p1z * p3z + vl * g1z * g3z
      const m23xx = b23 + bb * p2x * p3x + vl * g2x * g3x
      const m23xy = bb * p2x * p3y + vl * g2x * g3y + c * iz
      const m23xz = bb * p2x * p3z + vl * g2x * g3z - c * iy
      const m23yx = bb * p2y * p3x + vl * g2y * g3x - c * iz
      const m23yy = b23 + bb * p2y * p3y + vl * g2y * g3y
      const m23yz = bb * p2y * p3z + vl * g2y * g3z + c * ix
      const m23zx = bb * p2z * p3x + vl * g2z * g3x + c * iy
      const m23zy = bb * p2z * p3y + vl * g2z * g3y - c * ix
      const m23zz = b23 + bb * p2z * p3z + vl * g2z * g3z
      const m01xx = -(m11xx + m12xx + m13xx)
      const m01xy = -(m11xy + m12yx + m13yx)
      const m01xz = -(m11xz + m12zx + m13zx)
      const m01yx = -(m11xy + m12xy + m13xy)
      const m01yy = -(m11yy + m12yy + m13yy)
      const m01yz = -(m11yz + m12zy + m13zy)
      const m01zx = -(m11xz + m12xz + m13xz)
      const m01zy = -(m11yz + m12yz + m13yz)
      const m01zz = -(m11zz + m12zz + m13zz)
      const m02xx = -(m12xx + m22xx + m23xx)
      const m02xy = -(m12xy + m22xy + m23yx)
      const m02xz = -(m12xz + m22xz + m23zx)
      const m02yx = -(m12yx + m22xy + m23xy)
      const m02yy = -(m12yy + m22yy + m23yy)
      const m02yz = -(m12yz + m22yz + m23zy)
      const m02zx = -(m12zx + m22xz + m23xz)
      const m02zy = -(m12zy + m22yz + m23yz)
      const m02zz = -(m12zz + m22zz + m23zz)
      const m03xx = -(m13xx + m23xx + m33xx)
      const m03xy = -(m13xy + m23xy + m33xy)
      const m03xz = -(m13xz + m23xz + m33xz)
      const m03yx = -(m13yx + m23yx + m33xy)
      const m03yy = -(m13yy + m23yy + m33yy)
      const m03yz = -(m13yz + m23yz + m33yz)
      const m03zx = -(m13zx + m23zx + m33xz)
      const m03zy = -(m13zy + m23zy + m33yz)
      const m03zz = -(m13zz + m23zz + m33zz)
      const o2 = 2 * o
      const i2 = 2 * i
      const j2 = 2 * j
      const k2 = 2 * k
      diagonal[o2] -= m01xx + m02xx + m03xx
      diagonal[o2 + 1] -= m01xy + m02xy + m03xy
      diagonal[o2 + 2] -= m01xz + m02xz + m03xz
      diagonal[o2 + 3] -= m01yy + m02yy + m03yy
      diagonal[o2 + 4] -= m01yz + m02yz + m03yz
      diagonal[o2 + 5] -= m01zz + m02zz + m03zz
      diagonal[i2] += m11xx
      diagonal[i2 + 1] += m11xy
      diagonal[i2 + 2] += m11xz
      diagonal[i2 + 3] += m11yy
      diagonal[i2 + 4] += m11yz
      diagonal[i2 + 5] += m11zz
      diagonal[j2] += m22xx
      diagonal[j2 + 1] += m22xy
      diagonal[j2 + 2] += m22xz
      diagonal[j2 + 3] += m22yy
      diagonal[j2 + 4] += m22yz
      diagonal[j2 + 5] += m22zz
      diagonal[k2] += m33xx
      diagonal[k2 + 1] += m33xy
      diagonal[k2 + 2] += m33xz
      diagonal[k2 + 3] += m33yy
      diagonal[k2 + 4] += m33yz
      diagonal[k2 + 5] += m33zz
      const at01 = places[6 * tet]
      values[at01] += m01xx
      values[at01 + 1] += m01xy
      values[at01 + 2] += m01xz
      values[at01 + 3] += m01yx
      values[at01 + 4] += m01yy
      values[at01 + 5] += m01yz
      values[at01 + 6] += m01zx
      values[at01 + 7] += m01zy
      values[at01 + 8] += m01zz
      const at02 = places[6 * tet + 1]
      values[at02] += m02xx
      values[at02 + 1] += m02xy
      values[at02 + 2] += m02xz
      values[at02 + 3] += m02yx
      values[at02 + 4] += m02yy
      values[at02 + 5] += m02yz
      values[at02 + 6] += m02zx
      values[at02 + 7] += m02zy
      values[at02 + 8] += m02zz
      const at03 = places[6 * tet + 2]
      values[at03] += m03xx
      values[at03 + 1] += m03xy
      values[at03 + 2] += m03xz
      values[at03 + 3] += m03yx
      values[at03 + 4] += m03yy
      values[at03 + 5] += m03yz
      values[at03 + 6] += m03zx
      values[at03 + 7] += m03zy
      values[at03 + 8] += m03zz
      const at12 = places[6 * tet + 3]
      values[at12] += m12xx
      values[at12 + 1] += m12xy
      values[at12 + 2] += m12xz
      values[at12 + 3] += m12yx
      values[at12 + 4] += m12yy
      values[at12 + 5] += m12yz
      values[at12 + 6] += m12zx
      values[at12 + 7] += m12zy
      values[at12 + 8] += m12zz
      const at13 = places[6 * tet + 4]
      values[at13] += m13xx
      values[at13 + 1] += m13xy
      values[at13 + 2] += m13xz
      values[at13 + 3] += m13yx
      values[at13 + 4] += m13yy
      values[at13 + 5] += m13yz
      values[at13 + 6] += m13zx
      values[at13 + 7] += m13zy
      values[at13 + 8] += m13zz
      const at23 = places[6 * tet + 5]
      values[at23] += m23xx
      values[at23 + 1] += m23xy
      values[at23 + 2] += m23xz
      values[at23 + 3] += m23yx
      values[at23 + 4] += m23yy
      values[at23 + 5] += m23yz
      values[at23 + 6] += m23zx
      values[at23 + 7] += m23zy
      values[at23 + 8] += m23zz
      if (!decompose) continue
      this.decomposed++
      const { gradient } = this.projection
      gradient[0] = f00
      gradient[1] = f01
      gradient[2] = f02
      gradient[3] = f10
      gradient[4] = f11
      gradient[5] = f12
      gradient[6] = f20
      gradient[7] = f21
      gradient[8] = f22
      this.projection.find(tet, a, 2 * mu * shrink * shrink, s, slack)
      const { count, moves, amounts } = this.projection
      for (let n = 0; n < count; n++) addRankOne(matrix, corners, tet, moves, amounts[n], 12 * n)
    }
  }

  /** What stiffness must be given where it was not trimmed, for kernels that leave that to plain code. */
  findLifts(positions: Float64Array, tet: number, inertia: number): NeoHookeanProjection {
    const { mu, lambda, alpha, projection, spreads } = this
    const { corners, gradients } = this.elements
    const { gradient: f } = projection
    let square = 0
    for (let row = 0; row < 3; row++) {
      const origin = positions[3 * corners[4 * tet] + row]
      for (let axis = 0; axis < 3; axis++) {
        let entry = 0
        for (let corner = 1; corner < 4; corner++) {
          const edge = positions[3 * corners[4 * tet + corner] + row] - origin
          entry += edge * gradients[9 * tet + 3 * (corner - 1) + axis]
        }
        f[3 * row + axis] = entry
        square += entry * entry
      }
    }
    const jacobian =
      f[0] * (f[4] * f[8] - f[5] * f[7]) + f[1] * (f[5] * f[6] - f[3] * f[8]) + f[2] * (f[3] * f[7] - f[4] * f[6])
    const shrink = 1 / (square + 1)
    const slack = inertia / spreads[tet]
    projection.find(tet, mu * (1 - shrink), 2 * mu * shrink * shrink, lambda * (jacobian - alpha), slack)
    return projection
  }
}
