/** Reads a mesh file of any format we know: the content decides which, the name only where the content does not. */
import type { TetMesh } from '../mesh/tet-mesh.js'
import type { FileTriangles } from './checked-mesh.js'
import { FileError, quoted } from './file-error.js'
import { formatOfContent, formatOfName, type MeshFormat, nameStranger } from './file-kind.js'
import { type GltfScene, readGltf } from './gltf.js'
import { externalBufferOf } from './gltf-container.js'
import { readGmsh } from './gmsh.js'
import { readMedit } from './medit.js'
import { readObj } from './obj.js'
import { readOff } from './off.js'
import { readPly } from './ply.js'
import { readStl } from './stl.js'
import { readTetgen } from './tetgen.js'

/** What a mesh file holds: triangles, tetrahedra, or a glTF scene. */
export type MeshFile =
  | { kind: 'triangles'; format: MeshFormat; mesh: FileTriangles }
  | { kind: 'tetrahedra'; format: MeshFormat; mesh: TetMesh }
  | { kind: 'gltf'; format: 'gltf'; scene: GltfScene }

/** What `readMeshFile` needs beside the file itself. */
export interface ReadMeshOptions {
  /** The second file of a pair: see `companionName`. */
  companion?: Uint8Array
}

const EXPECTED = 'a mesh is expected: OBJ, PLY, STL, OFF, glTF/GLB, Medit .mesh, Gmsh .msh or TetGen .node/.ele.'

/**
 * Reads a mesh file of any format we know: the content decides which, the name only where the content does not.
 * Coordinates are taken as metres.
 * @param name   the file's name, with or without folders; used for its ending and in messages
 * @param bytes  the file's content
 * @throws FileError, one line, that names the format and what is wrong, or says what else the file seems to be
 */
export async function readMeshFile(name: string, bytes: Uint8Array, options: ReadMeshOptions = {}): Promise<MeshFile> {
  if (/[/\\]$/.test(name)) throw new FileError('mesh', `${quoted(name)} is a folder; ${EXPECTED}`)
  if (bytes.length === 0) throw new FileError('mesh', `${quoted(name)} is empty; ${EXPECTED}`)
  const format = formatOfContent(bytes)
  if (format !== undefined) return readAs(format, name, bytes, options)
  const stranger = nameStranger(bytes)
  if (stranger !== undefined) throw new FileError('mesh', `${quoted(name)} is ${stranger}; ${EXPECTED}`)
  const named = formatOfName(name)
  if (named !== undefined) return readAs(named, name, bytes, options)
  throw new FileError('mesh', `${quoted(name)} is of no kind that is known; ${EXPECTED}`)
}

/**
 * The file that `readMeshFile` needs beside this one, as a name in the same folder: the `.ele` of a `.node` and the
 * other way round, or the `.bin` that a `.gltf` keeps its numbers in. Undefined for all others.
 */
export function companionName(name: string, bytes: Uint8Array): string | undefined {
  const fileName = name.replace(/^.*[/\\]/s, '')
  if (/\.node$/i.test(fileName)) return fileName.replace(/node$/i, 'ele')
  if (/\.ele$/i.test(fileName)) return fileName.replace(/ele$/i, 'node')
  return formatOfContent(bytes) === 'gltf' ? externalBufferOf(bytes) : undefined
}

function readAs(format: MeshFormat, name: string, bytes: Uint8Array, options: ReadMeshOptions): MeshFile {
  switch (format) {
    case 'obj':
      return { kind: 'triangles', format, mesh: readObj(bytes) }
    case 'ply':
      return { kind: 'triangles', format, mesh: readPly(bytes) }
    case 'stl':
      return { kind: 'triangles', format, mesh: readStl(bytes) }
    case 'off':
      return { kind: 'triangles', format, mesh: readOff(bytes) }
    case 'gltf':
      return { kind: 'gltf', format, scene: readGltf(bytes, options.companion) }
    case 'medit':
      return { format, ...readMedit(bytes) }
    case 'gmsh':
      return { format, ...readGmsh(bytes) }
    case 'tetgen':
      return { kind: 'tetrahedra', format, mesh: readPair(name, bytes, options.companion) }
  }
}

function readPair(name: string, bytes: Uint8Array, companion: Uint8Array | undefined): TetMesh {
  if (companion === undefined) {
    throw new FileError(
      'tetgen',
      `${quoted(name)} is one of two files; ${companionName(name, bytes)} is needed beside it.`,
    )
  }
  return /\.node$/i.test(name) ? readTetgen(bytes, companion) : readTetgen(companion, bytes)
}
