/** A learned field of a character, whatever network answers: posed by a code or by the live skeleton. */
import type { Skeleton, SkeletonPose } from '../model/skeleton.js'
import type { Network } from '../net/network.js'
import type { PosedField } from './signed-field.js'

/** Points, distances and gradients are in the root frame (model/skeleton.ts) [m]. */
export interface CharacterField extends PosedField {
  readonly skeleton: Skeleton
  readonly network: { readonly backend: Network['backend'] }
  /** Whether the current pose's code lies in the range of the clips that were trained on; outside, answers are guesses. */
  readonly inDistribution: boolean
  /**
   * Follows a pose of the skeleton; root motion is not seen.
   * @param matrices joint to root frame, if the caller has them already (`Skeleton.matrices`)
   */
  poseSkeleton(pose: SkeletonPose, matrices?: Float64Array): void
  /** Ends helper threads, if any. */
  dispose(): void
}
