/** What a game would use instead of a trained character: rigid grids on its bones, and capsules fitted to them. */
import {
  BoneCapsulesField,
  type BoneFrame,
  BoneGridsField,
  type SkeletonPose,
  type SkinnedCharacter,
} from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'

/** Of the soft minimum, in body heights. */
const SOFTNESS = 0.002

export type RigidRivals = ReturnType<typeof rigidRivals>

/** @param bones the parts that the rivals are made for: those of the network that they are put beside */
export function rigidRivals(character: SkinnedCharacter, bones: readonly BoneFrame[]) {
  const { skeleton, triangles, height } = character
  const positions = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(skeleton.rest, positions)
  const rest = new ExactMeshField({ positions, triangles })
  const grids = BoneGridsField.sample(bones, rest, skeleton.restMatrices)
  const soft = new BoneGridsField(bones, grids.resolution, grids.values, { softness: SOFTNESS * height })
  return {
    boneGrids: following(grids),
    softBoneGrids: following(soft),
    capsules: following(BoneCapsulesField.fit(bones, rest, skeleton.restMatrices)),
  }
}

/** As a field of a character: rigid parts need the skeleton's matrices only. */
function following<Field extends { poseMatrices(matrices: ArrayLike<number>): void }>(field: Field) {
  return Object.assign(field, {
    poseSkeleton: (_pose: SkeletonPose, matrices: Float64Array): void => field.poseMatrices(matrices),
  })
}
