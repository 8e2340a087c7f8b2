/** What a garment can be kept outside of: the learned field of a character, its own triangles, or both in turn. */
import type { CharacterArtifact, CharacterField, JointState, SkeletonPose, SkinnedCharacter } from '../../character.js'
import { skinnedMeshField } from '../../character.js'
import { ExactMeshField } from '../../exact/index.js'
import { GuardedField, load, type MovingField } from '../../index.js'
import type { BodyField } from '../../sim/index.js'

/** Fields of one character, in its root frame and unit; each follows the joints that it is updated with. */
export interface CharacterFields {
  /** By the network of the file. */
  readonly learned: CharacterField
  /** By the network where it trusts itself, else by the triangles, which are those of `exact`. */
  readonly guarded: BodyField
  /** By the triangles: a tree, refitted in every pose. */
  readonly exact: BodyField
  /** Ends helper threads, if any. */
  dispose(): void
}

/** @throws Error if the file holds no network that can be run */
export async function characterFields(artifact: CharacterArtifact): Promise<CharacterFields> {
  const learned = await load(artifact)
  const exact = exactCharacter(artifact.character)
  return { learned, guarded: new GuardedField<JointState>(learned, exact), exact, dispose: () => learned.dispose() }
}

/** A character's own triangles as a field in the root frame [units]; at rest until its first update. */
export function exactCharacter(character: SkinnedCharacter): MovingField<{ joints: SkeletonPose }> {
  const positions = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(character.skeleton.rest, positions)
  return skinnedMeshField(character, new ExactMeshField({ positions, triangles: character.triangles }))
}
