/**
 * From tetrahedra to a body whose shape a few numbers describe, as its file will hold them: the softest vibrations of the
 * body at rest (Zesch et al. 2022, section 3.1), or the displacements in which its poses differ most.
 */
import { type BodyOfModes, ModalBody, type TetMesh } from 'pliant'
import type { FemMaterial } from 'pliant/sim'
import { bodyAsStored, type CodeWeighting, lumpedMasses } from 'pliant/unstable'
import type { OwnThreadOptions } from '../pool/index.js'
import { modesOnThread } from './modes-on-thread.js'

export interface ElasticBodyOptions {
  /** How many; fewer where the body has not as many. */
  modes?: number
  weighting?: CodeWeighting
  /** Where they come from; by default from the poses, or from vibrations if there are none. */
  basis?: ModeBasis
}
export type ModeBasis = 'poses' | 'vibrations'

/** As many vibrations as the paper; 48 modes of poses leave out no more than those (docs/notes/body.md). */
export const ELASTIC_BODY_DEFAULTS = { modes: { poses: 48, vibrations: 128 }, weighting: 'mass' } as const

/** A body of n nodes moves in 3 n ways, six of them rigid. */
const RIGID = 6

/**
 * @param poses  positions of all nodes, pose after pose, to take the modes from
 * @throws Error if the mesh is no single body that can be simulated; the signal's reason if it is aborted
 */
export async function makeElasticBody(
  mesh: TetMesh,
  material: Required<Pick<FemMaterial, 'density' | 'young' | 'poisson'>>,
  { basis = 'poses', modes: asked, weighting = ELASTIC_BODY_DEFAULTS.weighting }: ElasticBodyOptions = {},
  poses?: Float32Array,
  thread: OwnThreadOptions = {},
): Promise<BodyOfModes> {
  const masses = lumpedMasses(mesh, material.density)
  const rest = mesh.positions
  const ofPoses = poses !== undefined && basis === 'poses'
  const most = asked ?? ELASTIC_BODY_DEFAULTS.modes[ofPoses ? 'poses' : 'vibrations']
  const count = Math.min(most, rest.length - RIGID)
  const modes = await modesOnThread({ mesh, material, count, ...(ofPoses ? { poses } : {}) }, thread)
  return bodyAsStored({ mesh, modal: new ModalBody({ rest, masses, modes, weighting }) })
}
