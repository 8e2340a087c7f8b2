/** A learned field of a character, whatever network answers: posed by a code or by the live skeleton. */
import type { Skeleton, SkeletonPose } from '../model/skeleton.js'
import type { TrainedField } from './trained-field.js'

/** Points, distances and gradients are in the root frame (model/skeleton.ts) [m]. */
export interface CharacterField extends TrainedField {
  readonly skeleton: Skeleton
  /**
   * Follows a pose of the skeleton; root motion is not seen.
   * @param matrices joint to root frame, if the caller has them already (`Skeleton.matrices`)
   */
  poseSkeleton(pose: SkeletonPose, matrices?: Float64Array): void
}
