/** What the stages of a suite tell of themselves, as what the whole suite tells. */
import type { Progress } from 'pliant'
import type { RunOptions } from './suite.js'

/** For a stage that goes from one fraction of the whole to another; it ends when the run is stopped. */
export type Stages = (stage: string, from: number, to: number) => (told: Omit<Progress, 'stage'>) => void

export function stagesOf({ signal, onProgress }: RunOptions): Stages {
  return (stage, from, to) =>
    ({ fraction, detail }) => {
      signal?.throwIfAborted()
      onProgress?.({ fraction: from + (to - from) * fraction, stage, ...(detail && { detail }) })
    }
}
