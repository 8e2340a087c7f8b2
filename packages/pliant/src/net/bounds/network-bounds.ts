/**
 * What the posed network of an object (network-shape.ts) can be over a box: the warp as affine forms of the point, the
 * static grids of the warped point, and the dense head of all that (dense-bounds.ts). Of the paper's network, whose code
 * is in its first bias, only the last step is left. In exact arithmetic; see bounded-network.ts.
 */
import type { Tensors } from '../network.js'
import { denseOf, type NetworkShape } from '../network-shape.js'
import { createPosedTensors, poseTensors } from '../scalar/scalar-pose.js'
import { DenseBounds, type Symbols } from './dense-bounds.js'
import { GridBounds } from './grid-bounds.js'

export class NetworkBounds {
  readonly #shape: NetworkShape
  readonly #tensors: Tensors
  readonly #posed: Map<string, Float32Array>
  readonly #dense: DenseBounds
  readonly #warp: GridBounds | undefined
  readonly #grids: GridBounds[]
  readonly #symbols: Symbols

  constructor(shape: NetworkShape, tensors: Tensors, symbols: Symbols) {
    this.#shape = shape
    this.#tensors = tensors
    this.#symbols = symbols
    this.#posed = createPosedTensors(shape, tensors)
    this.#dense = new DenseBounds(denseOf(shape), this.#posed, symbols)
    this.#warp = shape.warp ? new GridBounds(shape.warp, this.#posed.get('warp')!) : undefined
    this.#grids = shape.grids.map((grid, j) => new GridBounds(grid, tensors.get(`grid.${j}`)!))
    if (shape.code === 0) this.pose([])
  }

  /** Takes another code, normalised. */
  pose(code: ArrayLike<number>): void {
    poseTensors(this.#shape, this.#tensors, code, this.#posed)
    this.#dense.take(this.#posed)
  }

  /**
   * Over the centre plus and minus each half edge.
   * @param halfEdges  x, y, z of each, one after the other
   * @param out        receives the lower and the upper bound
   * @returns false if nothing can be promised
   */
  of(centre: ArrayLike<number>, halfEdges: ArrayLike<number>, out: Float64Array): boolean {
    const forms = this.#dense.inputs
    const warped = this.#shape.warp ? this.#shape.warp.channels : 0
    const edges = halfEdges.length / 3
    const isFixed = this.#symbols === 'fixed'
    forms.reset(edges + (isFixed ? 0 : warped))
    const { size, base, rows, error, fresh } = forms
    for (let axis = 0; axis < 3; axis++) {
      base[axis] = centre[axis]
      for (let r = 0; r < edges; r++) rows[r * size + axis] = halfEdges[3 * r + axis]
    }
    let next = 3
    let at = 0
    if (this.#warp) {
      this.#warp.lookUp(forms, 0, 3)
      // The warp's own errors are symbols, as the grids behind it and the head see the same.
      for (let c = 0; c < warped; c++) {
        if (isFixed) error[3 + c] += fresh[3 + c]
        else rows[(edges + c) * size + 3 + c] = fresh[3 + c]
        fresh[3 + c] = 0
      }
      for (let axis = 0; axis < 3; axis++) {
        base[3 + axis] = base[axis] - base[3 + axis]
        for (let r = 0; r < forms.count; r++) {
          rows[r * size + 3 + axis] = rows[r * size + axis] - rows[r * size + 3 + axis]
        }
      }
      next += warped
      at = 3
    }
    for (const grid of this.#grids) {
      grid.lookUp(forms, at, next)
      next += grid.channels
    }
    if (!this.#dense.forward()) return false
    this.#dense.range(0, out, 0)
    return true
  }
}
