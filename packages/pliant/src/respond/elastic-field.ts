/**
 * The learned field of an elastic body that moves (Zesch et al. 2022, section 3.1): its nodes give a rigid frame and a
 * code (Eq. 1), the field is posed by the code, and queries go into the rest frame and their gradients back out of it.
 */
import type { PosedField } from '../field/signed-field.js'
import type { Floats } from '../math/floats.js'
import type { ModalBody } from '../model/modal-body.js'
import { pointsToRest, vectorsToWorld } from './rigid-frame.js'
import type { TouchField } from './touch-field.js'

export class ElasticField implements TouchField {
  /** The body's code and its rigid frame, a column-major 4x4 from rest to world, when it was followed last. */
  readonly code: Float64Array
  readonly frame = new Float64Array(16)
  private local = new Float64Array(0)

  /**
   * @param model  modes of the body, whose nodes are those that will be followed
   * @param field  in the rest frame, posed by codes of `model`
   * @throws RangeError if the field takes codes of another length
   */
  constructor(
    readonly model: ModalBody,
    readonly field: PosedField,
  ) {
    if (field.codeSize !== model.codeSize) {
      throw new RangeError(
        `elastic field: the field takes codes of ${field.codeSize}, the body has ${model.codeSize} modes; ` +
          'pass the body that the field was trained on.',
      )
    }
    this.code = new Float64Array(model.codeSize)
    this.follow(model.rest)
  }

  follow(positions: Floats): void {
    this.model.encode(positions, this.code, this.frame)
    this.field.pose(this.code)
  }

  gradient(points: Floats, count: number, outDistances: Floats, outGradients: Floats): void {
    if (this.local.length < 3 * count) this.local = new Float64Array(3 * count)
    pointsToRest(this.frame, points, count, this.local)
    this.field.gradient(this.local, count, outDistances, outGradients)
    vectorsToWorld(this.frame, count, outGradients)
  }
}
