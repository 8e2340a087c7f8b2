/** Codes of poses, one after the other, in single precision as networks take them. */
import type { SkeletonPose, SkinnedCharacter } from 'pliant/character'

export function codesOfPoses(character: SkinnedCharacter, poses: readonly SkeletonPose[]): Float32Array {
  const { codeSize } = character
  const codes = new Float32Array(poses.length * codeSize)
  for (const [i, pose] of poses.entries()) character.encodePose(pose, codes.subarray(i * codeSize, (i + 1) * codeSize))
  return codes
}
