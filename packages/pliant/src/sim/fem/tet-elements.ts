/**
 * Linear tetrahedra at rest: within each, the deformation gradient F = sum x_i b_i^T is constant, where b_i is the
 * gradient of the corner's linear weight in rest space (Sifakis and Barbic 2012, part I, section 4.1).
 */
import { type TetMesh, tetVolume } from '../../mesh/tet-mesh.js'
import { validateTets } from '../../mesh/validate-tets.js'

export interface TetElements {
  /** Node indices, four per tetrahedron, ascending: blocks of a symmetric matrix then need no transposing. */
  corners: Uint32Array
  /** Rest volumes [m^3], positive. */
  volumes: Float64Array
  /** 1 or -1: whether the ascending order turns as the mesh's own. */
  turns: Float64Array
  /** Gradients b_1, b_2, b_3 [1/m] of the last three corners, nine per tetrahedron; b_0 = -(b_1 + b_2 + b_3). */
  gradients: Float64Array
  nodeCount: number
}

/** @throws RangeError if the mesh cannot be simulated: inverted or flat tetrahedra, unused nodes, broken indices */
export function tetElements(mesh: TetMesh): TetElements {
  requireTets(mesh)
  const { positions: p } = mesh
  const corners = ascendingCorners(mesh.tetrahedra)
  const count = corners.length / 4
  const volumes = new Float64Array(count)
  const turns = new Float64Array(count)
  const gradients = new Float64Array(9 * count)
  for (let tet = 0; tet < count; tet++) {
    const volume = tetVolume({ positions: p, tetrahedra: corners }, tet)
    volumes[tet] = Math.abs(volume)
    turns[tet] = Math.sign(volume)
    const origin = 3 * corners[4 * tet]
    const edge = (corner: number, axis: number): number => p[3 * corners[4 * tet + corner] + axis] - p[origin + axis]
    for (let corner = 1; corner < 4; corner++) {
      // The gradient of a corner's weight is the cross product of the two other edges over six volumes.
      const u = (corner % 3) + 1
      const v = ((corner + 1) % 3) + 1
      for (let axis = 0; axis < 3; axis++) {
        const j = (axis + 1) % 3
        const k = (axis + 2) % 3
        const cross = edge(u, j) * edge(v, k) - edge(u, k) * edge(v, j)
        gradients[9 * tet + 3 * (corner - 1) + axis] = cross / (6 * volume)
      }
    }
  }
  return { corners, volumes, turns, gradients, nodeCount: p.length / 3 }
}

function ascendingCorners(tetrahedra: Uint32Array): Uint32Array {
  const corners = tetrahedra.slice()
  for (let i = 0; i < corners.length; i += 4) corners.subarray(i, i + 4).sort()
  return corners
}

/** Sum of the squared gradients of each tetrahedron's corners [1/m^2]: bounds how much of F a motion can change. */
export function gradientSpreads({ volumes, gradients }: TetElements): Float64Array {
  return volumes.map((_, tet) => {
    let spread = 0
    for (let axis = 9 * tet; axis < 9 * tet + 3; axis++) {
      const [u, v, w] = [gradients[axis], gradients[axis + 3], gradients[axis + 6]]
      spread += u * u + v * v + w * w + (u + v + w) ** 2
    }
    return spread
  })
}

/**
 * Masses of the nodes [kg]: each tetrahedron gives a quarter of its own to each corner.
 * @param density [kg/m^3]
 * @throws RangeError if the mesh cannot be simulated
 */
export function lumpedMasses(mesh: TetMesh, density: number): Float64Array {
  if (!(density > 0 && density < Infinity)) {
    throw new RangeError(`masses: density is ${density}; give a positive number.`)
  }
  requireTets(mesh)
  const masses = new Float64Array(mesh.positions.length / 3)
  for (let i = 0; i < mesh.tetrahedra.length; i++) {
    masses[mesh.tetrahedra[i]] += (density * tetVolume(mesh, i >> 2)) / 4
  }
  return masses
}

function requireTets(mesh: TetMesh): void {
  if (mesh.tetrahedra.length === 0) throw new RangeError('fem: the mesh has no tetrahedra; give a volumetric mesh.')
  const issues = validateTets(mesh)
  const error = issues.find((issue) => issue.severity === 'error')
  if (error) throw new RangeError(`fem: ${error.message}; repair the mesh, or turn it round with orientTets.`)
  const unused = issues.find((issue) => issue.kind === 'unreferenced-node')
  if (unused) throw new RangeError(`fem: ${unused.message}; remove them with dropUnusedNodes.`)
}
