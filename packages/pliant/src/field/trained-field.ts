/** A learned field, whatever network answers. */
import type { Network } from '../net/network.js'
import type { PosedField } from './signed-field.js'

export interface TrainedField extends PosedField {
  readonly network: { readonly backend: Network['backend'] }
  /** Whether the current code lies in the range that was trained; outside it answers are guesses. */
  readonly inDistribution: boolean
  /** Ends helper threads, if any. */
  dispose(): void
}
