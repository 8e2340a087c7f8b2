/**
 * The shape of given ACAP features, and how it changes with them. With T = exp(log R) S of each vertex,
 * positions are the least squares of what T says of its edges, and of the fits by which it was found
 * (`restoring-system.ts`). The matrix is that of the reference alone and factorised once; a shape is one solve with three
 * right-hand sides, and so is a gradient, as the matrix is symmetric.
 *
 * Translation: the centre, vertices weighted by their areas, is that of the reference.
 */
import type { Floats } from '../../math/floats.js'
import { requireCount, requireItems } from '../../math/require.js'
import { NOT_NEGATIVE, settingsOf } from '../../math/settings.js'
import { SparseCholesky } from '../../math/sparse/sparse-cholesky.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'
import { ACAP_CHANNELS } from './channels.js'
import { type AcapReference, acapReference } from './reference.js'
import { restoringSystem } from './restoring-system.js'
import { pullBackExponential, writeExponential } from './rotation-exponential.js'

export interface AcapInverseOptions {
  /**
   * How much the equations of the fits count against those of the edges. 0 leaves them out, as published. The more, the
   * nearer shapes come back to those that were encoded, and the rougher they are where features are off.
   */
  fitWeight?: number
}
/** 100: of meshes in one piece, 0.25 to 0.57 of the worst error of 0, at twice its roughness (docs/notes/acap.md). */
export const ACAP_INVERSE_DEFAULTS = { fitWeight: 100 } as const

export class AcapInverse {
  readonly vertexCount: number
  /** How many features a shape has: nine per vertex. */
  readonly size: number
  readonly #reference: AcapReference
  readonly #factor: SparseCholesky
  /** Share of each vertex in the area, and the centre of the reference. */
  readonly #shares: Float64Array
  readonly #centre = new Float64Array(3)
  readonly #pulls: Float64Array
  /** T of each vertex, or the gradient by it. */
  readonly #affine: Float64Array
  /** Right-hand sides and solutions: all x, all y, all z. */
  readonly #columns: Float64Array
  readonly #rotation = new Float64Array(9)
  readonly #byRotation = new Float64Array(9)
  readonly #byVector = new Float64Array(3)

  /** @throws RangeError if the reference is broken or has vertices without triangles, or an option does not fit */
  constructor(reference: TriangleMesh, options: AcapInverseOptions = {}) {
    const { fitWeight } = settingsOf<Required<AcapInverseOptions>>('acap inverse', options, ACAP_INVERSE_DEFAULTS, {
      fitWeight: NOT_NEGATIVE,
    })
    const known = acapReference(reference)
    const { vertexCount, positions, areas } = known
    this.vertexCount = vertexCount
    this.size = ACAP_CHANNELS * vertexCount
    this.#reference = known
    const { matrix, pulls } = restoringSystem(known, fitWeight)
    this.#pulls = pulls
    this.#factor = new SparseCholesky(matrix)
    this.#factor.factorise(matrix)
    const total = areas.reduce((sum, area) => sum + area, 0)
    this.#shares = areas.map((area) => area / total)
    for (let i = 0; i < positions.length; i++) this.#centre[i % 3] += this.#shares[Math.trunc(i / 3)] * positions[i]
    this.#affine = new Float64Array(9 * vertexCount)
    this.#columns = new Float64Array(3 * vertexCount)
  }

  /**
   * @param features  nine per vertex, as `AcapFeatures.encode` gives them
   * @param out       receives vertices [m], xyz triples, aligned with the reference
   * @throws RangeError if there are more or fewer features, or naming a vertex whose are not finite
   */
  positions(features: Floats, out: Floats): void {
    requireItems('acap: features', features, 'vertex', this.vertexCount, ACAP_CHANNELS)
    requireCount('acap', out, 'vertex', this.vertexCount, 3)
    this.#writeAffine(features)
    this.#writeSides()
    this.#factor.solve(this.#columns, this.#columns, 3)
    const [columns, shares, count] = [this.#columns, this.#shares, this.vertexCount]
    for (let k = 0; k < 3; k++) {
      let shift = this.#centre[k]
      for (let v = 0; v < count; v++) shift -= shares[v] * columns[k * count + v]
      for (let v = 0; v < count; v++) out[3 * v + k] = columns[k * count + v] + shift
    }
  }

  /**
   * The vector-Jacobian product of `positions`.
   * @param byPositions  gradient of something with respect to the positions of these features, xyz triples
   * @param out          receives its gradient with respect to the features
   * @throws RangeError if lengths disagree, or naming a vertex whose values are not finite
   */
  positionsGradient(features: Floats, byPositions: Floats, out: Floats): void {
    requireItems('acap: features', features, 'vertex', this.vertexCount, ACAP_CHANNELS)
    requireItems('acap: gradient', byPositions, 'vertex', this.vertexCount, 3)
    requireCount('acap: gradient', out, 'vertex', this.vertexCount, ACAP_CHANNELS)
    const [columns, shares, count] = [this.#columns, this.#shares, this.vertexCount]
    for (let k = 0; k < 3; k++) {
      let sum = 0
      for (let v = 0; v < count; v++) sum += byPositions[3 * v + k]
      for (let v = 0; v < count; v++) columns[k * count + v] = byPositions[3 * v + k] - shares[v] * sum
    }
    this.#factor.solve(columns, columns, 3)
    this.#writeByAffine()
    for (let v = 0; v < count; v++) this.#pullBackVertex(features, v, out)
  }

  /** T = R S. */
  #writeAffine(f: Floats): void {
    const [r, t] = [this.#rotation, this.#affine]
    for (let v = 0, at = 0; v < this.vertexCount; v++, at += 9) {
      writeExponential(-f[at + 2], f[at + 1], -f[at], r, 0)
      const xx = f[at + 3]
      const xy = f[at + 4]
      const xz = f[at + 5]
      const yy = f[at + 6]
      const yz = f[at + 7]
      const zz = f[at + 8]
      for (let row = 0; row < 9; row += 3) {
        t[at + row] = r[row] * xx + r[row + 1] * xy + r[row + 2] * xz
        t[at + row + 1] = r[row] * xy + r[row + 1] * yy + r[row + 2] * yz
        t[at + row + 2] = r[row] * xz + r[row + 1] * yz + r[row + 2] * zz
      }
    }
  }

  /** What pulls vertices to their places, as `restoringSystem` says. */
  #writeSides(): void {
    const { vertices } = this.#reference.edges
    const [t, h, columns, count] = [this.#affine, this.#pulls, this.#columns, this.vertexCount]
    columns.fill(0)
    for (let edge = 0, at = 0; at < h.length; edge++, at += 6) {
      const a = vertices[2 * edge]
      const b = vertices[2 * edge + 1]
      for (let k = 0; k < 3; k++) {
        const [i, j] = [9 * a + 3 * k, 9 * b + 3 * k]
        const pull =
          t[i] * h[at] +
          t[i + 1] * h[at + 1] +
          t[i + 2] * h[at + 2] -
          t[j] * h[at + 3] -
          t[j + 1] * h[at + 4] -
          t[j + 2] * h[at + 5]
        columns[k * count + a] -= pull
        columns[k * count + b] += pull
      }
    }
  }

  /** Gradient by T: what the solution in the columns makes of each pull. */
  #writeByAffine(): void {
    const { vertices } = this.#reference.edges
    const [g, h, columns, count] = [this.#affine, this.#pulls, this.#columns, this.vertexCount]
    g.fill(0)
    for (let edge = 0, at = 0; at < h.length; edge++, at += 6) {
      const a = vertices[2 * edge]
      const b = vertices[2 * edge + 1]
      for (let k = 0; k < 3; k++) {
        const difference = columns[k * count + b] - columns[k * count + a]
        for (let m = 0; m < 3; m++) {
          g[9 * a + 3 * k + m] += difference * h[at + m]
          g[9 * b + 3 * k + m] -= difference * h[at + 3 + m]
        }
      }
    }
  }

  /** From the gradient by T = R S to those by rotation vector and S. */
  #pullBackVertex(f: Floats, v: number, out: Floats): void {
    const [g, r, byR, byVector] = [this.#affine, this.#rotation, this.#byRotation, this.#byVector]
    const at = 9 * v
    const [x, y, z] = [-f[at + 2], f[at + 1], -f[at]]
    writeExponential(x, y, z, r, 0)
    for (let row = 0; row < 9; row += 3) {
      const gx = g[at + row]
      const gy = g[at + row + 1]
      const gz = g[at + row + 2]
      byR[row] = gx * f[at + 3] + gy * f[at + 4] + gz * f[at + 5]
      byR[row + 1] = gx * f[at + 4] + gy * f[at + 6] + gz * f[at + 7]
      byR[row + 2] = gx * f[at + 5] + gy * f[at + 7] + gz * f[at + 8]
    }
    pullBackExponential(x, y, z, r, byR, byVector)
    out[at] = -byVector[2]
    out[at + 1] = byVector[1]
    out[at + 2] = -byVector[0]
    // By S it is R^T G; an entry off the diagonal stands for two.
    let to = at + 3
    for (let i = 0; i < 3; i++) {
      for (let j = i; j < 3; j++) {
        const upper = r[i] * g[at + j] + r[3 + i] * g[at + 3 + j] + r[6 + i] * g[at + 6 + j]
        const lower = r[j] * g[at + i] + r[3 + j] * g[at + 3 + i] + r[6 + j] * g[at + 6 + i]
        out[to++] = i === j ? upper : upper + lower
      }
    }
  }
}
