/** A body that a simulation moves: tetrahedra, of which modes describe the shape (model/modal-body.ts). */
import { surfaceOfTets } from '../../mesh/tet-mesh.js'
import type { LinearModes } from '../../model/linear-modes.js'
import type { CodeWeighting } from '../../model/modal-body.js'
import { createNetwork } from '../../net/create-network.js'
import { finite, object, positive, size32, wrong } from '../checks.js'
import type { PartsNetwork } from '../networks/parts.js'
import type { WholeNetwork } from '../networks/whole.js'
import { measuredErrors } from '../quality.js'
import { boundsOf, wholeField } from './linear-modes.js'
import type { AnyArtifact, ModelKind } from './model-kind.js'
import { type BodyOfModes, storeBody, takeBody } from './stored-body.js'

export interface BodyModel {
  kind: 'elastic-body'
  /** Of the surface. */
  vertices: number
  triangles: number
  nodes: number
  tetrahedra: number
  weighting: CodeWeighting
  /** What it was made of in the simulation that it was trained on. */
  material: BodyMaterial
  /** If it was made by filling a surface: how far the body's own lies from that one, mean and largest [m]. */
  moved?: { mean: number; max: number }
}

/** As `FemMaterial` of pliant/sim takes it. */
export interface BodyMaterial {
  density: number
  young: number
  poisson: number
  massDamping: number
  stiffnessDamping: number
}

export interface BodyArtifact extends AnyArtifact<BodyModel, PartsNetwork | WholeNetwork> {
  kind: 'elastic-body'
  /** The surface of the tetrahedra. */
  model: LinearModes
  /** What moves, and where its code comes from. */
  body: BodyOfModes
}

export const elasticBody: ModelKind<BodyArtifact> = {
  networks: { distance: ['parts', 'whole'] },
  check(model) {
    for (const key of ['vertices', 'triangles', 'nodes', 'tetrahedra']) size32(model[key], `model.${key}`)
    if (model['weighting'] !== 'mass' && model['weighting'] !== 'plain') {
      throw wrong('model.weighting', model['weighting'], "'mass' or 'plain'")
    }
    const material = object(model['material'], 'model.material')
    for (const key of ['density', 'young']) positive(material[key], `model.material.${key}`)
    for (const key of ['poisson', 'massDamping', 'stiffnessDamping']) finite(material[key], `model.material.${key}`)
    if (model['moved'] === undefined) return
    const moved = object(model['moved'], 'model.moved')
    for (const key of ['mean', 'max']) finite(moved[key], `model.moved.${key}`)
  },
  context: ({ code, model }) => ({ codeSize: code.size, joints: 0, nodes: model.nodes }),
  store: ({ body }, tensors) => storeBody(tensors, body),
  take({ model: sizes, code }, tensors) {
    const body = takeBody(tensors, sizes, code.size)
    const model = body.modal.surfaceModel(surfaceOfTets(body.mesh), boundsOf(code))
    const { vertices, triangles } = sizes
    if (model.vertexCount !== vertices || model.triangles.length !== 3 * triangles) {
      throw new Error(
        `artifact: its tetrahedra have ${model.vertexCount} vertices outside, should be ${vertices}; train it again.`,
      )
    }
    return { model, body }
  },
  async field({ manifest, model, body, networks }, options) {
    const network = manifest.networks.distance
    if (network.kind === 'whole') {
      const { ModalField } = await import('../../learned/modal.js')
      const created = await createNetwork(network.shape, networks.distance, options)
      return new ModalField(body.modal, wholeField(manifest, model, network, created))
    }
    // Kernels in bone frames are as large as all others together; pages without them need not load them.
    const { createPartsField } = await import('../../learned/create-parts.js')
    return createPartsField(manifest, network.shape, networks.distance, body.modal, options, {
      shape: body.mesh,
      measured: measuredErrors(manifest.quality),
    })
  },
}
