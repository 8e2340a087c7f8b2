/** A network in bone frames that also says what it can be over a box: bone-bounds.ts, widened as bounded-network.ts is. */
import type { Box, EdgeBox, Vec3 } from '../../math/box.js'
import type { Floats } from '../../math/floats.js'
import type { BoneNetwork } from '../bones/bone-network.js'
import { ScalarBoneNetwork } from '../bones/scalar-bone-network.js'
import type { Tensors } from '../network.js'
import { BoneBounds } from './bone-bounds.js'
import { requireSymbols, type Symbols } from './dense-bounds.js'
import { edgeBoxOf, reachOfBox, widened } from './edge-boxes.js'
import { inSingle, SINGLE, singleSlack } from './single-slack.js'

/** From so many sizes on, points are answered otherwise (bones/far-points.ts), and nothing is promised. */
const NEAR = 1000

export class BoundedBones implements BoneNetwork {
  readonly shape
  readonly backend
  readonly backendNote
  readonly #network: BoneNetwork
  readonly #tensors: Tensors
  readonly #symbols: Symbols
  #matrices: Float64Array = new Float64Array(0)
  #drivers: Float64Array = new Float64Array(0)
  readonly #middle = new Float64Array(3)
  readonly #out = new Float64Array(2)
  #bounds: BoneBounds | undefined
  #exact: ScalarBoneNetwork | undefined
  /** At the present pose [m]; undefined until somebody asks. */
  #slack: number | undefined

  /**
   * @param tensors  those that the network was made of; kept
   * @throws RangeError if there are no such symbols
   */
  constructor(network: BoneNetwork, tensors: Tensors, symbols: Symbols) {
    this.#symbols = requireSymbols(symbols)
    this.#network = network
    this.#tensors = tensors
    this.shape = network.shape
    this.backend = network.backend
    this.backendNote = network.backendNote
  }

  pose(matrices: ArrayLike<number>, drivers: ArrayLike<number>): void {
    this.#network.pose(matrices, drivers)
    this.#matrices = taken(matrices, this.#matrices)
    this.#drivers = taken(drivers, this.#drivers)
    this.#slack = undefined
  }

  query(points: Floats, count: number, distances: Floats, gradients?: Floats): void {
    this.#network.query(points, count, distances, gradients)
  }

  bounds(box: Box | EdgeBox, origin?: Vec3): readonly [number, number] | undefined {
    const edges = edgeBoxOf(box, origin)
    if (!edges) return undefined
    const { centre, halfEdges } = edges
    const { scale } = this.shape
    this.#prepare()
    const [middle, out] = [this.#middle, this.#out]
    const away = Math.max(...[0, 1, 2].map((axis) => Math.abs(centre[axis] - middle[axis]))) / scale
    const reach = reachOfBox(centre, halfEdges)
    if (!(away + reach / scale < NEAR)) return undefined
    if (!this.#bounds!.of(centre, widened(halfEdges, SINGLE * reach), out)) return undefined
    const slack = this.#slack! * Math.max(1, away + reach / scale)
    return inSingle(out[0] - slack, out[1] + slack)
  }

  dispose(): void {
    this.#network.dispose()
  }

  /** What bounds need at this pose. */
  #prepare(): void {
    if (this.#slack !== undefined) return
    const { shape } = this
    if (this.#bounds === undefined) {
      this.#bounds = new BoneBounds(shape, this.#tensors, this.#symbols)
      this.#exact = new ScalarBoneNetwork(shape, this.#tensors)
    }
    this.#bounds.pose(this.#matrices, this.#drivers)
    this.#exact!.pose(this.#matrices, this.#drivers)
    const { segments } = this.#bounds
    const bones = shape.bones.length
    this.#middle.fill(0)
    for (let i = 0; i < 6 * bones; i++) if (i % 6 < 3) this.#middle[i % 6] += segments[i] / bones
    const ask = (network: BoneNetwork) => (points: Float64Array, count: number, values: Float64Array) =>
      network.query(points, count, values)
    this.#slack = singleSlack(ask(this.#network), ask(this.#exact!), this.#middle, shape.scale)
  }
}

/** A copy, in the array that there is if it fits. */
function taken(from: ArrayLike<number>, to: Float64Array): Float64Array {
  if (to.length !== from.length) return Float64Array.from(from)
  for (let i = 0; i < to.length; i++) to[i] = from[i]
  return to
}
