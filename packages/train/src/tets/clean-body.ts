/**
 * Tetrahedra of a file made a body that can be simulated, by these rules:
 * - Corners the other way round (all volumes negative) are reordered, which programs differ in. Volumes of both signs
 *   are refused: the body is folded or its corners are mixed up, and only its maker knows which.
 * - Degenerate tetrahedra, repeated nodes and faces with more than two tetrahedra are refused: no stiffness matrix
 *   survives them.
 * - Nodes that no tetrahedron uses are dropped, and told.
 * - Several bodies are refused: their rigid motions would count as modes.
 */

import { surfaceOfTets, type TetIssue, type TetMesh, type TetSurface, validateTets } from 'pliant'
import { dropUnusedNodes, orientTets, tetVolume } from 'pliant/unstable'

export interface TetBody {
  /** All volumes positive, all nodes used, one body. */
  mesh: TetMesh
  /** Its outer triangles, counter-clockwise from outside. */
  surface: TetSurface
  /** Whether all corners had to be reordered. */
  turned: boolean
  /** Nodes that no tetrahedron used. */
  droppedNodes: number
  /** For each node its number in the file's mesh. */
  nodeOf: Uint32Array
}

/** What to do about what is refused. */
const REMEDIES: Partial<Record<TetIssue['kind'], string>> = {
  degenerate: 'mesh it again with a bound on quality',
  inverted: 'reorder the corners of these, or mesh it again if the body is folded',
  'crowded-face': 'take out tetrahedra that lie on top of others',
  'several-bodies': 'pass one body, or join nodes that lie at the same place',
}

/**
 * @param name what to call it in messages
 * @throws RangeError naming the first thing that is wrong, how many there are, and what to do
 */
export function cleanTetBody(mesh: TetMesh, name = 'mesh'): TetBody {
  if (mesh.tetrahedra.length === 0) throw new RangeError(`body: ${name} has no tetrahedra; pass a tetrahedral mesh.`)
  const turned = allNegative(mesh)
  const oriented = turned ? orientTets(mesh) : mesh
  const refused = validateTets(oriented).find(({ severity, kind }) => severity === 'error' || kind === 'several-bodies')
  if (refused) {
    throw new RangeError(`body: ${name}: ${refused.message}; ${REMEDIES[refused.kind] ?? 'repair the file'}.`)
  }
  const { mesh: clean, nodeOf } = dropUnusedNodes(oriented)
  return {
    mesh: clean,
    surface: surfaceOfTets(clean),
    turned,
    droppedNodes: mesh.positions.length / 3 - nodeOf.length,
    nodeOf,
  }
}

function allNegative(mesh: TetMesh): boolean {
  for (let tet = 0; tet < mesh.tetrahedra.length / 4; tet++) if (!(tetVolume(mesh, tet) < 0)) return false
  return true
}
