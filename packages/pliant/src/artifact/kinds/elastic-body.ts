/** A body that a simulation moves: tetrahedra, of which modes describe the shape (model/modal-body.ts). */
import type { ElasticField } from '../../learned/trained-field.js'
import { surfaceOfTets } from '../../mesh/tet-mesh.js'
import type { LinearModes } from '../../model/linear-modes.js'
import type { CodeWeighting } from '../../model/modal-body.js'
import { createNetwork } from '../../net/create-network.js'
import { signedDistance } from '../answers.js'
import { wrong } from '../checks.js'
import type { PartsNetwork } from '../networks/parts.js'
import type { WholeNetwork } from '../networks/whole.js'
import { measuredErrors } from '../quality.js'
import { checkTetBody, requireSurface, type TetBodyModel } from './body-model.js'
import { boundsOf, wholeField } from './linear-modes.js'
import type { ModelKind, PointArtifact } from './model-kind.js'
import { type BodyOfModes, storeBody, takeBody } from './stored-body.js'

/** Of an elastic body: how much of it the file holds, and what it is made of. */
export interface BodyModel extends TetBodyModel {
  /** Name of the kind. */
  kind: 'elastic-body'
  /** How nodes count in the code. */
  weighting: CodeWeighting
}

/** A trained elastic body, decoded from its file. */
export interface BodyArtifact extends PointArtifact<BodyModel, PartsNetwork | WholeNetwork> {
  /** Tells it from other artifacts. */
  kind: 'elastic-body'
  /** The surface of the tetrahedra. */
  model: LinearModes
  /** What moves, and where its code comes from. */
  body: BodyOfModes
}

export const kind: ModelKind<BodyArtifact, ElasticField> = {
  answers: signedDistance,
  networks: { distance: ['parts', 'whole'] },
  check(model) {
    checkTetBody(model)
    if (model['weighting'] !== 'mass' && model['weighting'] !== 'plain') {
      throw wrong('model.weighting', model['weighting'], "'mass' or 'plain'")
    }
  },
  context: ({ code, model }) => ({ codeSize: code.size, joints: 0, nodes: model.nodes }),
  store: ({ body }, tensors) => storeBody(tensors, body),
  take({ model: sizes, code }, tensors) {
    const body = takeBody(tensors, sizes, code.size)
    const model = body.modal.surfaceModel(surfaceOfTets(body.mesh), boundsOf(code))
    requireSurface(model, sizes)
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
