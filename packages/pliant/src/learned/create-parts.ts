/** From the tensors of an elastic body's file to its field; loaded when the first such body is. */
import type { TetMesh } from '../mesh/tet-mesh.js'
import type { ModalBody } from '../model/modal-body.js'
import { createBoneNetwork } from '../net/bones/bone-network.js'
import type { BoneNetworkShape } from '../net/bones/bone-shape.js'
import { PartFrames } from '../net/bones/part-frames.js'
import { takeParts } from '../net/bones/part-shape.js'
import { createSimdPartFrames } from '../net/bones/wasm/simd-part-frames.js'
import type { NetworkOptions } from '../net/create-network.js'
import type { Tensors } from '../net/network.js'
import type { NeuralFrame } from './neural.js'
import type { Judged } from './own-error.js'
import { PartsField } from './parts.js'

/** @throws RangeError if a tensor is missing or has the wrong length */
export async function createPartsField(
  frame: Pick<NeuralFrame, 'name' | 'code'>,
  shape: BoneNetworkShape,
  tensors: Tensors,
  modal: ModalBody,
  options: NetworkOptions,
  judged?: Judged<TetMesh>,
): Promise<PartsField> {
  const plain = new PartFrames(shape, takeParts(tensors), modal)
  const network = await createBoneNetwork(shape, tensors, options)
  const parts = network.backend === 'scalar' ? plain : await createSimdPartFrames(plain.atRest, modal.nodeCount)
  return new PartsField(frame, parts, network, modal, judged)
}
