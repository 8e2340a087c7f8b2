/**
 * Parts of an elastic body as bones of its network: each follows its own nodes, so that the network sees an ear from the
 * ear, however far it bends. A part's frame has the polar rotation R of its affine motion (part-motions.ts), its own axes
 * E at rest, and sits at its centre c. What bends the part (`drivers` of the network) is seen from there: its stretch
 * E^T (R^T F - I) E, six numbers, then for each of its neighbours how far that one's centre has moved,
 * E^T (R^T (c_n - c) - (C_n - C)) over the distance of the two at rest. Nothing of it sees rigid motion.
 */
import type { Vec3 } from '../../math/box.js'
import type { Floats } from '../../math/floats.js'
import { polarRotation } from '../../math/polar3.js'
import { requireFinite } from '../../math/require.js'
import { type BoneNetworkShape, MAX_DRIVERS } from './bone-shape.js'
import { AFFINE, type PartMotions } from './part-motions.js'
import type { PartFramesData } from './part-shape.js'
import { MAX_NEIGHBOURS, type PartsAtRest, type PartsBody, partsAtRest, STRETCH } from './parts-at-rest.js'

/** Parts that follow a body, whatever computes them. */
export interface PosedParts {
  /** Part to the frame of the nodes, column-major 4x4 each, of the last pose. */
  readonly matrices: Float64Array
  /** As the network takes them, [parts, 3 * MAX_DRIVERS], of the last pose. */
  readonly drivers: Float32Array
  /** Nodes that were followed last [m]; after a code, room for those of its shape. */
  readonly nodes: Float64Array
  /** Writes matrices and drivers of the shape that a code describes, in the body's rest frame. */
  pose(code: ArrayLike<number>): void
  /**
   * The same of the body where it is, with nothing left out.
   * @param nodes   all of them [m], xyz triples; copied
   * @param origin  from where matrices count places
   * @throws RangeError naming the first node that is not finite; nothing has changed then
   */
  follow(nodes: Floats, origin: Vec3): void
}

/** In plain code: where WebAssembly SIMD is missing, and what its kernels (wasm/simd-part-frames.ts) must equal. */
export class PartFrames implements PosedParts {
  readonly count: number
  readonly matrices: Float64Array
  readonly drivers: Float32Array
  readonly nodes: Float64Array
  readonly motions: PartMotions
  readonly atRest: PartsAtRest
  readonly #affine: Float64Array
  readonly #rotation = new Float64Array(9)
  /** R E, row by row. */
  readonly #frame = new Float64Array(9)

  /** At rest. @throws RangeError if lengths disagree */
  constructor(shape: Pick<BoneNetworkShape, 'bones'>, data: PartFramesData, body: PartsBody) {
    this.atRest = partsAtRest(shape, data, body)
    this.count = this.atRest.count
    this.motions = this.atRest.motions
    this.#affine = new Float64Array(AFFINE * this.count)
    this.matrices = new Float64Array(16 * this.count)
    this.drivers = new Float32Array(3 * MAX_DRIVERS * this.count)
    this.nodes = Float64Array.from(body.rest)
    this.poseNodes(body.rest, [0, 0, 0])
  }

  pose(code: ArrayLike<number>): void {
    this.motions.ofCode(code, this.#affine)
    this.#write()
  }

  follow(nodes: Floats, origin: Vec3): void {
    requireFinite('update', nodes, 'node', 3)
    this.nodes.set(nodes)
    this.poseNodes(nodes, origin)
  }

  /** As `follow`, of nodes that are known to be finite and need not be kept. */
  poseNodes(nodes: Floats, origin: Vec3): void {
    this.motions.ofNodes(nodes, origin, this.#affine)
    this.#write()
  }

  #write(): void {
    for (let part = 0; part < this.count; part++) {
      polarRotation(this.#affine, AFFINE * part, this.#rotation)
      this.#writeMatrix(part)
      this.#writeStretch(part)
      this.#writeNeighbours(part)
    }
  }

  #writeMatrix(part: number): void {
    const { matrices } = this
    const { axes } = this.atRest
    const r = this.#rotation
    const frame = this.#frame
    const m = 16 * part
    const e = 9 * part
    for (let column = 0; column < 3; column++) {
      const x = axes[e + column]
      const y = axes[e + 3 + column]
      const z = axes[e + 6 + column]
      matrices[m + 4 * column] = frame[column] = r[0] * x + r[1] * y + r[2] * z
      matrices[m + 4 * column + 1] = frame[3 + column] = r[3] * x + r[4] * y + r[5] * z
      matrices[m + 4 * column + 2] = frame[6 + column] = r[6] * x + r[7] * y + r[8] * z
    }
    const at = AFFINE * part + 9
    matrices[m + 12] = this.#affine[at]
    matrices[m + 13] = this.#affine[at + 1]
    matrices[m + 14] = this.#affine[at + 2]
    matrices[m + 15] = 1
  }

  /** (R E)^T F E - I, which is symmetric: xx, yy, zz, xy, xz, yz. */
  #writeStretch(part: number): void {
    const { axes } = this.atRest
    const frame = this.#frame
    const affine = this.#affine
    const f = AFFINE * part
    const to = 3 * MAX_DRIVERS * part
    for (let j = 0; j < 3; j++) {
      const e = 9 * part + j
      const x = affine[f] * axes[e] + affine[f + 1] * axes[e + 3] + affine[f + 2] * axes[e + 6]
      const y = affine[f + 3] * axes[e] + affine[f + 4] * axes[e + 3] + affine[f + 5] * axes[e + 6]
      const z = affine[f + 6] * axes[e] + affine[f + 7] * axes[e + 3] + affine[f + 8] * axes[e + 6]
      for (let i = 0; i <= j; i++) {
        const entry = i === j ? j : i + j + 2
        this.drivers[to + entry] = frame[i] * x + frame[3 + i] * y + frame[6 + i] * z - (i === j ? 1 : 0)
      }
    }
  }

  #writeNeighbours(part: number): void {
    const { drivers } = this
    const frame = this.#frame
    const affine = this.#affine
    const others = this.atRest.neighbours[part]
    const { resting } = this.atRest
    const c = AFFINE * part + 9
    let to = 3 * MAX_DRIVERS * part + STRETCH
    let at = 4 * MAX_NEIGHBOURS * part
    for (let n = 0; n < others.length; n++, to += 3, at += 4) {
      const other = AFFINE * others[n] + 9
      const x = affine[other] - affine[c]
      const y = affine[other + 1] - affine[c + 1]
      const z = affine[other + 2] - affine[c + 2]
      const inverse = resting[at + 3]
      drivers[to] = (frame[0] * x + frame[3] * y + frame[6] * z - resting[at]) * inverse
      drivers[to + 1] = (frame[1] * x + frame[4] * y + frame[7] * z - resting[at + 1]) * inverse
      drivers[to + 2] = (frame[2] * x + frame[5] * y + frame[8] * z - resting[at + 2]) * inverse
    }
  }
}
