/**
 * Direct solves with a sparse symmetric positive definite matrix: P A P^T = L L^T, supernodal and left-looking (Ng and
 * Peyton 1993). The order and the pattern of L depend on the pattern of A alone and are found once; `factorise` may then
 * be called for each new set of values. Nothing is allocated by `factorise` and `solve`.
 */
import { minimumDegreeOrder } from './minimum-degree.js'
import { nodeGraph } from './node-graph.js'
import { factorPanel, subtractProducts } from './panel-factor.js'
import { backwardFour, backwardOne, forwardFour, forwardOne, LANES } from './panel-solve.js'
import { type SparseMatrix, sparseIndex } from './sparse-matrix.js'
import { findSupernodes } from './supernodes.js'

export interface SparseCholeskyOptions {
  /** Unknowns per node, ordered together: 3 for elastic bodies. */
  block?: number
}
export const SPARSE_CHOLESKY_DEFAULTS = { block: 1 } as const

/** The matrix that was to be factorised is not positive definite, or so near to singular that doubles cannot tell. */
export class NotPositiveDefinite extends Error {
  override name = 'NotPositiveDefinite'
  /** The unknown at which the pivot was not positive. */
  readonly unknown: number

  constructor(unknown: number) {
    super(
      `sparse Cholesky: not positive definite at unknown ${unknown}; fix unknowns that can move freely, or add to the diagonal.`,
    )
    this.unknown = unknown
  }
}

export class SparseCholesky {
  readonly size: number
  /** Numbers in the factor, zeros of the panels counted. */
  readonly entryCount: number
  readonly #supernodeCount: number
  /** Of each supernode: first unknown in elimination order, start of its rows, start of its panel. */
  readonly #firsts: Int32Array
  readonly #rowStarts: Int32Array
  readonly #panelStarts: Int32Array
  /** Unknowns in elimination order, for each row of each panel. */
  readonly #rows: Int32Array
  readonly #supernodeOf: Int32Array
  /** The matrix's unknown that is eliminated k-th. */
  readonly #order: Int32Array
  /** For each entry of the matrix that belongs to the lower half: where it is there, and where in the panels. */
  readonly #entrySources: Int32Array
  readonly #entryTargets: Int32Array
  readonly #matrixEntries: number
  readonly #diagonalSources: Int32Array
  readonly #diagonal: Float64Array
  readonly #values: Float64Array
  /** Scratch: local row of each unknown in the panel at hand; rows of the panel that is subtracted, as its local rows. */
  readonly #localRow: Int32Array
  readonly #places: Int32Array
  /** Supernodes that have rows in a later one hang there in a list, each at the first of its rows not yet used. */
  readonly #heads: Int32Array
  readonly #nexts: Int32Array
  readonly #used: Int32Array
  readonly #lanes: Float64Array
  #factorised = false

  /**
   * @param pattern  the matrix, or another of the same pattern: its values are not looked at
   * @throws RangeError if the pattern is not symmetric, lacks a diagonal entry, or has no whole number of blocks
   */
  constructor(pattern: SparseMatrix, options: SparseCholeskyOptions = {}) {
    const { block } = { ...SPARSE_CHOLESKY_DEFAULTS, ...options }
    const graph = nodeGraph(pattern, block)
    const { order, firsts, rowStarts, rows, ofColumn } = findSupernodes(graph, minimumDegreeOrder(graph))
    const { size } = pattern
    const count = firsts.length - 1
    const expand = (list: Int32Array): Int32Array =>
      Int32Array.from({ length: block * list.length }, (_, k) => block * list[Math.floor(k / block)] + (k % block))
    this.size = size
    this.#supernodeCount = count
    this.#order = expand(order)
    this.#rows = expand(rows)
    this.#firsts = firsts.map((first) => block * first)
    this.#rowStarts = rowStarts.map((start) => block * start)
    this.#supernodeOf = Int32Array.from({ length: size }, (_, k) => ofColumn[Math.floor(k / block)])
    this.#panelStarts = new Int32Array(count + 1)
    let widestRows = 0
    for (let s = 0; s < count; s++) {
      const height = this.#rowStarts[s + 1] - this.#rowStarts[s]
      widestRows = Math.max(widestRows, height)
      this.#panelStarts[s + 1] = this.#panelStarts[s] + height * (this.#firsts[s + 1] - this.#firsts[s])
    }
    this.entryCount = this.#panelStarts[count]
    this.#values = new Float64Array(this.entryCount)
    this.#localRow = new Int32Array(size)
    this.#places = new Int32Array(widestRows)
    this.#heads = new Int32Array(count)
    this.#nexts = new Int32Array(count)
    this.#used = new Int32Array(count)
    this.#lanes = new Float64Array(LANES * size)
    this.#matrixEntries = pattern.columns.length
    this.#diagonal = new Float64Array(size)
    this.#diagonalSources = this.#order.map((unknown) => diagonalIndex(pattern, unknown))
    const targets = this.#targetsOf(pattern)
    this.#entrySources = targets.sources
    this.#entryTargets = targets.targets
  }

  /**
   * @throws NotPositiveDefinite if it is not; the factor is then of no use until the next call
   * @throws RangeError if the matrix has another pattern than the one that was analysed
   */
  factorise(matrix: SparseMatrix): void {
    if (matrix.size !== this.size || matrix.values.length !== this.#matrixEntries) {
      throw new RangeError(
        `sparse Cholesky: ${matrix.size} unknowns with ${matrix.values.length} entries, analysed were ${this.size} with ${this.#matrixEntries}; make a new SparseCholesky for a new pattern.`,
      )
    }
    this.#factorised = false
    const values = this.#values
    values.fill(0)
    for (let k = 0; k < this.#entrySources.length; k++) {
      values[this.#entryTargets[k]] = matrix.values[this.#entrySources[k]]
    }
    for (let k = 0; k < this.size; k++) this.#diagonal[k] = matrix.values[this.#diagonalSources[k]]
    this.#heads.fill(-1)
    for (let s = 0; s < this.#supernodeCount; s++) {
      this.#subtractEarlier(s)
      const first = this.#firsts[s]
      const width = this.#firsts[s + 1] - first
      const height = this.#rowStarts[s + 1] - this.#rowStarts[s]
      const failed = factorPanel(values, this.#panelStarts[s], width, height, this.#diagonal, first)
      if (failed >= 0) throw new NotPositiveDefinite(this.#order[first + failed])
      this.#used[s] = width
      this.#hang(s)
    }
    this.#factorised = true
  }

  /**
   * Solves A x = b for `count` right-hand sides, one after the other in `right`.
   * @param out  receives the solutions in the same layout; may be `right`
   */
  solve(right: Float64Array, out: Float64Array, count = 1): void {
    if (!this.#factorised)
      throw new Error('sparse Cholesky: solve before factorise; call factorise with the matrix first.')
    if (right.length < count * this.size || out.length < count * this.size) {
      throw new RangeError(
        `sparse Cholesky: ${count} right-hand sides of ${this.size} unknowns in ${right.length} numbers, out has ${out.length}; give ${count * this.size}.`,
      )
    }
    let side = 0
    // Two or three sides cost about what four do.
    for (; count - side > 1; side += LANES) this.#solveFour(right, out, side, Math.min(LANES, count - side))
    if (count - side === 1) this.#solveOne(right, out, side)
  }

  #solveOne(right: Float64Array, out: Float64Array, side: number): void {
    const x = this.#lanes
    const from = side * this.size
    for (let k = 0; k < this.size; k++) x[k] = right[from + this.#order[k]]
    this.#sweep(forwardOne, backwardOne, x)
    for (let k = 0; k < this.size; k++) out[from + this.#order[k]] = x[k]
  }

  #solveFour(right: Float64Array, out: Float64Array, side: number, sides: number): void {
    const x = this.#lanes
    const { size } = this
    for (let lane = 0; lane < LANES; lane++) {
      const from = (side + lane) * size
      for (let k = 0; k < size; k++) x[LANES * k + lane] = lane < sides ? right[from + this.#order[k]] : 0
    }
    this.#sweep(forwardFour, backwardFour, x)
    for (let lane = 0; lane < sides; lane++) {
      const to = (side + lane) * size
      for (let k = 0; k < size; k++) out[to + this.#order[k]] = x[LANES * k + lane]
    }
  }

  #sweep(forward: typeof forwardOne, backward: typeof backwardOne, x: Float64Array): void {
    const count = this.#supernodeCount
    const [firsts, starts, panels] = [this.#firsts, this.#rowStarts, this.#panelStarts]
    for (let s = 0; s < count; s++) {
      forward(this.#values, panels[s], firsts[s + 1] - firsts[s], this.#rows, starts[s], starts[s + 1], x)
    }
    for (let s = count - 1; s >= 0; s--) {
      backward(this.#values, panels[s], firsts[s + 1] - firsts[s], this.#rows, starts[s], starts[s + 1], x)
    }
  }

  /** Takes from panel s what the finished panels with rows in it contribute, and hangs them on to their next one. */
  #subtractEarlier(s: number): void {
    const rows = this.#rows
    const rowStart = this.#rowStarts[s]
    for (let at = rowStart; at < this.#rowStarts[s + 1]; at++) this.#localRow[rows[at]] = at - rowStart
    const end = this.#firsts[s + 1]
    const width = end - this.#firsts[s]
    let next = -1
    for (let d = this.#heads[s]; d >= 0; d = next) {
      next = this.#nexts[d]
      const start = this.#rowStarts[d]
      const height = this.#rowStarts[d + 1] - start
      const from = this.#used[d]
      let to = from
      while (to < height && rows[start + to] < end) to++
      for (let i = from; i < height; i++) this.#places[i] = this.#localRow[rows[start + i]]
      const depth = this.#firsts[d + 1] - this.#firsts[d]
      subtractProducts(
        this.#values,
        this.#panelStarts[d],
        depth,
        from,
        to,
        height,
        this.#panelStarts[s],
        width,
        this.#places,
      )
      this.#used[d] = to
      this.#hang(d)
    }
  }

  #hang(d: number): void {
    const at = this.#rowStarts[d] + this.#used[d]
    if (at >= this.#rowStarts[d + 1]) return
    const s = this.#supernodeOf[this.#rows[at]]
    this.#nexts[d] = this.#heads[s]
    this.#heads[s] = d
  }

  #targetsOf(pattern: SparseMatrix): { sources: Int32Array; targets: Int32Array } {
    const placeOf = new Int32Array(this.size)
    for (let k = 0; k < this.size; k++) placeOf[this.#order[k]] = k
    const sources: number[] = []
    const targets: number[] = []
    for (let s = 0; s < this.#supernodeCount; s++) {
      const [first, end] = [this.#firsts[s], this.#firsts[s + 1]]
      for (let at = this.#rowStarts[s]; at < this.#rowStarts[s + 1]; at++) {
        this.#localRow[this.#rows[at]] = at - this.#rowStarts[s]
      }
      for (let column = first; column < end; column++) {
        const unknown = this.#order[column]
        for (let at = pattern.starts[unknown]; at < pattern.starts[unknown + 1]; at++) {
          const row = placeOf[pattern.columns[at]]
          if (row < column) continue
          sources.push(at)
          targets.push(this.#panelStarts[s] + this.#localRow[row] * (end - first) + column - first)
        }
      }
    }
    return { sources: Int32Array.from(sources), targets: Int32Array.from(targets) }
  }
}

function diagonalIndex(pattern: SparseMatrix, unknown: number): number {
  const at = sparseIndex(pattern, unknown, unknown)
  if (at < 0) {
    throw new RangeError(`sparse Cholesky: row ${unknown} has no diagonal entry; store it, even where it is zero.`)
  }
  return at
}
