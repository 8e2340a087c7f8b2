/**
 * A reduced body from tetrahedra and their vibration modes: masses and stiffnesses of scaled modes, the inertia, and the
 * surface about the centre of mass. With V mass-normalised, K V = M V diag(w^2), a mode U = s V has mass s^2 and
 * stiffness w^2 s^2.
 */
import { requireItems, requireNumbers, shown } from '../../math/require.js'
import { surfaceOfTets, type TetMesh } from '../../mesh/tet-mesh.js'
import { type FemMaterial, femMaterial } from '../fem/fem-material.js'
import { lumpedMasses } from '../fem/tet-elements.js'
import { ReducedBody, type ReducedBodyOptions } from './reduced-body.js'
import { StvkModes } from './stvk-modes.js'

/** A body of tetrahedra and the modes it bends by. */
export interface ReducedTets {
  /** The body at rest [m]. */
  mesh: TetMesh
  /** Lumped masses of the nodes [kg]; by default from the material's density. */
  masses?: Float64Array
  /** Vibration modes of all nodes, one after the other, without rigid motion, as `vibrationModes` of `@pliant/train` gives. */
  modes: Float64Array
  /** Their squared angular frequencies [1/s^2], one for each. */
  eigenvalues: ArrayLike<number>
  /** What one unit of the code is in each mode as given, positive; 1 by default. */
  scales?: ArrayLike<number>
  /** What the modes were computed with. */
  material?: FemMaterial
}

/** How a body made of tetrahedra resists. */
export interface ReducedTetsOptions extends Omit<ReducedBodyOptions, 'elasticity'> {
  /** 'linear', or 'stvk': Green's strain, which is right for bending by large angles (r^4 of work in r modes). */
  elasticity?: 'linear' | 'stvk'
}

/** Share of a mode's own momentum norm that its shift of the centre of mass may have. */
const RIGID = 1e-3
/** How far the material's own stiffness may be from the eigenvalues. */
const SAME_MATERIAL = 0.01

/**
 * A reduced body from tetrahedra, which stands where the mesh is. Its surface is that of `surfaceOfTets`, in that order.
 * @param tets  [m, kg, s]
 * @throws RangeError if lengths disagree, a mode moves the whole body, or the material is not that of the modes
 */
export function reducedBodyOfTets(tets: ReducedTets, options: ReducedTetsOptions = {}): ReducedBody {
  const { mesh, eigenvalues, material = {} } = tets
  const { positions } = mesh
  const masses = tets.masses ?? lumpedMasses(mesh, femMaterial(material).density)
  const count = eigenvalues?.length
  requireNumbers('reduced body', eigenvalues, 'eigenvalue', count)
  requireItems('reduced body', masses, 'mass', positions.length / 3, 1)
  requireItems('reduced body', tets.modes, 'mode', count, positions.length)
  const scales = Float64Array.from(tets.scales ?? new Float64Array(count).fill(1))
  requireNumbers('reduced body', scales, 'scale', count)
  const modes = new Float64Array(tets.modes.length)
  for (let i = 0; i < modes.length; i++) modes[i] = scales[Math.floor(i / positions.length)] * tets.modes[i]
  const mass = masses.reduce((sum, value) => sum + value, 0)
  const centre = new Float64Array(3)
  for (let i = 0; i < positions.length; i++) centre[i % 3] += (masses[Math.floor(i / 3)] * positions[i]) / mass
  const modalMasses = massesOfModes(modes, masses, count, mass)
  const modalStiffness = modalMasses.map((modal, k) => modal * eigenvalues[k])
  const elasticity = elasticityOf(options.elasticity ?? 'linear', mesh, modes, material, modalStiffness)
  const surface = surfaceOfTets(mesh)
  const take = (values: Float64Array, start: number, out: Float64Array, at: number, origin?: Float64Array): void => {
    for (let v = 0; v < surface.nodeOfVertex.length; v++) {
      for (let axis = 0; axis < 3; axis++) {
        out[at + 3 * v + axis] = values[start + 3 * surface.nodeOfVertex[v] + axis] - (origin ? origin[axis] : 0)
      }
    }
  }
  const rest = new Float64Array(surface.positions.length)
  const surfaceModes = new Float64Array(count * rest.length)
  take(positions, 0, rest, 0, centre)
  for (let k = 0; k < count; k++) take(modes, k * positions.length, surfaceModes, k * rest.length)
  const inertia = inertiaOf(positions, masses, centre)
  const { triangles } = surface
  const { damping, shape, selfContact } = options
  const body = new ReducedBody(
    { rest, modes: surfaceModes, modalMasses, modalStiffness, mass, inertia, triangles },
    { damping, shape, selfContact, elasticity },
  )
  body.position.set(centre)
  return body
}

/** U^T M U of each mode. @throws RangeError if a mode moves the centre of mass */
function massesOfModes(modes: Float64Array, masses: Float64Array, count: number, mass: number): Float64Array {
  const length = 3 * masses.length
  const out = new Float64Array(count)
  for (let k = 0; k < count; k++) {
    const shift = [0, 0, 0]
    for (let i = 0; i < length; i++) {
      const u = modes[k * length + i]
      out[k] += masses[Math.floor(i / 3)] * u * u
      shift[i % 3] += masses[Math.floor(i / 3)] * u
    }
    if (Math.hypot(...shift) > RIGID * Math.sqrt(mass * out[k])) {
      throw new RangeError(`reduced body: mode ${k} moves the centre of mass; pass vibration modes of a free body.`)
    }
  }
  return out
}

function elasticityOf(
  kind: unknown,
  mesh: TetMesh,
  modes: Float64Array,
  material: FemMaterial,
  stiffness: Float64Array,
): StvkModes | undefined {
  if (kind === 'linear') return undefined
  if (kind !== 'stvk') {
    throw new RangeError(`reduced body: elasticity is ${shown(kind)}; give 'linear' or 'stvk'.`)
  }
  const elasticity = new StvkModes(mesh, modes, material)
  const code = new Float64Array(stiffness.length)
  for (let k = 0; k < code.length; k++) {
    // Small enough that only the linear part counts.
    code.fill(0)
    code[k] = 1e-6
    const own = elasticity.gradient(code)[k] / code[k]
    if (!(Math.abs(own - stiffness[k]) <= SAME_MATERIAL * Math.abs(own))) {
      throw new RangeError(
        `reduced body: mode ${k} has stiffness ${stiffness[k]} by its eigenvalue, ${own} by the material; pass the modes' own.`,
      )
    }
  }
  return elasticity
}

/** sum m (|x|^2 1 - x x^T) about the centre [kg m^2]. */
function inertiaOf(positions: Float64Array, masses: Float64Array, centre: Float64Array): Float64Array {
  const out = new Float64Array(9)
  for (let node = 0; node < masses.length; node++) {
    const x = [0, 1, 2].map((axis) => positions[3 * node + axis] - centre[axis])
    const squared = x[0] ** 2 + x[1] ** 2 + x[2] ** 2
    for (let i = 0; i < 9; i++) {
      out[i] += masses[node] * ((i % 4 === 0 ? squared : 0) - x[Math.floor(i / 3)] * x[i % 3])
    }
  }
  return out
}
