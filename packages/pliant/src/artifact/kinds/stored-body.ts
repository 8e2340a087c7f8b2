/**
 * An elastic body in an object's file: nodes, tetrahedra, masses and modes, from which the surface's own modes follow.
 * Modes are most of it, and bytes with a scale for each: a code is a sum over all nodes, which rounding hardly moves.
 */
import type { TetMesh } from '../../mesh/tet-mesh.js'
import { type CodeWeighting, ModalBody } from '../../model/modal-body.js'
import { narrowest, packBytes, unpackBytes } from '../compact.js'
import { type Tensors, take, takeIndices } from '../take.js'

/** A body to simulate, and the code that describes its shape to the network. */
export interface BodyOfModes {
  /** The body at rest: what a simulation such as `FemBody` takes. */
  mesh: TetMesh
  /** From nodes to rigid frame and code, and back. */
  modal: ModalBody
}

export interface StoredBodySizes {
  nodes: number
  tetrahedra: number
  weighting: CodeWeighting
}

export function storeBody(tensors: Tensors, { mesh, modal }: BodyOfModes): void {
  const nodes = modal.nodeCount
  tensors.set('body.rest', { shape: [nodes, 3], data: Float32Array.from(mesh.positions) })
  tensors.set('body.masses', { shape: [nodes], data: Float32Array.from(modal.masses) })
  const tetrahedra = narrowest(mesh.tetrahedra, nodes)
  tensors.set('body.tetrahedra', { shape: [mesh.tetrahedra.length / 4, 4], data: tetrahedra })
  const { bytes, scales } = packBytes(Float32Array.from(modal.modes), modal.codeSize, modeOf(nodes))
  tensors.set('body.modes', { shape: [modal.codeSize, nodes, 3], data: bytes })
  tensors.set('body.modes.scales', { shape: [modal.codeSize], data: scales })
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
  const modes = takeModes(tensors, codeSize, nodes)
  return { mesh: { positions: rest, tetrahedra }, modal: new ModalBody({ rest, masses, modes, weighting }) }
}

function takeModes(tensors: Tensors, codeSize: number, nodes: number): Float64Array {
  const scales = take(tensors, 'body.modes.scales', [codeSize], Float32Array)
  const bytes = take(tensors, 'body.modes', [codeSize, nodes, 3], Int8Array)
  return Float64Array.from(unpackBytes(bytes, scales, modeOf(nodes)))
}

/** The body as it comes back from a file, so that what is trained and judged is what users get. */
export function bodyAsStored(body: BodyOfModes): BodyOfModes {
  const tensors: Tensors = new Map()
  storeBody(tensors, body)
  const { nodeCount: nodes, codeSize, weighting } = body.modal
  return takeBody(tensors, { nodes, tetrahedra: body.mesh.tetrahedra.length / 4, weighting }, codeSize)
}

/** Which mode a value belongs to, by its place. */
function modeOf(nodes: number): (i: number) => number {
  return (i) => Math.floor(i / (3 * nodes))
}
