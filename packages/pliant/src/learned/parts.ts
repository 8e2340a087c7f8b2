/**
 * An elastic body as a field: the network in bone frames, its bones the body's parts (net/bones/part-frames.ts), which
 * follow the body's nodes wherever they are. Answers in the world [m]; for a code, in the rest frame of the body.
 */

import type { CodeState, NodeState } from '../field/signed-field.js'
import type { Box, EdgeBox, Vec3 } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import { requireCount, requireQuery, requireState } from '../math/require.js'
import { gatherVertices } from '../mesh/gather-vertices.js'
import { surfaceOfTets, type TetMesh } from '../mesh/tet-mesh.js'
import type { TriangleMesh } from '../mesh/triangle-mesh.js'
import type { ModalBody } from '../model/modal-body.js'
import type { BoneNetwork } from '../net/bones/bone-network.js'
import type { PosedParts } from '../net/bones/part-frames.js'
import { CheckedCode } from './checked-code.js'
import type { NeuralFrame } from './neural.js'
import { type Judged, OwnError } from './own-error.js'
import type { ElasticField } from './trained-field.js'

const NOWHERE: Vec3 = [0, 0, 0]

export class PartsField implements ElasticField {
  readonly codeSize: number
  readonly network: BoneNetwork
  readonly #parts: PosedParts
  readonly #modal: ModalBody
  readonly #code: CheckedCode
  readonly #ownError: OwnError | undefined
  /** Points are counted from here, so that a body far from the world's origin loses no digits. */
  #origin: Vec3 = NOWHERE
  #byNodes = false
  #local = new Float64Array(0)

  /**
   * A field at rest; `update` sets another shape.
   * @param judged  without it, the field cannot tell its own error
   */
  constructor(
    { name, code }: Pick<NeuralFrame, 'name' | 'code'>,
    parts: PosedParts,
    network: BoneNetwork,
    modal: ModalBody,
    judged?: Judged<TetMesh>,
  ) {
    this.codeSize = code.size
    this.network = network
    this.#parts = parts
    this.#modal = modal
    this.#code = new CheckedCode(name, code.size)
    this.#ownError = judged && this.#ownErrorOf(judged)
    this.update({ code: this.#code.values })
  }

  /** @throws RangeError if the code has another length, there is another number of nodes, or one is not finite */
  update(state: NodeState | CodeState): void {
    requireState('update', state, 'nodes', 'code')
    if ('nodes' in state) this.#follow(state.nodes)
    else {
      this.#code.set(state.code)
      this.#origin = NOWHERE
      this.#parts.pose(this.#code.values)
    }
    this.#byNodes = 'nodes' in state
    this.#ownError?.forget()
    this.network.pose(this.#parts.matrices, this.#parts.drivers)
  }

  #follow(nodes: Floats): void {
    requireCount('update', nodes, 'node', this.#modal.nodeCount, 3)
    const origin: Vec3 = [nodes[0], nodes[1], nodes[2]]
    this.#parts.follow(nodes, origin)
    this.#origin = origin
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

  query(points: Floats, count: number, distances: Floats, gradients?: Floats): void {
    requireQuery(points, count, distances, gradients)
    this.network.query(this.#counted(points, count), count, distances, gradients)
  }

  /** Points as the network takes them: counted from the origin. */
  #counted(points: Floats, count: number): Floats {
    if (this.#origin === NOWHERE) return points
    if (this.#local.length < 3 * count) this.#local = new Float64Array(3 * count)
    const local = this.#local
    const [x, y, z] = this.#origin
    for (let i = 0; i < 3 * count; i += 3) {
      local[i] = points[i] - x
      local[i + 1] = points[i + 1] - y
      local[i + 2] = points[i + 2] - z
    }
    return local
  }

  /** None unless the field was loaded with bounds. */
  bounds(box: Box): readonly [number, number] | undefined {
    return this.boundsOver(box)
  }

  boundsOver(box: Box | EdgeBox): readonly [number, number] | undefined {
    return this.network.bounds?.(box, this.#origin)
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
      // After a code nobody has needed them yet.
      const all = this.#parts.nodes
      if (!this.#byNodes) this.#modal.positions(this.#code.values, all)
      gatherVertices(all, nodes, out)
    }
    return new OwnError(surface, place, measured)
  }
}
