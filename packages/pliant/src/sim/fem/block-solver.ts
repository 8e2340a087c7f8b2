/**
 * Conjugate gradients on a symmetric block matrix A = L + D + L^T, preconditioned by block symmetric Gauss-Seidel,
 * (L + D) D^-1 (D + L^T). By Eisenstat's trick (1981) it costs no more per iteration than none: of the preconditioned
 * matrix A' = (L + D)^-1 A (D + L^T)^-1, A' p = t + (L + D)^-1 L^T t with t = (D + L^T)^-1 p, so two triangular solves
 * stand for product and preconditioner. Against block Jacobi: 2.2 times fewer iterations (docs/notes/fem.md).
 *
 * Works in place, allocates nothing, and stops where the matrix turns out not to be positive definite.
 */
import { type BlockMatrix, multiplyBlocks } from './block-matrix.js'

export interface SolveLimits {
  /** Ends when the residual, weighed by the preconditioner, is this part of what it was at the start... */
  tolerance: number
  /** ...or when its square [J] is below this. */
  floor: number
  iterations: number
}

export class BlockSolver {
  /** What the last solve left of its right-hand side; undefined at fixed nodes. */
  readonly residual: Float64Array
  /** Inverses of the diagonal blocks, zero at fixed nodes. */
  private readonly inverse: Float64Array
  private readonly half: Float64Array
  private readonly direction: Float64Array
  private readonly way: Float64Array
  private readonly image: Float64Array

  constructor(nodeCount: number) {
    this.inverse = new Float64Array(6 * nodeCount)
    this.residual = new Float64Array(3 * nodeCount)
    this.half = new Float64Array(3 * nodeCount)
    this.direction = new Float64Array(3 * nodeCount)
    this.way = new Float64Array(3 * nodeCount)
    this.image = new Float64Array(3 * nodeCount)
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

  /** The square of a residual [J], weighed by the preconditioner. `prepare` first. */
  weigh(matrix: BlockMatrix, residual: Float64Array): number {
    this.image.set(residual)
    forwardSolve(matrix, this.inverse, this.image, this.half)
    return multiplyDiagonal(matrix, this.half, this.direction)
  }

  /**
   * Improves `solution`, whose values at fixed nodes stay. `prepare` first.
   * @returns iterations taken
   */
  solve(matrix: BlockMatrix, rightSide: Float64Array, solution: Float64Array, limits: SolveLimits): number {
    const { residual, half, direction, way, image } = this
    const { length } = residual
    multiplyBlocks(matrix, solution, image)
    for (let i = 0; i < length; i++) image[i] = rightSide[i] - image[i]
    forwardSolve(matrix, this.inverse, image, half)
    let weight = multiplyDiagonal(matrix, half, direction)
    const enough = Math.max(limits.tolerance ** 2 * weight, limits.floor)
    let iteration = 0
    while (iteration < limits.iterations && weight > enough) {
      iteration++
      backwardSolve(matrix, this.inverse, direction, way, residual)
      const curvature = applyForward(matrix, this.inverse, residual, way, direction, image)
      if (!(curvature > 0)) break
      const before = weight
      weight = advance(matrix, weight / curvature, way, solution, image, half)
      const keep = weight / before
      for (let i = 0; i < length; i++) direction[i] = image[i] + keep * direction[i]
    }
    multiplyLower(matrix, half, residual)
    return iteration
  }
}

/** out = D vector; returns their product. */
function multiplyDiagonal({ diagonal }: BlockMatrix, vector: Float64Array, out: Float64Array): number {
  let product = 0
  for (let i = 0, d = 0; i < vector.length; i += 3, d += 6) {
    const x = vector[i]
    const y = vector[i + 1]
    const z = vector[i + 2]
    const u = diagonal[d] * x + diagonal[d + 1] * y + diagonal[d + 2] * z
    const v = diagonal[d + 1] * x + diagonal[d + 3] * y + diagonal[d + 4] * z
    const w = diagonal[d + 2] * x + diagonal[d + 4] * y + diagonal[d + 5] * z
    out[i] = u
    out[i + 1] = v
    out[i + 2] = w
    product += u * x + v * y + w * z
  }
  return product
}

/** out = (L + D)^-1 vector; `vector` is used up. */
function forwardSolve(matrix: BlockMatrix, inverse: Float64Array, vector: Float64Array, out: Float64Array): void {
  const { nodeCount, starts, columns, values } = matrix
  for (let node = 0, i = 0, d = 0; node < nodeCount; node++, i += 3, d += 6) {
    const rx = vector[i]
    const ry = vector[i + 1]
    const rz = vector[i + 2]
    const x = inverse[d] * rx + inverse[d + 1] * ry + inverse[d + 2] * rz
    const y = inverse[d + 1] * rx + inverse[d + 3] * ry + inverse[d + 4] * rz
    const z = inverse[d + 2] * rx + inverse[d + 4] * ry + inverse[d + 5] * rz
    out[i] = x
    out[i + 1] = y
    out[i + 2] = z
    const end = starts[node + 1]
    for (let k = starts[node], v = 9 * k; k < end; k++, v += 9) {
      const j = 3 * columns[k]
      vector[j] -= values[v] * x + values[v + 3] * y + values[v + 6] * z
      vector[j + 1] -= values[v + 1] * x + values[v + 4] * y + values[v + 7] * z
      vector[j + 2] -= values[v + 2] * x + values[v + 5] * y + values[v + 8] * z
    }
  }
}

/** out = (D + L^T)^-1 vector, and rest = vector - D out, which is L^T out. */
function backwardSolve(
  matrix: BlockMatrix,
  inverse: Float64Array,
  vector: Float64Array,
  out: Float64Array,
  rest: Float64Array,
): void {
  const { nodeCount, starts, columns, values } = matrix
  for (let node = nodeCount - 1; node >= 0; node--) {
    const i = 3 * node
    let sx = 0
    let sy = 0
    let sz = 0
    const end = starts[node + 1]
    for (let k = starts[node], v = 9 * k; k < end; k++, v += 9) {
      const j = 3 * columns[k]
      const x = out[j]
      const y = out[j + 1]
      const z = out[j + 2]
      sx += values[v] * x + values[v + 1] * y + values[v + 2] * z
      sy += values[v + 3] * x + values[v + 4] * y + values[v + 5] * z
      sz += values[v + 6] * x + values[v + 7] * y + values[v + 8] * z
    }
    rest[i] = sx
    rest[i + 1] = sy
    rest[i + 2] = sz
    const rx = vector[i] - sx
    const ry = vector[i + 1] - sy
    const rz = vector[i + 2] - sz
    const d = 6 * node
    out[i] = inverse[d] * rx + inverse[d + 1] * ry + inverse[d + 2] * rz
    out[i + 1] = inverse[d + 1] * rx + inverse[d + 3] * ry + inverse[d + 4] * rz
    out[i + 2] = inverse[d + 2] * rx + inverse[d + 4] * ry + inverse[d + 5] * rz
  }
}

/** image = way + (L + D)^-1 rest, `rest` being used up; returns direction . image. */
function applyForward(
  matrix: BlockMatrix,
  inverse: Float64Array,
  rest: Float64Array,
  way: Float64Array,
  direction: Float64Array,
  image: Float64Array,
): number {
  forwardSolve(matrix, inverse, rest, image)
  let product = 0
  for (let i = 0; i < image.length; i++) {
    image[i] += way[i]
    product += direction[i] * image[i]
  }
  return product
}

/** solution += step way, half -= step image, then image = D half; returns half . image. */
function advance(
  { diagonal }: BlockMatrix,
  step: number,
  way: Float64Array,
  solution: Float64Array,
  image: Float64Array,
  half: Float64Array,
): number {
  let product = 0
  for (let i = 0, d = 0; i < way.length; i += 3, d += 6) {
    solution[i] += step * way[i]
    solution[i + 1] += step * way[i + 1]
    solution[i + 2] += step * way[i + 2]
    const x = half[i] - step * image[i]
    const y = half[i + 1] - step * image[i + 1]
    const z = half[i + 2] - step * image[i + 2]
    half[i] = x
    half[i + 1] = y
    half[i + 2] = z
    const u = diagonal[d] * x + diagonal[d + 1] * y + diagonal[d + 2] * z
    const v = diagonal[d + 1] * x + diagonal[d + 3] * y + diagonal[d + 4] * z
    const w = diagonal[d + 2] * x + diagonal[d + 4] * y + diagonal[d + 5] * z
    image[i] = u
    image[i + 1] = v
    image[i + 2] = w
    product += u * x + v * y + w * z
  }
  return product
}

/** out = (L + D) vector. */
function multiplyLower(matrix: BlockMatrix, vector: Float64Array, out: Float64Array): void {
  const { nodeCount, starts, columns, values } = matrix
  multiplyDiagonal(matrix, vector, out)
  for (let node = 0, i = 0; node < nodeCount; node++, i += 3) {
    const x = vector[i]
    const y = vector[i + 1]
    const z = vector[i + 2]
    const end = starts[node + 1]
    for (let k = starts[node], v = 9 * k; k < end; k++, v += 9) {
      const j = 3 * columns[k]
      out[j] += values[v] * x + values[v + 3] * y + values[v + 6] * z
      out[j + 1] += values[v + 1] * x + values[v + 4] * y + values[v + 7] * z
      out[j + 2] += values[v + 2] * x + values[v + 5] * y + values[v + 8] * z
    }
  }
}
