/**
 * An elastic body as a field: the network in bone frames, its bones the body's parts (net/bones/part-frames.ts), posed by
 * the code, or by the body's nodes, which is faster and leaves nothing out. Posed by a code, points, distances and
 * gradients are in the rest frame of the body [m].
 */
import type { Box, Vec3 } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import type { BoneNetwork } from '../net/bones/bone-network.js'
import type { PartFrames } from '../net/bones/part-frames.js'
import { CodeRange } from './code-range.js'
import type { NeuralFrame } from './neural.js'
import type { NodePosedField, TrainedField } from './trained-field.js'

export class PartsField implements TrainedField, NodePosedField {
  readonly codeSize: number
  readonly network: BoneNetwork
  readonly #parts: PartFrames
  readonly #code: CodeRange

  /** A field at rest; `pose` sets another shape. */
  constructor({ name, code }: Pick<NeuralFrame, 'name' | 'code'>, parts: PartFrames, network: BoneNetwork) {
    this.codeSize = code.size
    this.network = network
    this.#parts = parts
    this.#code = new CodeRange(name, code)
    this.pose(this.#code.current)
  }

  /** @throws RangeError if the code has another length or is not finite */
  pose(code: ArrayLike<number>): void {
    this.#code.set(code)
    this.#parts.pose(this.#code.current)
    this.network.pose(this.#parts.matrices, this.#parts.drivers)
  }

  poseNodes(positions: Floats, origin: Vec3): void {
    this.#parts.poseNodes(positions, origin)
    this.network.pose(this.#parts.matrices, this.#parts.drivers)
  }

  get inDistribution(): boolean {
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
