/** What the page shows, for tests and for the curious: `window.pliantHaptics`. */
import type { ToolPose } from 'pliant/unstable/blocks'
import type { OwnError } from '../../draw/own-error-badge.js'
import type { StepFigures } from '../../shell/figures/step-table.js'
import type { FieldChoice, HapticsSettings, Penetration, StepPart } from './haptics-protocol.js'

export interface HapticsState {
  readonly body: string
  readonly backend: string
  readonly toolLearned: boolean
  readonly settings: Readonly<HapticsSettings>
  readonly playing: boolean
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
  readonly figures: StepFigures<StepPart>
  /** Vertices in the world [m]. */
  readonly bodyVertices: readonly number[]
  readonly toolVertices: readonly number[]
}

declare global {
  interface Window {
    readonly pliantHaptics?: HapticsState
  }
}
