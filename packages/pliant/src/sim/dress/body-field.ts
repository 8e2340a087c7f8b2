/**
 * Any field of a character as the one thing that dressing needs: posed by the skeleton once a frame, then asked in the
 * root frame (model/skeleton.ts). `SkinnedField` is one as it stands; rivals on bones and the exact mesh become one here.
 */
import type { Floats } from '../../math/floats.js'
import type { SkeletonPose } from '../../model/skeleton.js'
import type { SkinnedCharacter } from '../../model/skinned-character.js'
import type { DistanceSource } from '../cloth/collider.js'

export interface BodyField extends DistanceSource {
  /** @param matrices  joint to root frame at this pose, column-major 4x4 per joint */
  poseSkeleton(pose: SkeletonPose, matrices: Float64Array): void
}

/** Capsules or rigid grids on bones. */
export function rigidField(field: DistanceSource & { poseMatrices(matrices: Float64Array): void }): BodyField {
  return {
    poseSkeleton: (_pose, matrices) => field.poseMatrices(matrices),
    gradient: (points, count, distances, gradients) => field.gradient(points, count, distances, gradients),
  }
}

/** The character's own triangles. @param mesh  an `ExactMeshField` of them, in any pose */
export function exactField(
  character: Pick<SkinnedCharacter, 'positionsOfPose' | 'vertexCount'>,
  mesh: DistanceSource & { update(positions: Floats): void },
): BodyField {
  const positions = new Float64Array(3 * character.vertexCount)
  return {
    poseSkeleton(pose) {
      character.positionsOfPose(pose, positions)
      mesh.update(positions)
    },
    gradient: (points, count, distances, gradients) => mesh.gradient(points, count, distances, gradients),
  }
}
