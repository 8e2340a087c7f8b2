/** A learned field of a character, whatever network answers: it follows the live skeleton, or a code of its joints. */
import type { CodeState, MatrixState } from '../field/signed-field.js'
import type { Skeleton, SkeletonPose } from '../model/skeleton.js'
import type { TrainedField } from './trained-field.js'

/** A pose of all joints; what the root does is not seen. `Skeleton.stateOf` makes one of a pose. */
export interface JointState extends MatrixState {
  /** Where the joints are, each in its parent's space. */
  joints: SkeletonPose
  /** Joint to root frame at this pose (`Skeleton.matrices`). */
  matrices: Float64Array
}

/** A learned field of a character. Points, distances and gradients are in the root frame (model/skeleton.ts) [m]. */
export interface CharacterField extends TrainedField {
  /** The joints that it follows. */
  readonly skeleton: Skeleton
  /** A code leaves joints that it does not hold (hands, feet, head) at their mean. */
  update(state: JointState | CodeState): void
}
