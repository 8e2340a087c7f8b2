/** An object that bends by a few modes: rest shape and displacements, each times an entry of the code. */
import { linearOwnError } from '../../learned/linear-own-error.js'
import { NeuralField } from '../../learned/neural.js'
import type { TrainedField } from '../../learned/trained-field.js'
import { LinearModes } from '../../model/linear-modes.js'
import { createNetwork } from '../../net/create-network.js'
import { signedDistance } from '../answers.js'
import { size32 } from '../checks.js'
import type { Manifest } from '../manifest.js'
import { frameOfManifest, type WholeNetwork } from '../networks/whole.js'
import { measuredErrors } from '../quality.js'
import { take } from '../take.js'
import type { ModelKind, PointArtifact } from './model-kind.js'

/** Of an object with modes: how much of it the file holds. */
export interface ModesModel {
  /** Name of the kind. */
  kind: 'linear-modes'
  /** Number of vertices; a count. */
  vertices: number
  /** Number of triangles; a count. */
  triangles: number
}

/** A trained object with modes, decoded from its file. */
export interface ModesArtifact extends PointArtifact<ModesModel, WholeNetwork> {
  /** Tells it from other artifacts. */
  kind: 'linear-modes'
  /** Code to surface [m]. */
  model: LinearModes
}

export const linearModes: ModelKind<ModesArtifact, TrainedField> = {
  answers: signedDistance,
  networks: { distance: ['whole'] },
  check(model) {
    size32(model['vertices'], 'model.vertices')
    size32(model['triangles'], 'model.triangles')
  },
  context: ({ code }) => ({ codeSize: code.size, joints: 0, nodes: 0 }),
  store({ model }, tensors) {
    const { vertexCount, codeSize, triangles } = model
    tensors.set('model.rest', { shape: [vertexCount, 3], data: Float32Array.from(model.rest) })
    tensors.set('model.modes', { shape: [codeSize, vertexCount, 3], data: Float32Array.from(model.modes) })
    tensors.set('model.triangles', { shape: [triangles.length / 3, 3], data: triangles })
  },
  take({ model: { vertices, triangles }, code }, tensors) {
    const model = new LinearModes({
      rest: Float64Array.from(take(tensors, 'model.rest', [vertices, 3], Float32Array)),
      modes: Float64Array.from(take(tensors, 'model.modes', [code.size, vertices, 3], Float32Array)),
      triangles: take(tensors, 'model.triangles', [triangles, 3], Uint32Array),
      bounds: boundsOf(code),
    })
    return { model }
  },
  async field({ manifest, model, networks }, options) {
    const network = manifest.networks.distance
    return wholeField(manifest, model, network, await createNetwork(network.shape, networks.distance, options))
  },
}

/** A field of a network of the whole object, which tells its own error by the modes of the surface. */
export function wholeField(
  manifest: Manifest,
  surface: LinearModes,
  network: WholeNetwork,
  created: Awaited<ReturnType<typeof createNetwork>>,
): NeuralField {
  const measured = measuredErrors(manifest.quality)
  const ownErrorAt = (code: Float64Array) => linearOwnError({ shape: surface, measured }, code)
  return new NeuralField(frameOfManifest(manifest, network), created, ownErrorAt)
}

export function boundsOf({ lower, upper }: { lower: readonly number[]; upper: readonly number[] }): {
  lower: Float64Array
  upper: Float64Array
} {
  return { lower: Float64Array.from(lower), upper: Float64Array.from(upper) }
}
