/**
 * A network that also says what it can be over a box: bounds of its formula (network-bounds.ts), widened by what the
 * backend's single precision is measured to add (single-slack.ts). Bounds cost nothing until they are asked for.
 */
import type { Floats } from '../../math/floats.js'
import type { Network, Tensors } from '../network.js'
import { ScalarNetwork } from '../scalar/scalar-network.js'
import { requireSymbols, type Symbols } from './dense-bounds.js'
import { NetworkBounds } from './network-bounds.js'
import { reachOfBox, SINGLE, singleSlack, widened } from './single-slack.js'

export class BoundedNetwork implements Network {
  readonly shape
  readonly backend
  readonly backendNote
  readonly #network: Network
  readonly #tensors: Tensors
  readonly #symbols: Symbols
  readonly #code: Float64Array
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
    const reach = reachOfBox(centre, halfEdges)
    if (!(reach < Infinity)) return undefined
    this.#prepare()
    const out = this.#out
    if (!this.#bounds!.of(centre, widened(halfEdges, SINGLE * reach), out)) return undefined
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
}
