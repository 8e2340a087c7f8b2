/**
 * An elastic body as a field: the network in bone frames, its bones the body's parts (net/bones/part-frames.ts), posed by
 * the code, or by the body's nodes, which is faster and leaves nothing out. Posed by a code, points, distances and
 * gradients are in the rest frame of the body [m].
 */
import type { Box, Vec3 } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import { requireFinite, requireItems } from '../math/require.js'
import type { ModalBody } from '../model/modal-body.js'
import type { BoneNetwork } from '../net/bones/bone-network.js'
import type { PartFrames } from '../net/bones/part-frames.js'
import { CodeRange } from './code-range.js'
import type { NeuralFrame } from './neural.js'
import type { NodePosedField, TrainedField } from './trained-field.js'

export class PartsField implements TrainedField, NodePosedField {
  readonly codeSize: number
  readonly network: BoneNetwork
  readonly #parts: PartFrames
  readonly #modal: ModalBody
  readonly #code: CodeRange
  /** Nodes that posed the field last, of which the code is made only if someone asks whether it was trained. */
  readonly #nodes: Float64Array
  #byNodes = false

  /** A field at rest; `pose` sets another shape. */
  constructor(
    { name, code }: Pick<NeuralFrame, 'name' | 'code'>,
    parts: PartFrames,
    network: BoneNetwork,
    modal: ModalBody,
  ) {
    this.codeSize = code.size
    this.network = network
    this.#parts = parts
    this.#modal = modal
    this.#nodes = new Float64Array(modal.rest.length)
    this.#code = new CodeRange(name, code)
    this.pose(this.#code.current)
  }

  /** @throws RangeError if the code has another length or is not finite */
  pose(code: ArrayLike<number>): void {
    this.#code.set(code)
    this.#byNodes = false
    this.#parts.pose(this.#code.current)
    this.network.pose(this.#parts.matrices, this.#parts.drivers)
  }

  /** @throws RangeError if there is another number of nodes, or naming one that is not finite */
  poseNodes(positions: Floats, origin: Vec3): void {
    requireItems('poseNodes', positions, 'node', this.#modal.nodeCount, 3)
    requireFinite('poseNodes', origin, 'coordinate of the origin')
    this.#nodes.set(positions)
    this.#byNodes = true
    this.#parts.poseNodes(positions, origin)
    this.network.pose(this.#parts.matrices, this.#parts.drivers)
  }

  get inDistribution(): boolean {
    if (this.#byNodes) this.#modal.encode(this.#nodes, this.#code.current, new Float64Array(16))
    return this.#code.holds
  }

  evaluate(points: Floats, count: number, out: Floats): void {
    this.network.evaluate(points, count, out)
  }

  gradient(points: Floats, count: number, outDistances: Floats, outGradients: Floats): void {
    this.network.gradient(points, count, outDistances, outGradients)
  }

  /** A learned field promises no bound. */
  bounds(_box: Box): undefined {
    return undefined
  }

  dispose(): void {
    this.network.dispose()
  }
}
