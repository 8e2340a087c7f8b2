/** What the page shows, for tests and for the curious: `window.pliantCloth`. */
import type { OwnError } from '../../draw/own-error-badge.js'
import type { StepFigures } from '../../shell/figures/step-table.js'
import type { ClothSettings, Collision, Opened, Penetration, StepPart } from './cloth-protocol.js'

export interface ClothState {
  readonly character: string
  readonly backend: string
  readonly settings: Readonly<ClothSettings>
  readonly clips: Opened['clips']
  readonly playing: boolean
  /** Of the frame on show. */
  readonly clip: string
  readonly time: number
  readonly collision: Collision
  readonly ownError: OwnError
  /** Frames shown since the character was opened. */
  readonly frames: number
  readonly figures: StepFigures<StepPart>
  readonly penetration: Penetration | null
  readonly worstPenetration: Penetration | null
  /** Vertices of the cloth in the world [m]. */
  readonly cloth: readonly number[]
  readonly rootFrame: readonly number[]
}

declare global {
  interface Window {
    readonly pliantCloth?: ClothState
  }
}
