/** What either learner of self-contact takes and gives. */
import type { GapShape } from 'pliant/unstable'
import type { Columns, RoundData, RoundsSettings, Weights } from '../rounds/index.js'

export type ContactRun = Pick<
  RoundsSettings<Columns>,
  'seed' | 'specHash' | 'signal' | 'onProgress' | 'checkpointPath' | 'resume' | 'onWarning' | 'checkpointSeconds'
> & { threads: number }

export interface LearnedContact<C extends Columns> {
  shape: GapShape
  weights: Weights
  /** Exact tests that were made. */
  labels: number
  steps: number
  /** What each round acquired. */
  data: RoundData<C>
}
