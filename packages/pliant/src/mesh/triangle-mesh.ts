/** A surface of triangles: the shape that every room takes and gives. Cheap to make; `validate.ts` says what is wrong. */
import { type Box, boxOfPoints } from '../math/box.js'
import type { Floats } from '../math/floats.js'

/** A surface of triangles. Cheap to make; `validateMesh` says what is wrong with one. */
export interface TriangleMesh {
  /** Vertex positions [m], xyz triples. */
  positions: Floats
  /** Vertex indices, three per triangle, counter-clockwise seen from outside. */
  triangles: Uint32Array
}

/**
 * Makes a mesh of positions [m] and vertex indices: wraps typed arrays as they are and copies plain ones.
 * @throws RangeError if either array does not hold whole triples, or an index is not a vertex number
 */
export function createTriangleMesh(positions: Floats | readonly number[], triangles: ArrayLike<number>): TriangleMesh {
  if (positions.length % 3 !== 0) {
    throw new RangeError(`mesh: ${positions.length} coordinates are not whole xyz triples; pass three per vertex.`)
  }
  if (triangles.length % 3 !== 0) {
    throw new RangeError(`mesh: ${triangles.length} indices are not whole triangles; pass three per triangle.`)
  }
  return {
    positions: Array.isArray(positions) ? Float64Array.from(positions) : (positions as Floats),
    triangles: triangles instanceof Uint32Array ? triangles : indicesOf(triangles),
  }
}

export function vertexCount(mesh: TriangleMesh): number {
  return mesh.positions.length / 3
}

export function triangleCount(mesh: TriangleMesh): number {
  return mesh.triangles.length / 3
}

export function meshBox(mesh: TriangleMesh): Box {
  return boxOfPoints(mesh.positions)
}

/**
 * Signed volume [m^3] enclosed by a closed surface: positive when its triangles face outward. Of an open surface it is
 * the volume of the cone over it seen from the middle of its box, which says little.
 */
export function meshVolume(mesh: TriangleMesh): number {
  const { positions: p, triangles } = mesh
  const { lower, upper } = meshBox(mesh)
  // About the middle of the box, so that a small body far from the origin does not drown in rounding.
  const ox = (lower[0] + upper[0]) / 2
  const oy = (lower[1] + upper[1]) / 2
  const oz = (lower[2] + upper[2]) / 2
  let sixfold = 0
  for (let i = 0; i < triangles.length; i += 3) {
    const a = 3 * triangles[i]
    const b = 3 * triangles[i + 1]
    const c = 3 * triangles[i + 2]
    const bx = p[b] - ox
    const by = p[b + 1] - oy
    const bz = p[b + 2] - oz
    const cx = p[c] - ox
    const cy = p[c + 1] - oy
    const cz = p[c + 2] - oz
    sixfold +=
      (p[a] - ox) * (by * cz - bz * cy) + (p[a + 1] - oy) * (bz * cx - bx * cz) + (p[a + 2] - oz) * (bx * cy - by * cx)
  }
  return sixfold / 6
}

function indicesOf(values: ArrayLike<number>): Uint32Array {
  const out = Uint32Array.from(values)
  for (let i = 0; i < out.length; i++) {
    if (out[i] !== values[i]) {
      throw new RangeError(`mesh: index ${i} is ${values[i]}; vertex numbers are whole and count from 0.`)
    }
  }
  return out
}
