/**
 * A network that also says what it can be over a box: bounds of its formula (network-bounds.ts), widened by what the
 * backend's single precision is measured to add (single-slack.ts). Bounds cost nothing until they are asked for.
 */
import type { Box, EdgeBox } from '../../math/box.js'
import type { Floats } from '../../math/floats.js'
import type { Network, NetworkFrame, Tensors } from '../network.js'
import { ScalarNetwork } from '../scalar/scalar-network.js'
import { requireSymbols, type Symbols } from './dense-bounds.js'
import { boxAroundEdges, edgeBoxOf, reachOfBox, widened } from './edge-boxes.js'
import { NetworkBounds } from './network-bounds.js'
import { inSingle, SINGLE, singleSlack } from './single-slack.js'

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

  bounds(box: Box | EdgeBox, frame?: NetworkFrame): readonly [number, number] | undefined {
    if (frame) return this.#framed(box, frame)
    const edges = edgeBoxOf(box)
    return edges && this.#of(edges)
  }

  /** Of a field: of what lies outside of its domain by the distance to it, of what lies inside by the network. */
  #framed(
    box: Box | EdgeBox,
    { domain, truncation, normalisation }: NetworkFrame,
  ): readonly [number, number] | undefined {
    const { centre, scale } = normalisation
    const around = boxAroundEdges(box)
    const [lower, upper] = [new Float64Array(3), new Float64Array(3)]
    let [nearest, furthest] = [0, 0]
    for (let axis = 0; axis < 3; axis++) {
      const [low, high] = [around.lower[axis], around.upper[axis]]
      if (!(low <= high)) return undefined
      // Corners of turned boxes are rounded, and those of straight ones seen through a frame.
      const slack = 'lower' in box ? 0 : 1e-12 * (Math.abs(low) + Math.abs(high))
      nearest += Math.max(domain.lower[axis] - high - slack, low - slack - domain.upper[axis], 0) ** 2
      furthest += Math.max(domain.lower[axis] - low + slack, high + slack - domain.upper[axis], 0) ** 2
      lower[axis] = Math.max(domain.lower[axis], low)
      upper[axis] = Math.min(domain.upper[axis], high)
    }
    const outside = inSingle(truncation + Math.sqrt(nearest), truncation + Math.sqrt(furthest))
    if (nearest > 0) return outside
    const part = furthest === 0 ? box : ({ lower, upper } as unknown as Box)
    const edges = edgeBoxOf(part, centre, scale)
    const range = edges && this.#of(edges)
    if (!range) return undefined
    const inside = inSingle(scale * range[0], scale * range[1])
    return furthest === 0 ? inside : [Math.min(inside[0], outside[0]), Math.max(inside[1], outside[1])]
  }

  #of({ centre, halfEdges }: EdgeBox): readonly [number, number] | undefined {
    const reach = reachOfBox(centre, halfEdges)
    this.#prepare()
    const out = this.#out
    if (!this.#bounds!.of(centre, widened(halfEdges, SINGLE * reach), out)) return undefined
    const slack = this.#slack! * Math.max(1, reach)
    return inSingle(out[0] - slack, out[1] + slack)
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
