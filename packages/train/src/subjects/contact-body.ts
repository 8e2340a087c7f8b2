/**
 * A body whose self-contact is learned: tetrahedra, a few of their vibrations, each scaled by what pulling at the body
 * makes of it. What the file will hold is what is learned from: positions and modes are rounded before.
 */
import { type LinearModes, surfaceOfTets, type TetMesh } from 'pliant'
import { lumpedMasses, modalTetsAsStored, restStiffness, surfaceModes } from 'pliant/unstable'
import { BadInput } from '../input/bad-input.js'
import { scalesOfModes } from '../modes/scale-modes.js'
import { vibrationModes } from '../modes/vibration-modes.js'

export interface ContactBodyOptions {
  /** How many, as the code has numbers. */
  modes: number
  /** How far somebody pulls, as a share of the diagonal. */
  reach: number
}

/** Of what codes do not depend on: a rubber that bends by its own weight a little. */
export const CONTACT_MATERIAL = { density: 1000, young: 1e5, poisson: 0.3 } as const

/** Of modes: those of fine meshes end at 1e-6 to 2e-6, and codes need no better. */
const TOLERANCE = 1e-5

/** Ways to move without bending. */
const RIGID = 6

export interface ContactBody {
  mesh: TetMesh
  /** Displacements of all nodes [m per unit of code], one mode after the other. */
  modes: Float64Array
  /** Squared angular frequencies [1/s^2]. */
  eigenvalues: Float64Array
  /** Its surface, with a box of codes from -1 to 1. */
  model: LinearModes
}

/** @throws BadInput if the body cannot vibrate in so many ways, or is not one body */
export function makeContactBody(given: TetMesh, { modes: count, reach }: ContactBodyOptions): ContactBody {
  const values = given.positions.length
  if (count + RIGID > values) {
    throw new BadInput(
      `self-contact: ${count} modes of a body of ${values / 3} nodes; it has ${values - RIGID}, ask for no more.`,
    )
  }
  const { mesh } = modalTetsAsStored({ mesh: given, modes: new Float64Array(0) })
  const masses = lumpedMasses(mesh, CONTACT_MATERIAL.density)
  const vibrations = vibrationModes(restStiffness(mesh, CONTACT_MATERIAL), masses, { count, tolerance: TOLERANCE })
  const scales = scalesOfModes({ mesh, ...vibrations, material: CONTACT_MATERIAL }, { reach })
  const scaled = vibrations.modes.map((value, i) => value * scales[Math.floor(i / values)])
  const { modes } = modalTetsAsStored({ mesh, modes: scaled })
  const bounds = { lower: new Float64Array(count).fill(-1), upper: new Float64Array(count).fill(1) }
  const model = surfaceModes({ rest: mesh.positions, modes }, surfaceOfTets(mesh), bounds)
  return { mesh, modes, eigenvalues: vibrations.eigenvalues, model }
}
