/**
 * The stiffness matrix K of linear elasticity at rest, for modes: K_ij = V (lambda b_i b_j^T + mu b_j b_i^T +
 * mu (b_i . b_j) I) summed over tetrahedra (Sifakis and Barbic 2012). All laws of this room have this second
 * derivative at rest.
 */
import { type SparseMatrix, sparseFromTriplets } from '../../math/sparse/sparse-matrix.js'
import type { TetMesh } from '../../mesh/tet-mesh.js'
import { type FemMaterial, femMaterial, lameConstants } from './fem-material.js'
import { tetElements } from './tet-elements.js'

/**
 * @returns K [N/m], 3n x 3n, row 3 node + axis; symmetric, and singular for the six rigid motions of each body
 * @throws RangeError if the material is out of range or the mesh cannot be simulated
 */
export function restStiffness(mesh: TetMesh, material: FemMaterial = {}): SparseMatrix {
  const { young, poisson } = femMaterial(material)
  const { shear, lambda } = lameConstants(young, poisson)
  const { corners, volumes, gradients, nodeCount } = tetElements(mesh)
  const rows = new Int32Array(144 * volumes.length)
  const columns = new Int32Array(rows.length)
  const values = new Float64Array(rows.length)
  const b = new Float64Array(12)
  let entry = 0
  for (let tet = 0; tet < volumes.length; tet++) {
    for (let axis = 0; axis < 3; axis++) {
      b[axis] = 0
      for (let corner = 1; corner < 4; corner++) {
        b[3 * corner + axis] = gradients[9 * tet + 3 * (corner - 1) + axis]
        b[axis] -= b[3 * corner + axis]
      }
    }
    for (let i = 0; i < 12; i++) {
      for (let j = 0; j < 12; j++) {
        const r = i % 3
        const c = j % 3
        const dot = b[i - r] * b[j - c] + b[i - r + 1] * b[j - c + 1] + b[i - r + 2] * b[j - c + 2]
        const stretch = lambda * b[i] * b[j] + shear * b[i - r + c] * b[j - c + r]
        rows[entry] = 3 * corners[4 * tet + (i - r) / 3] + r
        columns[entry] = 3 * corners[4 * tet + (j - c) / 3] + c
        values[entry++] = volumes[tet] * (stretch + (r === c ? shear * dot : 0))
      }
    }
  }
  return sparseFromTriplets(3 * nodeCount, rows, columns, values)
}
