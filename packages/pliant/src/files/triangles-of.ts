/** The surface of a mesh file, whatever its kind: its triangles, the boundary of its tetrahedra, a scene's meshes. */
import { surfaceOfTets } from '../mesh/tet-mesh.js'
import type { TriangleMesh } from '../mesh/triangle-mesh.js'
import { surfaceOfGltf } from './gltf-surface.js'
import type { MeshFile } from './read-mesh.js'

/** The surface of whatever a mesh file holds: its triangles, those around its tetrahedra, or a glTF scene's meshes. */
export function trianglesOf(file: MeshFile): TriangleMesh {
  if (file.kind === 'triangles') return file.mesh
  if (file.kind === 'gltf') return surfaceOfGltf(file.scene)
  const { positions, triangles } = surfaceOfTets(file.mesh)
  return { positions, triangles }
}
