/** A learned field, whatever network answers. */
import type { CodeState, MovingField, NodeState } from '../field/signed-field.js'
import type { Backend } from '../net/network.js'

/** What a learned field says of itself at its present shape: found when first asked for, by asking it some 300 points. */
export interface SelfAware {
  /**
   * Mean error of distances near the surface that is to be expected [m]: what the field answers on its own surface,
   * where it should answer zero, times what errors near the surface were to those when the file was evaluated
   * (own-error.ts). NaN if the field has no surface to go by.
   */
  readonly expectedError: number
  /** Whether that is ordinary: no more than 2.4 times the mean error that the file was measured to have. */
  readonly trusted: boolean
}

/**
 * A learned field, loaded from a file. Every learned field takes the code of its object; some take more of it than a
 * code tells (`ElasticField`).
 */
export interface TrainedField extends MovingField<CodeState>, SelfAware {
  /** How many numbers a code has. */
  readonly codeSize: number
  /** What computes, and where that is plain code though 'auto' was asked for, why. */
  readonly network: { readonly backend: Backend; readonly backendNote?: string }
  /** Mean |distance| that the field has where its surface is now [m]: `expectedError` before it is scaled. */
  readonly probeError: number
  /** Ends helper threads, if any. */
  dispose(): void
}

/**
 * A learned field of an elastic body: follows its nodes wherever they are, and answers in the world. A code stands
 * for the nodes that `ModalBody.positions` gives, in the rest frame, and leaves out whatever the modes do.
 */
export interface ElasticField extends TrainedField {
  /** Moves the body to new nodes [m, world], or to the shape of a code. */
  update(state: NodeState | CodeState): void
}

/** Whether a field tells its own error. */
export function knowsItsError(field: object): field is Pick<TrainedField, 'probeError' | keyof SelfAware> {
  return 'probeError' in field
}
