/**
 * The largest eigenpairs of a symmetric operator: block Lanczos with full reorthogonalisation (Golub and Underwood
 * 1977). A block finds eigenvalues up to as many times over as it is wide, which one vector would miss until rounding
 * brings it in. The basis is kept whole, without restarts: 134 pairs of 5,649 unknowns take 400 vectors, 18 MB.
 */
import type { Random } from 'pliant'
import type { OnProgress } from 'pliant/unstable'
import { streamOf } from '../streams/random-streams.js'
import { addRows, rowProducts } from './dense-rows.js'
import { symmetricEigen } from './symmetric-eigen.js'

export interface BlockLanczosOptions {
  /** Eigenpairs wanted. */
  count: number
  /** Vectors per step: the narrower, the smaller the basis. */
  block?: number
  /** Vectors to begin with besides random ones: what is known of the space, one after the other. */
  start?: Float64Array
  /** Largest residual |A x - theta x| relative to theta. */
  tolerance?: number
  /** Of the random vectors. */
  seed?: number
  /** Told which part there is of the vectors that were enough so far; more may be needed. */
  onProgress?: OnProgress
}
export const BLOCK_LANCZOS_DEFAULTS = { block: 4, tolerance: 1e-11, seed: 1 } as const

export interface LargestPairs {
  /** Descending. */
  values: Float64Array
  /** Unit vectors, one after the other. */
  vectors: Float64Array
  /** Size of the basis they were found in. */
  basisSize: number
}

/** What is new of a vector after orthogonalisation, relative to the largest seen, below which it is rounding. */
const NOTHING_NEW = 1e-13

/**
 * Eigenvalues that are more often repeated than the block is wide may come out too few times.
 * @param size   length of vectors
 * @param apply  applies the operator to `count` vectors, one after the other in the first array, into the second
 * @throws Error if the pairs do not converge in a basis of the whole space
 */
export function largestEigenpairs(
  size: number,
  apply: (vectors: Float64Array, count: number, out: Float64Array) => void,
  options: BlockLanczosOptions,
): LargestPairs {
  const { count, tolerance, seed, block: width, start } = { ...BLOCK_LANCZOS_DEFAULTS, ...options }
  if (count > size) throw new RangeError(`eigenpairs: ${count} of ${size} unknowns; ask for at most ${size}.`)
  const basis = new GrowingBasis(size, width, streamOf('lanczosStart', seed), start)
  let nextLook = Math.min(size, Math.ceil(2.5 * count) + width)
  for (;;) {
    basis.extend(apply)
    options.onProgress?.({ fraction: Math.min(1, basis.finished / nextLook), stage: 'eigenvectors' })
    if (basis.finished < nextLook && basis.finished < size) continue
    const found = basis.largest(count)
    const converged = found.residuals.every((residual, k) => residual <= tolerance * found.values[k])
    if (converged || basis.finished === size) {
      return { values: found.values, vectors: basis.combine(found.weights, count), basisSize: basis.finished }
    }
    nextLook = Math.min(size, basis.finished + Math.ceil(0.25 * count) + width)
  }
}

/**
 * Orthonormal rows Q, of which the operator was applied to the first `finished`, and T = Q^T A Q of those. After each
 * step A Q = Q T + Q_next B, so the residual of a pair of T is |B y| with y its entries at the last block.
 */
class GrowingBasis {
  finished = 0
  #filled = 0
  /** Rows and columns of the last step's block within the basis. */
  #lastWidth = 0
  #rows: Float64Array
  readonly #size: number
  readonly #width: number
  readonly #random: Random
  /** Coefficients of A q_j by basis row, one list per j. */
  readonly #columns: Float64Array[] = []
  readonly #block: Float64Array
  #largestNorm = 0

  constructor(size: number, width: number, random: Random, start: Float64Array = new Float64Array(0)) {
    this.#size = size
    this.#width = width
    this.#random = random
    const given = start.length / size
    this.#rows = new Float64Array(size * Math.min(size, Math.max(64, given + width)))
    this.#block = new Float64Array(size * Math.min(size, given + width))
    for (let r = 0; r < given; r++) this.#appendOrthogonal(start.slice(r * size, (r + 1) * size))
    for (let r = 0; r < width && this.#filled < size; r++) this.#appendRandom()
  }

  extend(apply: (vectors: Float64Array, count: number, out: Float64Array) => void): void {
    const size = this.#size
    const width = this.#filled - this.finished
    const block = this.#block.subarray(0, width * size)
    apply(this.#rows.subarray(this.finished * size, this.#filled * size), width, block)
    const known = this.#filled
    const products = this.#orthogonalise(block, width, this.finished - this.#lastWidth)
    this.finished = known
    this.#lastWidth = width
    for (let r = 0; r < width; r++) {
      const column = new Float64Array(known + width)
      for (let i = 0; i < known; i++) column[i] = products[i * width + r]
      this.#columns.push(column)
    }
    for (let r = 0; r < width && this.#filled < size; r++) {
      this.#append(block.subarray(r * size, (r + 1) * size), this.#columns[known - width + r])
    }
    // Where the operator leads to nothing new, go on in any direction that it has not led to.
    while (this.#filled < Math.min(size, known + this.#width)) this.#appendRandom()
  }

  /** Pairs of T, largest first. */
  largest(count: number): { values: Float64Array; weights: Float64Array; residuals: Float64Array } {
    const n = this.finished
    const t = new Float64Array(n * n)
    for (let j = 0; j < n; j++) {
      for (let i = 0; i <= j; i++) {
        t[i * n + j] = this.#columns[j][i]
        t[j * n + i] = this.#columns[j][i]
      }
    }
    const eigen = symmetricEigen(t, n)
    const values = Float64Array.from({ length: count }, (_, k) => eigen.values[n - 1 - k])
    const weights = new Float64Array(count * n)
    for (let k = 0; k < count; k++) weights.set(eigen.vectors.subarray((n - 1 - k) * n, (n - k) * n), k * n)
    const residuals = values.map((_, k) => this.#residual(weights.subarray(k * n, (k + 1) * n)))
    return { values, weights, residuals }
  }

  /** Vectors of the whole space from weights of basis rows. */
  combine(weights: Float64Array, count: number): Float64Array {
    const n = this.finished
    const out = new Float64Array(count * this.#size)
    const turned = new Float64Array(weights.length)
    for (let k = 0; k < count; k++) for (let i = 0; i < n; i++) turned[i * count + k] = weights[k * n + i]
    addRows(this.#rows, n, turned, count, this.#size, out)
    return out
  }

  #residual(weights: Float64Array): number {
    const n = this.finished
    let squares = 0
    for (let i = n; i < this.#filled; i++) {
      let sum = 0
      for (let j = n - this.#lastWidth; j < n; j++) sum += this.#columns[j][i] * weights[j]
      squares += sum * sum
    }
    return Math.sqrt(squares)
  }

  /**
   * Takes from each row of the block its share along the basis. That is all along the rows from `recent` on, but for
   * rounding, which a second pass along the whole basis takes away.
   */
  #orthogonalise(block: Float64Array, width: number, recent = 0): Float64Array {
    const count = this.#filled
    const total = new Float64Array(count * width)
    for (const from of [recent, 0]) {
      const rows = this.#rows.subarray(from * this.#size, count * this.#size)
      const products = new Float64Array((count - from) * width)
      rowProducts(rows, count - from, block, width, this.#size, products)
      for (let k = 0; k < products.length; k++) {
        total[from * width + k] += products[k]
        products[k] = -products[k]
      }
      addRows(rows, count - from, products, width, this.#size, block)
    }
    return total
  }

  /**
   * Adds a row that is orthogonal to the basis as it was before the present block, noting its shares in `column`; or
   * not, if nothing of it is new.
   */
  #append(row: Float64Array, column: Float64Array): void {
    const blockStart = this.finished
    for (let pass = 0; pass < 2; pass++) {
      for (let i = blockStart; i < this.#filled; i++) {
        const other = this.#rows.subarray(i * this.#size, (i + 1) * this.#size)
        const share = dot(row, other)
        column[i] += share
        for (let k = 0; k < row.length; k++) row[k] -= share * other[k]
      }
    }
    const norm = Math.sqrt(dot(row, row))
    this.#largestNorm = Math.max(this.#largestNorm, Math.sqrt(norm * norm + dot(column, column)))
    if (norm <= NOTHING_NEW * this.#largestNorm) return
    column[this.#filled] = norm
    this.#push(row, 1 / norm)
  }

  #appendRandom(): void {
    this.#appendOrthogonal(Float64Array.from({ length: this.#size }, () => this.#random.normal()))
  }

  #appendOrthogonal(row: Float64Array): void {
    this.#orthogonalise(row, 1)
    this.#push(row, 1 / Math.sqrt(dot(row, row)))
  }

  #push(row: Float64Array, scale: number): void {
    const at = this.#filled * this.#size
    if (at === this.#rows.length) {
      const grown = new Float64Array(Math.min(2 * this.#rows.length, this.#size * this.#size))
      grown.set(this.#rows)
      this.#rows = grown
    }
    for (let k = 0; k < row.length; k++) this.#rows[at + k] = scale * row[k]
    this.#filled++
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k]
  return sum
}
