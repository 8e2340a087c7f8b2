/**
 * The field of an elastic body by the paper's way (Zesch et al. 2022, section 3.1): from its nodes a rigid frame and a
 * code (Eq. 1), by which a network of the whole body is posed; queries go into the rest frame and gradients back out.
 * Our own (parts.ts) needs neither.
 */

import type { CodeState, NodeState } from '../field/signed-field.js'
import { TransformedField } from '../field/transformed.js'
import type { Box } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import { requireState } from '../math/require.js'
import type { ModalBody } from '../model/modal-body.js'
import type { ElasticField, TrainedField } from './trained-field.js'

export class ModalField implements ElasticField {
  readonly codeSize: number
  /** The body's code as of the last update. */
  readonly code: Float64Array
  readonly #world: TransformedField
  readonly #frame = new Float64Array(16)

  /**
   * At rest.
   * @param model  modes of the body, whose nodes are those that will be followed
   * @param field  in the rest frame, by codes of `model`
   * @throws RangeError if the field takes codes of another length
   */
  constructor(
    readonly model: ModalBody,
    readonly field: TrainedField,
  ) {
    if (field.codeSize !== model.codeSize) {
      throw new RangeError(
        `elastic field: the field takes codes of ${field.codeSize}, the body has ${model.codeSize} modes; ` +
          'pass the body that the field was trained on.',
      )
    }
    this.codeSize = model.codeSize
    this.code = new Float64Array(model.codeSize)
    this.#world = new TransformedField(field)
    this.update({ code: this.code })
  }

  update(state: NodeState | CodeState): void {
    requireState('update', state, 'nodes', 'code')
    const byNodes = 'nodes' in state
    if (byNodes) this.model.encode(state.nodes, this.code, this.#frame)
    else this.#frame.set(AT_REST)
    this.field.update(byNodes ? { code: this.code } : state)
    if (!byNodes) this.code.set(state.code)
    this.#world.update({ frame: this.#frame })
  }

  get network() {
    return this.field.network
  }

  get probeError(): number {
    return this.field.probeError
  }

  get expectedError(): number {
    return this.field.expectedError
  }

  get trusted(): boolean {
    return this.field.trusted
  }

  query(points: Floats, count: number, distances: Floats, gradients?: Floats): void {
    this.#world.query(points, count, distances, gradients)
  }

  bounds(box: Box): readonly [number, number] | undefined {
    return this.#world.bounds(box)
  }

  dispose(): void {
    this.field.dispose()
  }
}

const AT_REST = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
