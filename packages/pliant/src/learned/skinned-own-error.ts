/** Where a character's probes (own-error.ts) are: skinned as its surface is, they alone. */
import type { TriangleMesh } from '../mesh/triangle-mesh.js'
import type { SkinnedCharacter } from '../model/skinned-character.js'
import { pickVertices, type SkinnedSurface, skinMatrices } from '../model/skinned-surface.js'
import { SKINNING } from '../model/skinning.js'
import { type Judged, OwnError } from './own-error.js'

/** @param jointMatrices  of the present pose, joint to root frame, 16 per joint */
export function skinnedOwnError(
  { shape: character, measured }: Judged<SkinnedCharacter>,
  jointMatrices: () => Float64Array,
): OwnError {
  const { surface, skinning, skeleton, vertexCount, triangles } = character
  let picked: SkinnedSurface | undefined
  const matrices = new Float64Array(16 * surface.bones.joints.length)
  const atRest = (): TriangleMesh => {
    const positions = new Float64Array(3 * vertexCount)
    character.positionsOfPose(skeleton.rest, positions)
    return { positions, triangles }
  }
  const place = (vertices: Uint32Array, out: Float64Array): void => {
    picked ??= pickVertices(surface, vertices)
    skinMatrices(surface.bones, jointMatrices(), matrices)
    SKINNING[skinning](picked, matrices, picked.bound, out)
  }
  return new OwnError(atRest, place, measured)
}
