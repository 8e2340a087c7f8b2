/** What the page shows, for tests and for the curious: `window.pliantHaptics`, fresh at every look, not to be written. */
import type { OwnError } from '../../draw/own-error-badge.js'
import type { FieldChoice, HapticsSettings, Penetration, ToolPose } from './haptics-protocol.js'
import type { HapticsFigures } from './haptics-tables.js'

export interface HapticsState {
  readonly body: string
  readonly backend: string
  readonly toolLearned: boolean
  readonly settings: Readonly<HapticsSettings>
  readonly paused: boolean
  /** Frames shown since the body was opened. */
  readonly frames: number
  /** How often the recorded path has come to its end. */
  readonly pathsPlayed: number
  /** Of the frame on show. */
  readonly field: FieldChoice
  readonly time: number
  readonly pathTime: number | null
  readonly hand: ToolPose
  readonly contacts: number
  readonly force: readonly number[]
  readonly ownError: OwnError | null
  readonly penetration: Penetration
  /** Since the last reset. */
  readonly worstPenetration: Penetration | null
  readonly mostContacts: number
  readonly strongestForce: number
  readonly figures: HapticsFigures
  /** Vertices in the world [m]. */
  readonly bodyVertices: readonly number[]
  readonly toolVertices: readonly number[]
}

declare global {
  interface Window {
    readonly pliantHaptics?: HapticsState
  }
}

/** @returns takes the state away again */
export function publishHapticsState(read: () => HapticsState | undefined): () => void {
  Object.defineProperty(window, 'pliantHaptics', { configurable: true, get: read })
  return () => {
    Reflect.deleteProperty(window, 'pliantHaptics')
  }
}
