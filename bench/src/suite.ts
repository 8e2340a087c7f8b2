/** What every suite takes and gives. */
import type { Clip } from 'pliant/character'
import type { LimbEnds } from 'pliant/sim'
import type { Machine } from './machine.js'

export interface SuiteOptions {
  signal?: AbortSignal
  onProgress?: (state: { fraction: number; stage: string; detail?: string }) => void
  /** Fewer repetitions: a first look in seconds. */
  quick?: boolean
  /** A trained artifact's bytes, for suites that measure one. */
  artifact?: Uint8Array
  /** Suites cloth and wind: motions of the character to play; cloth judges by them, so never trained on. */
  clips?: readonly Clip[]
  /** Suite cloth: motions that it was trained on, for rivals that are fitted. */
  trainingClips?: readonly Clip[]
  /** Suites cloth and wind: hands and feet, where the joints' names do not tell. */
  joints?: LimbEnds
  /** Suites cloth and haptics: the paper's network of the same object, bytes of what `train --method paper` wrote. */
  paper?: Uint8Array
}

/** Measures, and gives its figures as plain JSON with stable keys. */
export type Suite = (options: SuiteOptions) => Promise<object>

/** What a reproduction takes beside. */
export interface ReproduceOptions extends SuiteOptions {
  machine: Machine
  /** ISO 8601. */
  date: string
}
