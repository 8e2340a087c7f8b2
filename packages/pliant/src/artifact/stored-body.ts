/**
 * An elastic body in an object's file: nodes, tetrahedra, masses and modes, from which the surface's own modes follow.
 * Modes are most of it, and 16-bit floats: times the root of the whole mass they are near 1 for bodies of any size.
 */
import { halfBits, halfValue } from '../math/half.js'
import type { TetMesh } from '../mesh/tet-mesh.js'
import { type CodeWeighting, ModalBody } from '../model/modal-body.js'
import { narrowest } from './compact.js'
import { type Tensors, take, takeIndices } from './take.js'

/** A body to simulate, and the code that describes its shape to the network. */
export interface BodyOfModes {
  mesh: TetMesh
  modal: ModalBody
}

export interface StoredBodySizes {
  nodes: number
  tetrahedra: number
  weighting: CodeWeighting
}

export function storeBody(tensors: Tensors, { mesh, modal }: BodyOfModes): void {
  const nodes = modal.nodeCount
  const unit = Math.sqrt(totalOf(modal.masses))
  tensors.set('body.rest', { shape: [nodes, 3], data: Float32Array.from(mesh.positions) })
  tensors.set('body.masses', { shape: [nodes], data: Float32Array.from(modal.masses) })
  const tetrahedra = narrowest(mesh.tetrahedra, nodes)
  tensors.set('body.tetrahedra', { shape: [mesh.tetrahedra.length / 4, 4], data: tetrahedra })
  const modes = Float32Array.from(modal.modes, (value) => value * unit)
  tensors.set('body.modes', { shape: [modal.codeSize, nodes, 3], data: modes, half: true })
}

/** @throws Error if a tensor is missing, of another shape, or names nodes that are not there */
export function takeBody(
  tensors: Tensors,
  { nodes, tetrahedra: count, weighting }: StoredBodySizes,
  codeSize: number,
): BodyOfModes {
  const rest = Float64Array.from(take(tensors, 'body.rest', [nodes, 3], Float32Array))
  const masses = Float64Array.from(take(tensors, 'body.masses', [nodes], Float32Array))
  const tetrahedra = takeIndices(tensors, 'body.tetrahedra', [count, 4], nodes)
  const unit = Math.sqrt(totalOf(masses))
  const modes = Float64Array.from(
    take(tensors, 'body.modes', [codeSize, nodes, 3], Float32Array),
    (value) => value / unit,
  )
  return { mesh: { positions: rest, tetrahedra }, modal: new ModalBody({ rest, masses, modes, weighting }) }
}

/** The body as it comes back from a file, so that what is trained and judged is what users get. */
export function bodyAsStored(body: BodyOfModes): BodyOfModes {
  const tensors: Tensors = new Map()
  storeBody(tensors, body)
  const modes = tensors.get('body.modes')!
  modes.data = Float32Array.from(modes.data, (value) => halfValue(halfBits(Number(value))))
  const { nodeCount: nodes, codeSize, weighting } = body.modal
  return takeBody(tensors, { nodes, tetrahedra: body.mesh.tetrahedra.length / 4, weighting }, codeSize)
}

function totalOf(masses: Float64Array): number {
  return masses.reduce((sum, mass) => sum + mass, 0)
}
