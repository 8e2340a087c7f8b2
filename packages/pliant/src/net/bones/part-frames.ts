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
import type { ModalBody } from '../../model/modal-body.js'
import { type BoneNetworkShape, MAX_DRIVERS } from './bone-shape.js'
import { AFFINE, PartMotions } from './part-motions.js'
import { type PartFramesData, partTensors, tensorsOfParts } from './part-shape.js'

/** Numbers that say how a part is stretched; neighbours take what is left of the drivers. */
const STRETCH = 6
export const MAX_NEIGHBOURS = (3 * MAX_DRIVERS - STRETCH) / 3

/** What parts follow: nodes at rest, their masses, and the modes of the code. */
export type PartsBody = Pick<ModalBody, 'rest' | 'masses' | 'modes' | 'codeSize'>

export class PartFrames {
  readonly count: number
  /** Part to the frame of the nodes, column-major 4x4 each, of the last pose. */
  readonly matrices: Float64Array
  /** As the network takes them, [parts, 3 * MAX_DRIVERS], of the last pose. */
  readonly drivers: Float32Array
  readonly motions: PartMotions
  readonly #axes: Float32Array
  readonly #neighbours: number[][]
  readonly #affine: Float64Array
  readonly #rotation = new Float64Array(9)
  /** R E, row by row. */
  readonly #frame = new Float64Array(9)

  /** At rest. @throws RangeError if lengths disagree */
  constructor({ bones }: Pick<BoneNetworkShape, 'bones'>, data: PartFramesData, body: PartsBody) {
    this.count = bones.length
    const tensors = tensorsOfParts(data)
    for (const [name, dims] of partTensors(this.count, body.masses.length)) {
      const { length } = tensors.get(name)!
      if (length !== dims[0] * dims[1]) {
        throw new RangeError(`parts: ${name} has ${length} values; ${this.count} parts of this body need [${dims}].`)
      }
    }
    this.motions = new PartMotions(body, data.weights)
    this.#axes = data.axes
    this.#neighbours = bones.map(({ drivers }) => drivers)
    for (const neighbour of this.#neighbours.flat()) {
      if (!(neighbour < this.count)) throw new RangeError(`parts: a neighbour is ${neighbour} of ${this.count} parts.`)
    }
    this.#affine = new Float64Array(AFFINE * this.count)
    this.matrices = new Float64Array(16 * this.count)
    this.drivers = new Float32Array(3 * MAX_DRIVERS * this.count)
    this.poseNodes(body.rest, [0, 0, 0])
  }

  /** Writes matrices and drivers of the shape that a code describes, in the body's rest frame. */
  pose(code: ArrayLike<number>): void {
    this.motions.ofCode(code, this.#affine)
    this.#write()
  }

  /**
   * The same of the body where it is, with nothing left out.
   * @param positions  of all nodes [m], xyz triples
   * @param origin     from where matrices count places
   */
  poseNodes(positions: Floats, origin: Vec3): void {
    this.motions.ofNodes(positions, origin, this.#affine)
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
    const axes = this.#axes
    const [r, frame, m] = [this.#rotation, this.#frame, 16 * part]
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) {
        const e = 9 * part + column
        const value = r[3 * row] * axes[e] + r[3 * row + 1] * axes[e + 3] + r[3 * row + 2] * axes[e + 6]
        frame[3 * row + column] = value
        this.matrices[m + 4 * column + row] = value
      }
      this.matrices[m + 12 + row] = this.#affine[AFFINE * part + 9 + row]
    }
    this.matrices[m + 15] = 1
  }

  /** (R E)^T F E - I, which is symmetric: xx, yy, zz, xy, xz, yz. */
  #writeStretch(part: number): void {
    const axes = this.#axes
    const [frame, f, e, to] = [this.#frame, AFFINE * part, 9 * part, 3 * MAX_DRIVERS * part]
    for (let entry = 0; entry < STRETCH; entry++) {
      const i = ROWS[entry]
      const j = COLUMNS[entry]
      let sum = i === j ? -1 : 0
      for (let row = 0; row < 3; row++) {
        let image = 0
        for (let k = 0; k < 3; k++) image += this.#affine[f + 3 * row + k] * axes[e + 3 * k + j]
        sum += frame[3 * row + i] * image
      }
      this.drivers[to + entry] = sum
    }
  }

  #writeNeighbours(part: number): void {
    const [axes, { centres }] = [this.#axes, this.motions]
    const [frame, affine] = [this.#frame, this.#affine]
    let to = 3 * MAX_DRIVERS * part + STRETCH
    for (const other of this.#neighbours[part]) {
      let squared = 0
      for (let row = 0; row < 3; row++) squared += (centres[3 * other + row] - centres[3 * part + row]) ** 2
      const distance = Math.sqrt(squared) || 1
      for (let axis = 0; axis < 3; axis++) {
        let sum = 0
        for (let row = 0; row < 3; row++) {
          sum += frame[3 * row + axis] * (affine[AFFINE * other + 9 + row] - affine[AFFINE * part + 9 + row])
          sum -= axes[9 * part + 3 * row + axis] * (centres[3 * other + row] - centres[3 * part + row])
        }
        this.drivers[to++] = sum / distance
      }
    }
  }
}

/** Of the six entries of a symmetric matrix. */
const ROWS = [0, 1, 2, 0, 0, 1]
const COLUMNS = [0, 1, 2, 1, 2, 2]
