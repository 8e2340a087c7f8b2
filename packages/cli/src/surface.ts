/** The triangles of a mesh file, whatever its kind: a surface, a body of tetrahedra, a glTF scene. */
import { requireValidMesh, type TriangleMesh } from 'pliant'
import { companionName, type MeshFile, readMeshFile, trianglesOf } from 'pliant/files'
import { asBadInput, UsageError } from './errors.js'
import { fileKind } from './file-kind.js'
import { readBeside, readInput } from './files.js'

/** @throws UsageError if the file is missing, of another kind, or malformed */
export async function readMesh(path: string): Promise<MeshFile> {
  const bytes = await readInput(path)
  const kind = fileKind(bytes)
  if (kind === 'artifact') {
    throw new UsageError(`${path} is a trained artifact, not a mesh; ask it with 'pliant query', or pass a mesh file.`)
  }
  if (kind === 'array') {
    throw new UsageError(`${path} is a .npy array, not a mesh; pass an OBJ, PLY, STL, OFF or glTF file.`)
  }
  // Some formats are two files: TetGen's .node and .ele, a .gltf and its .bin.
  const beside = await asBadInput(() => companionName(path, bytes), path)
  const companion = beside === undefined ? undefined : await readBeside(path, beside)
  return asBadInput(() => readMeshFile(path, bytes, { companion }), path)
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
