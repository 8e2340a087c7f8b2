/** What the page shows, for tests and for the curious: `window.pliantSdfContact`. */
import type { StepFigures } from '../../shell/figures/step-table.js'
import type { PileSettings, StepPart } from './pile-protocol.js'

export interface PileState {
  readonly settings: Readonly<PileSettings>
  /** Frames shown since the pile was opened. */
  readonly frames: number
  /** Of the frame on show. */
  readonly time: number
  /** Names of the bodies, in the order in which they fall. */
  readonly bodies: readonly string[]
  /** Their frames to the world, 16 numbers each. */
  readonly poses: readonly number[]
  readonly contacts: { count: number; pushing: number; pairs: number; deepest: number }
  /** Marks that are drawn; boxes of all bodies together. */
  readonly drawn: { dots: number; arrows: number; boxes: number; inside: number; border: number }
  readonly energy: { kinetic: number; total: number }
  readonly overlap: { bodies: readonly [number, number]; volume: readonly [number, number] } | null
  readonly pull: readonly number[]
  readonly problem: string | null
  readonly figures: StepFigures<StepPart>
  /** Where in the window a pointer can take hold of the body that is nearest to the camera [CSS pixels]. */
  readonly grip: readonly [number, number]
}

declare global {
  interface Window {
    readonly pliantSdfContact?: PileState
  }
}
