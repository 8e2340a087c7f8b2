/**
 * The learned field of an elastic body that moves. A network in the frames of its parts is posed by the nodes themselves,
 * wherever they are. Others (Zesch et al. 2022, section 3.1) need a rigid frame and a code (Eq. 1) first: queries go into
 * the rest frame and their gradients back out of it.
 */
import type { PosedField } from '../field/signed-field.js'
import { isNodePosed, knowsItsError, type NodePosedField } from '../learned/trained-field.js'
import type { Vec3 } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import { requireCount, requireGradientQuery, requireQuery } from '../math/require.js'
import type { ModalBody } from '../model/modal-body.js'
import { pointsToRest, vectorsToWorld } from './rigid-frame.js'
import type { TouchField } from './touch-field.js'

export class ElasticField implements TouchField {
  /** The body's code when it was followed last, if codes pose the field. */
  readonly code: Float64Array
  /** Column-major 4x4 from where queries are asked to the world; without rotation if nodes pose the field. */
  readonly frame = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
  private readonly byNodes: NodePosedField | undefined
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
    this.byNodes = isNodePosed(field) ? field : undefined
    this.follow(model.rest)
  }

  /** @throws RangeError if there is another number of nodes, or naming one that is not finite */
  follow(positions: Floats): void {
    if (this.byNodes) this.followNodes(this.byNodes, positions)
    else {
      this.model.encode(positions, this.code, this.frame)
      this.field.pose(this.code)
    }
  }

  /** Counted from a node near by, so that a body far from the origin loses no digits. */
  private followNodes(field: NodePosedField, positions: Floats): void {
    requireCount('poseNodes', positions, 'node', this.model.nodeCount, 3)
    const origin: Vec3 = [positions[0], positions[1], positions[2]]
    field.poseNodes(positions, origin)
    this.frame.set(origin, 12)
  }

  /** Mean error of distances near the surface to be expected where the body is [m]; NaN if the field does not tell. */
  get expectedError(): number {
    return knowsItsError(this.field) ? this.field.expectedError : Number.NaN
  }

  /** Whether that is ordinary (`TrainedField.trusted`); false if the field does not tell. */
  get trusted(): boolean {
    return knowsItsError(this.field) && this.field.trusted
  }

  /** Distances alone, as `SignedField.evaluate`, of points in the world. */
  evaluate(points: Floats, count: number, out: Floats): void {
    requireQuery(points, count, out)
    this.carry(points, count)
    this.field.evaluate(this.local, count, out)
  }

  gradient(points: Floats, count: number, outDistances: Floats, outGradients: Floats): void {
    requireGradientQuery(points, count, outDistances, outGradients)
    this.carry(points, count)
    this.field.gradient(this.local, count, outDistances, outGradients)
    vectorsToWorld(this.frame, count, outGradients)
  }

  /** Points from the world to where queries are asked. */
  private carry(points: Floats, count: number): void {
    if (this.local.length < 3 * count) this.local = new Float64Array(3 * count)
    pointsToRest(this.frame, points, count, this.local)
  }
}
