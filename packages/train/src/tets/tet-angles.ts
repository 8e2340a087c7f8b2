/** How good the tetrahedra of a body are: dihedral angles, the smallest of which decides how stiff its equations get. */
import type { TetMesh } from 'pliant'

/** The two corners of each edge of a tetrahedron, then the two others. */
const EDGES = [
  [0, 1, 2, 3],
  [0, 2, 3, 1],
  [0, 3, 1, 2],
  [1, 2, 0, 3],
  [1, 3, 2, 0],
  [2, 3, 0, 1],
] as const

/** Smallest and largest dihedral angle of a body [degrees]. */
export function dihedralRange(mesh: TetMesh): { smallest: number; largest: number } {
  let smallest = 180
  let largest = 0
  for (let tet = 0; tet < mesh.tetrahedra.length / 4; tet++) {
    for (let edge = 0; edge < 6; edge++) {
      const angle = dihedralAngle(mesh, tet, edge)
      smallest = Math.min(smallest, angle)
      largest = Math.max(largest, angle)
    }
  }
  return { smallest, largest }
}

/** Angle [degrees] between the two faces that meet at an edge (0 to 5) of a tetrahedron. */
export function dihedralAngle({ positions: p, tetrahedra }: TetMesh, tet: number, edge: number): number {
  const [a, b, c, d] = EDGES[edge].map((corner) => 3 * tetrahedra[4 * tet + corner])
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]]
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]]
  const [wx, wy, wz] = [p[d] - p[a], p[d + 1] - p[a + 1], p[d + 2] - p[a + 2]]
  // Normals of both faces, turned about the edge the same way: the angle between them is the dihedral one.
  const [mx, my, mz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
  const [nx, ny, nz] = [uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx]
  const cosine = mx * nx + my * ny + mz * nz
  const sine = Math.hypot(my * nz - mz * ny, mz * nx - mx * nz, mx * ny - my * nx)
  return (180 / Math.PI) * Math.atan2(sine, cosine)
}
