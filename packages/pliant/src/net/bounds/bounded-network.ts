/**
 * A network that also says what it can be over a box: bounds of its formula (network-bounds.ts), widened by what the
 * backend's single precision is measured to add (single-slack.ts). Bounds cost nothing until they are asked for.
 */
import type { Floats } from '../../math/floats.js'
import type { Network, Tensors } from '../network.js'
import { ScalarNetwork } from '../scalar/scalar-network.js'
import { requireSymbols, type Symbols } from './dense-bounds.js'
import { NetworkBounds } from './network-bounds.js'
import { singleSlack } from './single-slack.js'

/** Points are rounded to single precision on their way in, and values on their way out. */
const SINGLE = 2 ** -23

export class BoundedNetwork implements Network {
  readonly shape
  readonly backend
  readonly backendNote
  readonly #network: Network
  readonly #tensors: Tensors
  readonly #symbols: Symbols
  readonly #code: Float64Array
  readonly #rows = new Float64Array(9)
  readonly #out = new Float64Array(2)
  #bounds: NetworkBounds | undefined
  #exact: ScalarNetwork | undefined
  /** At the present pose; undefined until somebody asks. */
  #slack: number | undefined

  /**
   * @param tensors  those that the network was made of; kept
   * @throws RangeError if there are no such symbols
   */
  constructor(network: Network, tensors: Tensors, symbols: Symbols) {
    this.#symbols = requireSymbols(symbols)
    this.#network = network
    this.#tensors = tensors
    this.shape = network.shape
    this.backend = network.backend
    this.backendNote = network.backendNote
    this.#code = new Float64Array(network.shape.code)
  }

  pose(code: ArrayLike<number>): void {
    this.#network.pose(code)
    for (let i = 0; i < this.#code.length; i++) this.#code[i] = code[i]
    this.#slack = undefined
  }

  query(points: Floats, count: number, values: Floats, gradients?: Floats): void {
    this.#network.query(points, count, values, gradients)
  }

  bounds(centre: ArrayLike<number>, halfEdges: ArrayLike<number>): readonly [number, number] | undefined {
    const edges = halfEdges.length / 3
    let reach = 0
    for (let axis = 0; axis < 3; axis++) {
      let size = Math.abs(centre[axis])
      for (let r = 0; r < edges; r++) size += Math.abs(halfEdges[3 * r + axis])
      reach = Math.max(reach, size)
    }
    if (!(reach < Infinity)) return undefined
    this.#prepare()
    const out = this.#out
    if (!this.#bounds!.of(centre, this.#widened(halfEdges, SINGLE * reach), out)) return undefined
    const slack = this.#slack! * Math.max(1, reach)
    return [out[0] - slack - SINGLE * Math.abs(out[0]), out[1] + slack + SINGLE * Math.abs(out[1])]
  }

  dispose(): void {
    this.#network.dispose()
  }

  /** What bounds need at this pose. */
  #prepare(): void {
    if (this.#slack !== undefined) return
    const [shape, tensors] = [this.shape, this.#tensors]
    if (this.#bounds === undefined) {
      this.#bounds = new NetworkBounds(shape, tensors, this.#symbols)
      this.#exact = new ScalarNetwork(shape, tensors)
    }
    this.#bounds.pose(this.#code)
    this.#exact!.pose(this.#code)
    const ask = (network: Network) => (points: Float64Array, count: number, values: Float64Array) =>
      network.query(points, count, values)
    this.#slack = singleSlack(ask(this.#network), ask(this.#exact!), [0, 0, 0], 1)
  }

  /** Half edges of a box that holds this one and all within `by` of it, coordinate by coordinate. */
  #widened(halfEdges: ArrayLike<number>, by: number): ArrayLike<number> {
    const isSquare = halfEdges.length === 9 && [1, 2, 3, 5, 6, 7].every((i) => halfEdges[i] === 0)
    const rows = isSquare ? this.#rows : new Float64Array(halfEdges.length + 9)
    for (let i = 0; i < halfEdges.length; i++) rows[i] = halfEdges[i]
    const last = rows.length - 9
    for (let axis = 0; axis < 3; axis++) rows[last + 4 * axis] = Math.abs(isSquare ? rows[4 * axis] : 0) + by
    return rows
  }
}
