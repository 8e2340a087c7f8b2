/** The last check of every reader: what leaves this room has finite positions and indices that refer to something. */
import { orientTets, type TetMesh } from '../mesh/tet-mesh.js'
import type { TriangleMesh } from '../mesh/triangle-mesh.js'
import { FileError } from './file-error.js'

/** What readers of surfaces return: positions in double precision, in the file's vertex order. */
export interface FileTriangles extends TriangleMesh {
  positions: Float64Array
}

/** @throws FileError if there is nothing, a position is not finite, or an index is out of range */
export function checkedTriangles(format: string, positions: Float64Array, triangles: Uint32Array): FileTriangles {
  if (triangles.length === 0) {
    throw new FileError(
      format,
      positions.length === 0
        ? 'no vertices and no faces found; check that this is the right file.'
        : `${positions.length / 3} vertices but no faces found; a surface is needed, not a point cloud.`,
    )
  }
  checkFinite(format, positions)
  checkIndices(format, 'triangle', triangles, 3, positions.length / 3)
  return { positions, triangles }
}

/**
 * Also settles the order of corners: some programs write every tetrahedron with negative volume, which is a
 * convention and not a fault, so then all are turned round. Single inverted ones stay, for `validateTets` to report.
 */
export function checkedTets(format: string, positions: Float64Array, tetrahedra: Uint32Array): TetMesh {
  checkFinite(format, positions)
  checkIndices(format, 'tetrahedron', tetrahedra, 4, positions.length / 3)
  return orientTets({ positions, tetrahedra })
}

export function checkFinite(format: string, positions: Float64Array): void {
  for (let i = 0; i < positions.length; i++) {
    if (!Number.isFinite(positions[i])) {
      throw new FileError(
        format,
        `vertex ${Math.floor(i / 3) + 1} has the coordinate ${positions[i]}; check the program that wrote the file.`,
      )
    }
  }
}

function checkIndices(format: string, what: string, indices: Uint32Array, corners: number, vertices: number): void {
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] >= vertices) {
      throw new FileError(
        format,
        `${what} ${Math.floor(i / corners) + 1} refers to vertex ${indices[i] + 1} of ${vertices}; check the file was written completely.`,
      )
    }
  }
}

/** What readers of files that may hold a body or only its surface return. */
export type FileMesh = { kind: 'triangles'; mesh: FileTriangles } | { kind: 'tetrahedra'; mesh: TetMesh }

/** Tetrahedra if there are any (the triangles are then their boundary, or faces inside), else the triangles. */
export function checkedMesh(
  format: string,
  positions: Float64Array,
  tetrahedra: Uint32Array,
  triangles: () => Uint32Array,
): FileMesh {
  return tetrahedra.length > 0
    ? { kind: 'tetrahedra', mesh: checkedTets(format, positions, tetrahedra) }
    : { kind: 'triangles', mesh: checkedTriangles(format, positions, triangles()) }
}
