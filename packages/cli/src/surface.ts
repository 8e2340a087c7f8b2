/** The triangles of a mesh file, whatever its kind: a surface, a body of tetrahedra, a glTF scene. */

import type { TriangleMesh } from 'pliant'
import { type MeshFile, trianglesOf } from 'pliant/files'
import { requireValidMesh } from 'pliant/unstable'
import { asBadInput, UsageError } from './errors.js'
import { TYPED_FILES } from './files.js'
import type { Call } from './verb.js'

/** For verbs that read a mesh. */
export const SCALE_OPTION = {
  scale: { value: 'S', help: 'metres per unit of the mesh file: 0.001 for millimetres (default 1)' },
} as const

/** @throws UsageError if it is no positive number */
export function scaleOf(args: Call['args']): number | undefined {
  const scale = args.number('scale', { lower: 0 })
  if (scale === 0) throw new UsageError('--scale is 0; pass metres per unit of the file, as 0.001 for millimetres.')
  return scale
}

/** @throws UsageError if the file is missing, of another kind, or malformed */
export function readMesh(path: string): Promise<MeshFile> {
  return asBadInput(() => TYPED_FILES.mesh(path), path)
}

/**
 * All triangles of the file, fit for exact geometry.
 * @param scale metres per unit of the file
 * @throws UsageError as `readMesh`, or if there are none
 */
export async function readSurface(path: string, scale = 1): Promise<TriangleMesh> {
  const file = await readMesh(path)
  return asBadInput(() => {
    const mesh = trianglesOf(file)
    requireValidMesh(mesh, path)
    return scale === 1 ? mesh : { ...mesh, positions: mesh.positions.map((value) => scale * value) }
  })
}
