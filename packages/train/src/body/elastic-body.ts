/**
 * From tetrahedra to a body whose shape a few numbers describe: the softest vibrations of the body at rest (Zesch et al.
 * 2022, section 3.1), as its file will hold them.
 */
import { type BodyOfModes, bodyAsStored, type CodeWeighting, ModalBody, type TetMesh } from 'pliant'
import { type FemMaterial, lumpedMasses, restStiffness } from 'pliant/sim'
import { vibrationModes } from '../modes/vibration-modes.js'

export interface ElasticBodyOptions {
  /** How many; fewer where the body has not as many. */
  modes?: number
  weighting?: CodeWeighting
}
/** The paper's count. */
export const ELASTIC_BODY_DEFAULTS = { modes: 128, weighting: 'mass' } as const

/** A body of n nodes moves in 3 n ways, six of them rigid. */
const RIGID = 6

/** @throws Error if the mesh is no single body that can be simulated */
export function makeElasticBody(
  mesh: TetMesh,
  material: Required<Pick<FemMaterial, 'density' | 'young' | 'poisson'>>,
  options: ElasticBodyOptions = {},
): BodyOfModes {
  const { modes: asked, weighting } = { ...ELASTIC_BODY_DEFAULTS, ...options }
  const masses = lumpedMasses(mesh, material.density)
  const count = Math.min(asked, mesh.positions.length - RIGID)
  const { modes } = vibrationModes(restStiffness(mesh, material), masses, { count })
  return bodyAsStored({ mesh, modal: new ModalBody({ rest: mesh.positions, masses, modes, weighting }) })
}
