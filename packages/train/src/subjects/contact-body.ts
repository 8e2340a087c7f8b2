/**
 * A body whose self-contact is learned: tetrahedra, a few of their vibrations, each scaled by what pulling at the body
 * makes of it. What the file will hold is what is learned from: positions and modes are rounded before.
 */
import { LinearModes, surfaceOfTets, type TetMesh } from 'pliant'
import { lumpedMasses, restStiffness } from 'pliant/unstable'
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
  const mesh = { ...given, positions: rounded(given.positions) }
  const nodes = mesh.positions.length
  if (count + 6 > nodes) {
    throw new BadInput(
      `self-contact: ${count} modes of a body of ${nodes / 3} nodes; it has ${nodes - 6}, ask for no more.`,
    )
  }
  const masses = lumpedMasses(mesh, CONTACT_MATERIAL.density)
  const vibrations = vibrationModes(restStiffness(mesh, CONTACT_MATERIAL), masses, { count })
  const scales = scalesOfModes({ mesh, ...vibrations, material: CONTACT_MATERIAL }, { reach })
  const modes = rounded(vibrations.modes.map((value, i) => value * scales[Math.floor(i / nodes)]))
  return { mesh, modes, eigenvalues: vibrations.eigenvalues, model: surfaceModes(mesh, modes, count) }
}

/** The surface alone, as exact tests take it. */
function surfaceModes(mesh: TetMesh, modes: Float64Array, count: number): LinearModes {
  const { positions: rest, triangles, nodeOfVertex } = surfaceOfTets(mesh)
  const own = new Float64Array(count * rest.length)
  for (let k = 0; k < count; k++) {
    for (let i = 0; i < rest.length; i++) {
      own[k * rest.length + i] = modes[k * mesh.positions.length + 3 * nodeOfVertex[Math.floor(i / 3)] + (i % 3)]
    }
  }
  const bounds = { lower: new Float64Array(count).fill(-1), upper: new Float64Array(count).fill(1) }
  return new LinearModes({ rest: Float64Array.from(rest), modes: own, triangles, bounds })
}

/** As single precision has it. */
function rounded(values: Float64Array): Float64Array {
  return Float64Array.from(Float32Array.from(values))
}
