/**
 * One file per trained object: manifest, network tensors and the reduced model itself, so that a page can draw the
 * object and ask it with nothing else at hand.
 */
import { LinearModes } from '../model/linear-modes.js'
import type { Tensors } from '../net/network.js'
import { networkTensors } from '../net/network-shape.js'
import { type Manifest, readManifest } from './manifest.js'
import { decodeSafetensors, encodeSafetensors, type StoredTensor } from './safetensors.js'
import { requireNoneLeft, take } from './take.js'

export interface Artifact {
  manifest: Manifest
  model: LinearModes
  network: Tensors
}

export function encodeArtifact({ manifest, model, network }: Artifact): Uint8Array<ArrayBuffer> {
  const tensors = new Map<string, StoredTensor>()
  tensors.set('model.rest', { shape: [model.vertexCount, 3], data: Float32Array.from(model.rest) })
  tensors.set('model.modes', {
    shape: [model.codeSize, model.vertexCount, 3],
    data: Float32Array.from(model.modes),
  })
  tensors.set('model.triangles', { shape: [model.triangles.length / 3, 3], data: model.triangles })
  for (const [name, shape] of networkTensors(manifest.network)) {
    const data = network.get(name)
    if (!data) throw new Error(`artifact: tensor ${name} is missing; the network's shape asks for [${shape}].`)
    tensors.set(name, { shape, data })
  }
  return encodeSafetensors({ metadata: { format: 'pliant', manifest: JSON.stringify(manifest) }, tensors })
}

/** @throws Error in one line if the bytes are not a whole artifact of a version that we read */
export function decodeArtifact(bytes: Uint8Array): Artifact {
  const { metadata, tensors } = decodeSafetensors(bytes)
  if (metadata['format'] !== 'pliant' || metadata['manifest'] === undefined) {
    throw new Error('artifact: this safetensors file is not a Pliant artifact; make one with `pliant train`.')
  }
  const manifest = readManifest(metadata['manifest'])
  const { vertices, triangles } = manifest.model
  const codeSize = manifest.code.size

  const network = new Map<string, Float32Array>()
  for (const [name, shape] of networkTensors(manifest.network))
    network.set(name, take(tensors, name, shape, Float32Array))

  const model = new LinearModes({
    rest: Float64Array.from(take(tensors, 'model.rest', [vertices, 3], Float32Array)),
    modes: Float64Array.from(take(tensors, 'model.modes', [codeSize, vertices, 3], Float32Array)),
    triangles: take(tensors, 'model.triangles', [triangles, 3], Uint32Array),
    bounds: { lower: Float64Array.from(manifest.code.lower), upper: Float64Array.from(manifest.code.upper) },
  })
  requireNoneLeft(tensors)
  return { manifest, model, network }
}
