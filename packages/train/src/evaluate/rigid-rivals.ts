/** What a game would use instead of a trained character: rigid grids on its bones, and capsules fitted to them. */

import type { SkinnedCharacter } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { BoneCapsulesField, type BoneFrame, BoneGridsField } from 'pliant/unstable'

/** Of the soft minimum, in body heights. */
const SOFTNESS = 0.002

export type RigidRivals = ReturnType<typeof rigidRivals>

/** @param bones the parts that the rivals are made for: those of the network that they are put beside */
export function rigidRivals(character: SkinnedCharacter, bones: readonly BoneFrame[]) {
  const { skeleton, height } = character
  const boneGrids = rigidGrids(character, bones)
  const { resolution, values } = boneGrids
  return {
    boneGrids,
    softBoneGrids: new BoneGridsField(bones, resolution, values, { softness: SOFTNESS * height }),
    capsules: BoneCapsulesField.fit(bones, restField(character), skeleton.restMatrices),
  }
}

/** The grids alone. @param resolution nodes along each side of a part's box */
export function rigidGrids(character: SkinnedCharacter, bones: readonly BoneFrame[], resolution?: number) {
  const { restMatrices } = character.skeleton
  return BoneGridsField.sample(bones, restField(character), restMatrices, { resolution })
}

function restField(character: SkinnedCharacter): ExactMeshField {
  const positions = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(character.skeleton.rest, positions)
  return new ExactMeshField({ positions, triangles: character.triangles })
}
