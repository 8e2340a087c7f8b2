/** The trained bodies that are squeezed and thrown: what each is, and a field of it as often as it is needed. */
import {
  BoxedField,
  boxOfPoints,
  decode,
  type ElasticField,
  type LinearModes,
  load,
  type MovingField,
  type NodeState,
  type TrainedField,
} from 'pliant'
import { boxDiagonal, expectKind } from 'pliant/unstable'
import { exactNodes, type NodesField, type SqueezeSubject } from 'pliant/unstable/blocks'

/** Bytes of trained files: two elastic bodies (system A1), and a bar of three modes. */
export interface SoftFiles {
  bunny: Uint8Array
  hand: Uint8Array
  bar: Uint8Array
}

export interface SoftBody {
  name: string
  subject: SqueezeSubject
  /** Diagonal of the box at rest [m]. */
  size: number
  /** Another field of it by its network; `dispose` when done. */
  learned(): Promise<ElasticField>
}

/** Fields are asked this near the body's box, as a share of its size: more than anything goes in a step. */
const MARGIN = 0.3

export async function openSoftBody(name: string, bytes: Uint8Array): Promise<SoftBody> {
  const artifact = expectKind(
    await decode(bytes),
    'elastic-body',
    () => new Error(`bench contact: the file of the ${name} holds no elastic body; pass what 'pliant train' wrote.`),
  )
  const { mesh } = artifact.body
  return {
    name,
    subject: { mesh, material: artifact.manifest.model.material },
    size: boxDiagonal(boxOfPoints(mesh.positions)),
    learned: () => load(artifact),
  }
}

export interface Bar {
  model: LinearModes
  learned(): Promise<TrainedField>
}

export async function openBar(bytes: Uint8Array): Promise<Bar> {
  const artifact = await decode(bytes, 'linear-modes')
  return { model: artifact.model, learned: () => load(artifact) }
}

/** Asked only near the body, as any scene would. */
export const boxedNodes =
  (field: MovingField<NodeState>): NodesField =>
  ({ size }) =>
    new BoxedField(field, { margin: MARGIN * size, boxOf: ({ nodes }) => boxOfPoints(nodes) })

export const boxedExact: NodesField = (body) => boxedNodes(exactNodes(body))(body)
