/** A learned field, whatever network answers. */
import type { Vec3 } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import type { Network } from '../net/network.js'
import type { PosedField } from './signed-field.js'

export interface TrainedField extends PosedField {
  readonly network: { readonly backend: Network['backend'] }
  /** Whether the current code lies in the range that was trained; outside it answers are guesses. */
  readonly inDistribution: boolean
  /** Ends helper threads, if any. */
  dispose(): void
}

/** One that an elastic body's nodes can pose directly. */
export interface NodePosedField extends PosedField {
  /**
   * Follows the body where it is: rigid motion need not be taken out, and what the code leaves out is seen.
   * @param positions  of all nodes [m], xyz triples
   * @param origin     points of queries are counted from here, along the axes of `positions`
   */
  poseNodes(positions: Floats, origin: Vec3): void
}

export function isNodePosed(field: PosedField): field is NodePosedField {
  return 'poseNodes' in field
}
