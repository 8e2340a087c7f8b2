/**
 * Conjugate gradients on a symmetric block matrix, preconditioned by the inverses of its diagonal blocks. Works in place,
 * allocates nothing, and never makes things worse: it stops where the matrix turns out not to be positive definite.
 */
import { type BlockMatrix, multiplyBlocks } from './block-matrix.js'

export interface SolveLimits {
  /** Ends when the residual, weighed by the preconditioner, is this part of what it was at the start... */
  tolerance: number
  /** ...or when its square is below this. */
  floor: number
  iterations: number
}

export class BlockSolver {
  /** What the last solve left of its right-hand side. */
  readonly residual: Float64Array
  private readonly inverse: Float64Array
  private readonly direction: Float64Array
  private readonly image: Float64Array
  private readonly weighed: Float64Array

  constructor(nodeCount: number) {
    this.inverse = new Float64Array(6 * nodeCount)
    this.residual = new Float64Array(3 * nodeCount)
    this.direction = new Float64Array(3 * nodeCount)
    this.image = new Float64Array(3 * nodeCount)
    this.weighed = new Float64Array(3 * nodeCount)
  }

  /** Inverts the diagonal blocks. @param fixed 1 for nodes whose unknowns stay as they are given */
  prepare(matrix: BlockMatrix, fixed: Uint8Array): void {
    const { inverse } = this
    const { diagonal: m } = matrix
    for (let node = 0, d = 0; node < matrix.nodeCount; node++, d += 6) {
      const c0 = m[d + 3] * m[d + 5] - m[d + 4] * m[d + 4]
      const c1 = m[d + 2] * m[d + 4] - m[d + 1] * m[d + 5]
      const c2 = m[d + 1] * m[d + 4] - m[d + 2] * m[d + 3]
      const determinant = m[d] * c0 + m[d + 1] * c1 + m[d + 2] * c2
      const scale = fixed[node] === 1 ? 0 : 1 / determinant
      inverse[d] = scale * c0
      inverse[d + 1] = scale * c1
      inverse[d + 2] = scale * c2
      inverse[d + 3] = scale * (m[d] * m[d + 5] - m[d + 2] * m[d + 2])
      inverse[d + 4] = scale * (m[d + 1] * m[d + 2] - m[d] * m[d + 4])
      inverse[d + 5] = scale * (m[d] * m[d + 3] - m[d + 1] * m[d + 1])
    }
  }

  /** The square of a vector as `floor` measures it. */
  weightOf(vector: Float64Array): number {
    return this.weigh(vector)
  }

  /**
   * Improves `solution`, whose values at fixed nodes stay.
   * @returns iterations taken
   */
  solve(matrix: BlockMatrix, rightSide: Float64Array, solution: Float64Array, limits: SolveLimits): number {
    const { residual, direction, image, weighed } = this
    const { length } = residual
    multiplyBlocks(matrix, solution, image)
    for (let i = 0; i < length; i++) residual[i] = rightSide[i] - image[i]
    let weight = this.weigh(residual)
    direction.set(weighed)
    const enough = Math.max(limits.tolerance ** 2 * weight, limits.floor)
    let iteration = 0
    while (iteration < limits.iterations && weight > enough) {
      iteration++
      multiplyBlocks(matrix, direction, image)
      let curvature = 0
      for (let i = 0; i < length; i++) curvature += direction[i] * image[i]
      if (!(curvature > 0)) break
      const step = weight / curvature
      for (let i = 0; i < length; i++) {
        solution[i] += step * direction[i]
        residual[i] -= step * image[i]
      }
      const before = weight
      weight = this.weigh(residual)
      const keep = weight / before
      for (let i = 0; i < length; i++) direction[i] = weighed[i] + keep * direction[i]
    }
    return iteration
  }

  /** weighed = inverse * vector; returns their product. */
  private weigh(vector: Float64Array): number {
    const { inverse, weighed } = this
    let product = 0
    for (let i = 0, d = 0; i < vector.length; i += 3, d += 6) {
      const x = vector[i]
      const y = vector[i + 1]
      const z = vector[i + 2]
      const u = inverse[d] * x + inverse[d + 1] * y + inverse[d + 2] * z
      const v = inverse[d + 1] * x + inverse[d + 3] * y + inverse[d + 4] * z
      const w = inverse[d + 2] * x + inverse[d + 4] * y + inverse[d + 5] * z
      weighed[i] = u
      weighed[i + 1] = v
      weighed[i + 2] = w
      product += u * x + v * y + w * z
    }
    return product
  }
}
