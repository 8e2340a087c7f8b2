/**
 * Whether a surface has an inside that can be filled with tetrahedra, and if not, why: told before the long work, and by
 * `pliant inspect` in the same words.
 */

import { type TriangleMesh, validateMesh } from 'pliant'
import { ExactMeshField, SelfIntersection } from 'pliant/exact'
import { boxDiagonal, firstAtSamePlace, meshBox, meshVolume, requireValidMesh } from 'pliant/unstable'
import { findOuterPieces } from '../surface/outer-pieces.js'
import { surfaceArea } from './surface-area.js'

export interface FillableSurface {
  field: ExactMeshField
  /** Whether it passes through itself, so that some of it lies within the body. */
  crossing: boolean
}

/** Volume over that of a cube of the surface's diagonal below which it encloses nothing. */
const EMPTY = 1e-9
/** Pieces with less of the volume are crumbs, left out and told. */
export const CRUMB = 0.01
/** Nodes on the surface beyond which a body is too thin: so many take cubes as large as it is thick in the mean. */
const MOST_PLATE_NODES = 200_000
/** Of them for each cube's side of the surface. */
const NODES_PER_SIDE = 1.35

/**
 * @param selfIntersecting what to do with a surface that passes through itself
 * @throws RangeError in one line with what to do
 */
export function requireFillable(
  surface: TriangleMesh,
  selfIntersecting: 'refuse' | 'fill' = 'refuse',
): FillableSurface {
  requireValidMesh(surface, 'tetrahedralise')
  // By search, so that a body comes out of its surface as it did for the files that were trained on it.
  const field = new ExactMeshField(surface, { ties: 'search' })
  if (!field.closed) {
    const issue = validateMesh(surface).find(({ kind }) => OPENINGS.includes(kind))
    throw new RangeError(`tetrahedralise: ${issue?.message ?? 'the surface is not closed'}; close it first.`)
  }
  const volume = Math.abs(meshVolume(surface))
  if (!(volume > EMPTY * boxDiagonal(meshBox(surface)) ** 3)) {
    throw new RangeError('tetrahedralise: the surface is closed but encloses nothing; pass a body with some volume.')
  }
  const crossing = new SelfIntersection(surface, { weld: true }).any()
  if (crossing && selfIntersecting === 'refuse') {
    throw new RangeError(
      "tetrahedralise: the surface passes through itself ('pliant self-collide' names the triangles); repair it, or train it with " +
        '"selfIntersecting": "fill" beside "body" in a spec to fill all that it winds round.',
    )
  }
  const area = surfaceArea(surface)
  const thickness = (2 * volume) / area
  const nodes = (NODES_PER_SIDE * area) / thickness ** 2
  if (nodes > MOST_PLATE_NODES) {
    const share = ((100 * thickness) / boxDiagonal(meshBox(surface))).toPrecision(2)
    throw new RangeError(
      `tetrahedralise: the body is ${share}% of its size thick in the mean, too thin for tetrahedra; thicken it, or train it as a static mesh.`,
    )
  }
  const pieces = crossing ? 1 : outerPieceCount(surface)
  if (pieces > 1) {
    throw new RangeError(
      `tetrahedralise: the surface makes ${pieces} bodies that do not touch; split the file and train them one by one.`,
    )
  }
  return { field, crossing }
}

const OPENINGS = ['open-boundary', 'non-manifold-edge', 'inconsistent-winding', 'no-triangles']

/** Pieces that lie outside of each other; walls of hollows and crumbs do not count. */
function outerPieceCount(surface: TriangleMesh): number {
  const positions = Float64Array.from(surface.positions)
  const weld = firstAtSamePlace(positions)
  const triangles = surface.triangles.map((vertex) => weld[vertex])
  if (meshVolume({ positions, triangles }) < 0) triangles.reverse()
  return findOuterPieces({ positions, triangles }, CRUMB).pieces
}
