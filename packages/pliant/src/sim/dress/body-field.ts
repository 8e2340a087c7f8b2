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

/**
 * The learned field where it trusts itself, another where it does not: at poses far from those it was trained on.
 * @param learned  a `CharacterField`, or what `Collider.createField` makes
 * @param other    asked instead: `exactField`
 */
export class GuardedField implements BodyField {
  /** Whether the learned field answers at the present pose. */
  trusted = true

  constructor(
    private readonly learned: BodyField & { readonly trusted: boolean },
    private readonly other: BodyField,
  ) {}

  poseSkeleton(pose: SkeletonPose, matrices: Float64Array): void {
    this.learned.poseSkeleton(pose, matrices)
    this.trusted = this.learned.trusted
    if (!this.trusted) this.other.poseSkeleton(pose, matrices)
  }

  gradient(points: Floats, count: number, distances: Floats, gradients: Floats): void {
    const field = this.trusted ? this.learned : this.other
    field.gradient(points, count, distances, gradients)
  }
}
