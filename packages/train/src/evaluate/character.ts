/** How good fields of a character are: ours, and the rivals that a game would use instead. */
import type { MovingField, Quality } from 'pliant'
import type { JointState, SkeletonPose, SkinnedCharacter } from 'pliant/character'
import { type JudgedPoses, type MeasureOptions, measureFields } from './measure-fields.js'

export function measureCharacter<Name extends string>(
  fields: Readonly<Record<Name, MovingField<JointState>>>,
  character: SkinnedCharacter,
  poses: readonly SkeletonPose[],
  options: MeasureOptions,
): Promise<Record<Name, Quality>> {
  return measureFields(fields, judgedPoses(character, poses), options)
}

function judgedPoses(character: SkinnedCharacter, poses: readonly SkeletonPose[]): JudgedPoses<JointState> {
  const { skeleton, triangles, height } = character
  const rest = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(skeleton.rest, rest)
  const matrices = new Float64Array(16 * skeleton.jointCount)
  return {
    size: height,
    sizeOf: 'height',
    mesh: { positions: rest, triangles },
    codes: poses.map((pose) => {
      const code = new Float64Array(character.codeSize)
      character.encodePose(pose, code)
      return code
    }),
    positions: (pose, out) => character.positionsOfPose(poses[pose], out),
    state(pose) {
      skeleton.matrices(poses[pose], matrices)
      return { joints: poses[pose], matrices }
    },
  }
}
