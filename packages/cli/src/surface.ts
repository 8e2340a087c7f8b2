/** The triangles of a mesh file, whatever its kind: a surface, a body of tetrahedra, a glTF scene. */
import { requireValidMesh, type TriangleMesh } from 'pliant'
import { type MeshFile, trianglesOf } from 'pliant/files'
import { asBadInput } from './errors.js'
import { TYPED_FILES } from './files.js'

/** @throws UsageError if the file is missing, of another kind, or malformed */
export function readMesh(path: string): Promise<MeshFile> {
  return asBadInput(() => TYPED_FILES.mesh(path), path)
}

/** All triangles of the file, fit for exact geometry. @throws UsageError as `readMesh`, or if there are none */
export async function readSurface(path: string): Promise<TriangleMesh> {
  const file = await readMesh(path)
  return asBadInput(() => {
    const mesh = trianglesOf(file)
    requireValidMesh(mesh, path)
    return mesh
  })
}
