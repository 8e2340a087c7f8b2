/** A learned field, whatever network answers. */

import type { PosedField } from '../field/signed-field.js'
import type { Vec3 } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import type { Network } from '../net/network.js'

/** What a learned field says of itself at its present pose: found when first asked for, by asking it some 300 points. */
export interface SelfAware {
  /**
   * Mean error of distances near the surface that is to be expected [m]: what the field answers on its own surface,
   * where it should answer zero, times what errors near the surface were to those when the file was judged
   * (own-error.ts). NaN if the field has no surface to go by.
   */
  readonly expectedError: number
  /** Whether that is ordinary: no more than 2.4 times the mean error that the file was measured to have. */
  readonly trusted: boolean
}

export interface TrainedField extends PosedField, SelfAware {
  readonly network: { readonly backend: Network['backend'] }
  /** Mean |distance| that the field has where its surface is now [m]: `expectedError` before it is scaled. */
  readonly probeError: number
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

/** Whether a field tells its own error. */
export function knowsItsError(field: object): field is Pick<TrainedField, 'probeError' | keyof SelfAware> {
  return 'probeError' in field
}
