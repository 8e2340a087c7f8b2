/**
 * The network in plain code, one point at a time, sums in double precision: the fallback where WebAssembly SIMD is
 * missing, and the reference that every other backend is checked against.
 */
import type { Floats } from '../../math/floats.js'
import { requireQuery } from '../../math/require.js'
import type { Network, Tensors } from '../network.js'
import { checkCode, checkPosed } from '../network-checks.js'
import { denseOf, type NetworkShape } from '../network-shape.js'
import { ScalarGrid } from './grid.js'
import { ScalarLayers } from './scalar-layers.js'
import { createPosedTensors, type PosedTensors, poseTensors } from './scalar-pose.js'

export class ScalarNetwork implements Network {
  readonly backend = 'scalar'
  readonly shape: NetworkShape
  readonly #tensors: Tensors
  readonly #posed: PosedTensors
  readonly #layers: ScalarLayers
  readonly #warp: ScalarGrid | undefined
  readonly #grids: ScalarGrid[]
  /** Where X, the point at which the static grids are read, starts within the features. */
  readonly #restAt: number
  readonly #gradient = new Float64Array(3)
  #isPosed: boolean

  /** @param tensors  checked to be complete; kept, not copied */
  constructor(
    shape: NetworkShape,
    tensors: Tensors,
    readonly backendNote?: string,
  ) {
    this.shape = shape
    this.#tensors = tensors
    this.#posed = createPosedTensors(shape, tensors)
    this.#layers = new ScalarLayers(denseOf(shape), this.#posed)
    this.#warp = shape.warp ? new ScalarGrid(shape.warp, this.#posed.get('warp')!) : undefined
    this.#grids = shape.grids.map((grid, j) => new ScalarGrid(grid, tensors.get(`grid.${j}`)!))
    this.#restAt = shape.warp ? 3 : 0
    this.#isPosed = shape.code === 0
    if (this.#isPosed) poseTensors(shape, tensors, [], this.#posed)
  }

  pose(code: ArrayLike<number>): void {
    checkCode(this.shape, code)
    poseTensors(this.shape, this.#tensors, code, this.#posed)
    this.#isPosed = true
  }

  query(points: Floats, count: number, values: Floats, gradients?: Floats): void {
    checkPosed(this.#isPosed)
    requireQuery(points, count, values, gradients)
    for (let i = 0; i < count; i++) {
      values[i] = this.#forward(points, 3 * i)
      if (!gradients) continue
      this.#backward()
      for (let axis = 0; axis < 3; axis++) gradients[3 * i + axis] = this.#gradient[axis]
    }
  }

  dispose(): void {}

  #forward(points: Floats, at: number): number {
    const h = this.#layers.inputs
    // Single precision, as the kernels see the point.
    for (let axis = 0; axis < 3; axis++) h[axis] = Math.fround(points[at + axis])
    let next = 3
    if (this.#warp) {
      // Channel c lands at 3 + c; the first three are then replaced by X = q - w.
      this.#warp.sample(h, 0, h, 3)
      for (let axis = 0; axis < 3; axis++) h[3 + axis] = h[axis] - h[3 + axis]
      next += this.shape.warp!.channels
    }
    this.#grids.forEach((grid, j) => {
      grid.sample(h, this.#restAt, h, next)
      next += this.shape.grids[j].channels
    })
    this.#layers.forward()
    return this.#layers.outputs[0]
  }

  /** Reverse mode from the one output to the point, after #forward; leaves the answer in #gradient. */
  #backward(): void {
    this.#layers.outputGradient[0] = 1
    this.#layers.backward()
    const { inputs: h, inputGradient: g } = this.#layers
    let next = 3 + (this.shape.warp?.channels ?? 0)
    // With a warp, g[3..6) is the gradient with respect to X; without, X is q and the grids add to g[0..3).
    this.#grids.forEach((grid, j) => {
      grid.pullBack(h, this.#restAt, g, next, g, this.#restAt)
      next += this.shape.grids[j].channels
    })
    for (let axis = 0; axis < 3; axis++) this.#gradient[axis] = g[axis]
    if (this.#warp) {
      // X = q - w: the gradient of X goes to q as it is and to the first three channels with a minus.
      for (let axis = 0; axis < 3; axis++) {
        this.#gradient[axis] += g[3 + axis]
        g[3 + axis] = -g[3 + axis]
      }
      this.#warp.pullBack(h, 0, g, 3, this.#gradient, 0)
    }
  }
}
