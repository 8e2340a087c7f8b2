/**
 * One file per trained object: manifest, network tensors and the reduced model itself, so that a page can draw the
 * object and ask it with nothing else at hand.
 */
import { surfaceOfTets } from '../mesh/tet-mesh.js'
import { LinearModes } from '../model/linear-modes.js'
import type { Tensors } from '../net/network.js'
import { networkTensors } from '../net/network-shape.js'
import { type Manifest, readManifest } from './manifest.js'
import { isInParts } from './object-network.js'
import { decodeSafetensors, encodeSafetensors, type StoredTensor } from './safetensors.js'
import { type BodyOfModes, storeBody, takeBody } from './stored-body.js'
import { storeParts, takePartsNetwork } from './stored-parts.js'
import { requireNoneLeft, type Tensors as StoredTensors, take } from './take.js'

/** A trained object, decoded from its file. */
export interface Artifact {
  /** What the file says of itself. */
  manifest: Manifest
  /** The surface; of an elastic body, that of its tetrahedra. */
  model: LinearModes
  /** Of an elastic body: what moves, and where its code comes from. */
  body?: BodyOfModes
  /** The network's weights by name. */
  network: Tensors
}

export function encodeArtifact({ manifest, model, body, network }: Artifact): Uint8Array<ArrayBuffer> {
  const tensors = new Map<string, StoredTensor>()
  if (body) storeBody(tensors, body)
  else storeModes(tensors, model)
  storeNetwork(tensors, manifest, network)
  return encodeSafetensors({ metadata: { format: 'pliant', manifest: JSON.stringify(manifest) }, tensors })
}

/**
 * Reads a trained object without loading its network: its manifest, its model and, of an elastic body, its mesh.
 * @throws Error in one line if the bytes are not a whole artifact of a version that we read
 */
export function decodeArtifact(bytes: Uint8Array): Artifact {
  const { metadata, tensors } = decodeSafetensors(bytes)
  if (metadata['format'] !== 'pliant' || metadata['manifest'] === undefined) {
    throw new Error('artifact: this safetensors file is not a Pliant artifact; make one with `pliant train`.')
  }
  const manifest = readManifest(metadata['manifest'])
  const codeSize = manifest.code.size
  const network = takeNetwork(tensors, manifest)
  const bounds = { lower: Float64Array.from(manifest.code.lower), upper: Float64Array.from(manifest.code.upper) }
  if (manifest.model.kind === 'linear-modes') {
    const model = takeModes(tensors, manifest.model, bounds)
    requireNoneLeft(tensors)
    return { manifest, model, network }
  }
  const body = takeBody(tensors, manifest.model, codeSize)
  requireNoneLeft(tensors)
  const model = body.modal.surfaceModel(surfaceOfTets(body.mesh), bounds)
  const { vertices, triangles } = manifest.model
  if (model.vertexCount !== vertices || model.triangles.length !== 3 * triangles) {
    throw new Error(
      `artifact: its tetrahedra have ${model.vertexCount} vertices outside, should be ${vertices}; train it again.`,
    )
  }
  return { manifest, model, body, network }
}

function storeNetwork(tensors: StoredTensors, { network: shape, model }: Manifest, network: Tensors): void {
  if (isInParts(shape)) {
    storeParts(shape, nodesOf(model), network, tensors)
    return
  }
  for (const [name, dims] of networkTensors(shape)) {
    const data = network.get(name)
    if (!data) throw new Error(`artifact: tensor ${name} is missing; the network's shape asks for [${dims}].`)
    tensors.set(name, { shape: dims, data })
  }
}

function takeNetwork(tensors: StoredTensors, { network: shape, model }: Manifest): Map<string, Float32Array> {
  if (isInParts(shape)) return takePartsNetwork(shape, nodesOf(model), tensors)
  const names = [...networkTensors(shape)]
  return new Map(names.map(([name, dims]) => [name, take(tensors, name, dims, Float32Array)]))
}

/** The manifest was checked: only bodies have parts. */
function nodesOf(model: Manifest['model']): number {
  return model.kind === 'elastic-body' ? model.nodes : 0
}

function storeModes(tensors: Map<string, StoredTensor>, model: LinearModes): void {
  const { vertexCount, codeSize, triangles } = model
  tensors.set('model.rest', { shape: [vertexCount, 3], data: Float32Array.from(model.rest) })
  tensors.set('model.modes', { shape: [codeSize, vertexCount, 3], data: Float32Array.from(model.modes) })
  tensors.set('model.triangles', { shape: [triangles.length / 3, 3], data: triangles })
}

function takeModes(
  tensors: Map<string, StoredTensor>,
  { vertices, triangles }: { vertices: number; triangles: number },
  bounds: { lower: Float64Array; upper: Float64Array },
): LinearModes {
  return new LinearModes({
    rest: Float64Array.from(take(tensors, 'model.rest', [vertices, 3], Float32Array)),
    modes: Float64Array.from(take(tensors, 'model.modes', [bounds.lower.length, vertices, 3], Float32Array)),
    triangles: take(tensors, 'model.triangles', [triangles, 3], Uint32Array),
    bounds,
  })
}
