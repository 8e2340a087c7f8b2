/**
 * An elastic body as a field: the network in bone frames, its bones the body's parts (net/bones/part-frames.ts), posed by
 * the code, or by the body's nodes, which is faster and leaves nothing out. Posed by a code, points, distances and
 * gradients are in the rest frame of the body [m].
 */
import type { Box, Vec3 } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import { requireItems, requireNumbers } from '../math/require.js'
import { gatherVertices } from '../mesh/gather-vertices.js'
import { surfaceOfTets, type TetMesh } from '../mesh/tet-mesh.js'
import type { TriangleMesh } from '../mesh/triangle-mesh.js'
import type { ModalBody } from '../model/modal-body.js'
import type { BoneNetwork } from '../net/bones/bone-network.js'
import type { PartFrames } from '../net/bones/part-frames.js'
import { CheckedCode } from './checked-code.js'
import type { NeuralFrame } from './neural.js'
import { type Judged, OwnError } from './own-error.js'
import type { NodePosedField, TrainedField } from './trained-field.js'

export class PartsField implements TrainedField, NodePosedField {
  readonly codeSize: number
  readonly network: BoneNetwork
  readonly #parts: PartFrames
  readonly #modal: ModalBody
  readonly #code: CheckedCode
  readonly #ownError: OwnError | undefined
  /** Where nodes are, for whoever asks what the field is off by; from the code, if that posed it, only then. */
  readonly #nodes: Float64Array
  #origin: Vec3 = [0, 0, 0]
  #byNodes = false

  /**
   * A field at rest; `pose` sets another shape.
   * @param judged  without it, the field cannot tell its own error
   */
  constructor(
    { name, code }: Pick<NeuralFrame, 'name' | 'code'>,
    parts: PartFrames,
    network: BoneNetwork,
    modal: ModalBody,
    judged?: Judged<TetMesh>,
  ) {
    this.codeSize = code.size
    this.network = network
    this.#parts = parts
    this.#modal = modal
    this.#nodes = new Float64Array(modal.rest.length)
    this.#code = new CheckedCode(name, code.size)
    this.#ownError = judged && this.#ownErrorOf(judged)
    this.pose(this.#code.values)
  }

  /** @throws RangeError if the code has another length or is not finite */
  pose(code: ArrayLike<number>): void {
    this.#code.set(code)
    this.#ownError?.forget()
    this.#byNodes = false
    this.#parts.pose(this.#code.values)
    this.network.pose(this.#parts.matrices, this.#parts.drivers)
  }

  /** @throws RangeError if there is another number of nodes, or naming one that is not finite */
  poseNodes(positions: Floats, origin: Vec3): void {
    requireItems('poseNodes', positions, 'node', this.#modal.nodeCount, 3)
    requireNumbers('poseNodes', origin, 'coordinate of the origin', 3)
    this.#nodes.set(positions)
    this.#origin = origin
    this.#ownError?.forget()
    this.#byNodes = true
    this.#parts.poseNodes(positions, origin)
    this.network.pose(this.#parts.matrices, this.#parts.drivers)
  }

  get probeError(): number {
    return this.#ownError?.atProbes(this) ?? Number.NaN
  }

  get expectedError(): number {
    return this.#ownError?.expected(this) ?? Number.NaN
  }

  get trusted(): boolean {
    return this.#ownError?.isTrusted(this) ?? false
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

  #ownErrorOf({ shape, measured }: Judged<TetMesh>): OwnError {
    // In the numbers of nodes.
    const surface = (): TriangleMesh => {
      const { triangles, nodeOfVertex } = surfaceOfTets(shape)
      return { positions: shape.positions, triangles: triangles.map((vertex) => nodeOfVertex[vertex]) }
    }
    const place = (nodes: Uint32Array, out: Float64Array): void => {
      if (!this.#byNodes) this.#modal.positions(this.#code.values, this.#nodes)
      gatherVertices(this.#nodes, nodes, out)
      if (!this.#byNodes) return
      const [x, y, z] = this.#origin
      for (let i = 0; i < out.length; i += 3) {
        out[i] -= x
        out[i + 1] -= y
        out[i + 2] -= z
      }
    }
    return new OwnError(surface, place, measured)
  }
}
