/** Boxes of tetrahedra for tests. */
import type { TetMesh } from 'pliant'

export { boxOfTets } from '../../../pliant/test/mesh/box-of-tets.js'

/** Both meshes as one, without a common node. */
export function besides(a: TetMesh, b: TetMesh): TetMesh {
  const nodes = a.positions.length / 3
  return {
    positions: Float64Array.of(...a.positions, ...b.positions),
    tetrahedra: Uint32Array.of(...a.tetrahedra, ...b.tetrahedra.map((node) => node + nodes)),
  }
}
