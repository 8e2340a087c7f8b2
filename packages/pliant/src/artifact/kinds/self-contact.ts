/**
 * A body of tetrahedra that bends by a few modes, and how near each of its shapes is to touching itself (Cai et al.).
 * Modes are stored as they were trained, in single precision and not as bytes: whether a shape touches itself is decided
 * by its last digits, and an exact test at run time must see what the labels saw.
 */
import { SelfContactField } from '../../learned/self-contact.js'
import { surfaceOfTets, type TetMesh } from '../../mesh/tet-mesh.js'
import type { LinearModes } from '../../model/linear-modes.js'
import { surfaceModes } from '../../model/surface-modes.js'
import { GapNetwork } from '../../net/gaps/gap-network.js'
import type { Tensors as NetworkTensors } from '../../net/network.js'
import { positive, wholeUpTo, wrong } from '../checks.js'
import { narrowest } from '../compact.js'
import type { Envelope } from '../manifest.js'
import type { GapsNetwork } from '../networks/gaps.js'
import { type SelfContactQuality, selfDistance } from '../self-contact-quality.js'
import { type Tensors, take, takeIndices } from '../take.js'
import { checkTetBody, requireSurface, type TetBodyModel } from './body-model.js'
import { requireBox } from './code-box.js'
import { boundsOf } from './linear-modes.js'
import type { AnyArtifact, ModelKind } from './model-kind.js'

/** Of a body that tells self-contact: how much of it the file holds, and how it vibrates. */
export interface SelfContactModel extends TetBodyModel {
  /** Name of the kind. */
  kind: 'self-contact'
  /** Squared angular frequency of each mode [1/s^2]: with the modes and the material, all that a simulation needs. */
  eigenvalues: number[]
  /** How many samples of each round of learning the file keeps; none if it keeps no rounds. */
  rounds: number[]
}

/** What a file that answers how near codes are to self-contact says of itself. */
export interface SelfContactManifest extends Envelope<SelfContactModel, { distance: GapsNetwork }> {
  /** Signed distances of codes. */
  kind: 'self-distance'
  /** How good it was measured to be; null if its answers were no numbers. */
  quality: SelfContactQuality | null
}

/** A body with what tells its self-contact, decoded from its file. */
export interface SelfContactArtifact extends AnyArtifact<SelfContactManifest> {
  /** Tells it from other artifacts. */
  kind: 'self-contact'
  /** What the file says of itself. */
  manifest: SelfContactManifest
  /** Tensors of each network that the manifest names. */
  networks: { distance: NetworkTensors }
  /** The surface of the tetrahedra, in the box of codes that was trained: what exact tests look at. */
  model: LinearModes
  /** All nodes, for a simulation. */
  body: ModalTets
  /** Samples of the rounds of learning, in their order; undefined if the file keeps none. */
  rounds: LearningRounds | undefined
}

/** A body of tetrahedra and the modes it bends by. */
export interface ModalTets {
  /** The body at rest [m]. */
  mesh: TetMesh
  /** Displacement fields of all nodes [m per unit of code], one after the other. */
  modes: Float64Array
}

/** What active learning asked for, round after round; `model.rounds` of the manifest says how many in each. */
export interface LearningRounds {
  /** Codes, one after the other. */
  codes: Float32Array
  /** 1 for a free code, -1 for one that touches itself. */
  signs: Int8Array
}

/** Far more rounds than anybody learns, and a count that tensors can have. */
const MOST_ROUNDS = 65_536
const MOST_SAMPLES = 2 ** 31

export const kind: ModelKind<SelfContactArtifact, SelfContactField> = {
  answers: selfDistance,
  networks: { distance: ['gaps'] },
  check(model) {
    checkTetBody(model)
    const { eigenvalues, rounds } = model
    if (!Array.isArray(eigenvalues)) throw wrong('model.eigenvalues', eigenvalues, 'a list')
    eigenvalues.forEach((value, k) => {
      positive(value, `model.eigenvalues[${k}]`)
    })
    if (!Array.isArray(rounds) || rounds.length > MOST_ROUNDS) throw wrong('model.rounds', rounds, 'a list of counts')
    rounds.forEach((count, k) => {
      wholeUpTo(count, MOST_SAMPLES, `model.rounds[${k}]`)
    })
  },
  context: ({ code, model }) => ({ codeSize: code.size, joints: 0, nodes: model.nodes }),
  store({ body, rounds, manifest: { code } }, tensors) {
    storeTets(tensors, body)
    if (!rounds) return
    tensors.set('rounds.codes', { shape: [rounds.signs.length, code.size], data: rounds.codes })
    tensors.set('rounds.signs', { shape: [rounds.signs.length], data: rounds.signs })
  },
  take({ model: sizes, code }, tensors) {
    requireBox(code)
    if (sizes.eigenvalues.length !== code.size) {
      throw wrong('model.eigenvalues', sizes.eigenvalues, `${code.size} numbers, one for each mode`)
    }
    const body = takeTets(tensors, sizes, code.size)
    const model = surfaceModes(
      { rest: body.mesh.positions, modes: body.modes },
      surfaceOfTets(body.mesh),
      boundsOf(code),
    )
    requireSurface(model, sizes)
    return { model, body, rounds: takeRounds(tensors, sizes.rounds, code.size) }
  },
  async field({ manifest: { code, networks: described }, networks }, options) {
    const network = await GapNetwork.create(described.distance.shape, networks.distance, options)
    return new SelfContactField(network, boundsOf(code))
  },
}

/** The body as it comes back from a file, so that what is labelled and learned is what users get. */
export function modalTetsAsStored(body: ModalTets): ModalTets {
  const { positions, tetrahedra } = body.mesh
  return {
    mesh: { positions: Float64Array.from(Float32Array.from(positions)), tetrahedra },
    modes: Float64Array.from(Float32Array.from(body.modes)),
  }
}

function storeTets(tensors: Tensors, { mesh: { positions, tetrahedra }, modes }: ModalTets): void {
  const nodes = positions.length / 3
  tensors.set('body.rest', { shape: [nodes, 3], data: Float32Array.from(positions) })
  tensors.set('body.tetrahedra', { shape: [tetrahedra.length / 4, 4], data: narrowest(tetrahedra, nodes) })
  tensors.set('body.modes', { shape: [modes.length / positions.length, nodes, 3], data: Float32Array.from(modes) })
}

/** @throws Error if a tensor is missing, of another shape, or names nodes that are not there */
function takeTets(tensors: Tensors, { nodes, tetrahedra }: SelfContactModel, codeSize: number): ModalTets {
  return {
    mesh: {
      positions: Float64Array.from(take(tensors, 'body.rest', [nodes, 3], Float32Array)),
      tetrahedra: takeIndices(tensors, 'body.tetrahedra', [tetrahedra, 4], nodes),
    },
    modes: Float64Array.from(take(tensors, 'body.modes', [codeSize, nodes, 3], Float32Array)),
  }
}

/** @throws Error if there are not as many samples as the rounds say, or a sign is none */
function takeRounds(tensors: Tensors, counts: readonly number[], codeSize: number): LearningRounds | undefined {
  const samples = counts.reduce((sum, count) => sum + count, 0)
  if (samples === 0) return undefined
  const codes = take(tensors, 'rounds.codes', [samples, codeSize], Float32Array)
  const signs = take(tensors, 'rounds.signs', [samples], Int8Array)
  const wrong = signs.findIndex((sign) => sign !== 1 && sign !== -1)
  if (wrong >= 0) {
    throw new Error(`artifact: rounds.signs[${wrong}] is ${signs[wrong]}, should be 1 or -1; train it again.`)
  }
  return { codes, signs }
}
