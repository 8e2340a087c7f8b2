/** What identifies a training of a character, as `hashSpec` does for objects. */
import { createHash } from 'node:crypto'
import type { SkeletonPose, SkinnedCharacter } from 'pliant/character'

/** All that tensors depend on but the seed. */
export function hashCharacter(character: SkinnedCharacter, poses: readonly SkeletonPose[], settings: object): string {
  const { bound, triangles, bones, influenceStarts, influenceBones, influenceWeights } = character.surface
  const hash = createHash('sha256').update(JSON.stringify({ ...settings, skinning: character.skinning }))
  for (const array of [bound, triangles, bones.joints, bones.inverseBind]) hash.update(array)
  for (const array of [influenceStarts, influenceBones, influenceWeights]) hash.update(array)
  for (const { translations, rotations, scales } of poses) hash.update(translations).update(rotations).update(scales)
  return hash.digest('hex').slice(0, 32)
}
