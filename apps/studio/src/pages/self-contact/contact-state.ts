/** What the page shows, for tests and for the curious: `window.pliantSelfContact`. */
import type { StepFigures } from '../../shell/figures/step-table.js'
import type { ContactSettings, Keep, StepPart } from './contact-protocol.js'
import type { SliceState } from './slice/slice-section.js'

export interface ContactState {
  readonly body: string
  readonly backend: string
  readonly settings: Readonly<ContactSettings>
  readonly playing: boolean
  /** Frames shown since the body was opened. */
  readonly frames: number
  /** Of the frame on show. */
  readonly time: number
  readonly keep: Keep
  readonly code: readonly number[]
  readonly distance: number
  readonly touching: boolean
  /** Looks by exact geometry since the last reset or change, and those that found the body in itself. */
  readonly looks: number
  readonly touchingLooks: number
  /** Triangles that are tinted. */
  readonly meeting: number
  /** Pulls on show: six numbers each, vertex and target [m]. */
  readonly pulls: readonly number[]
  readonly microseconds: { readonly learned: number; readonly exact: number }
  readonly figures: StepFigures<StepPart>
  /** Values of the two modes of the slice at the dot. */
  readonly dot: readonly number[]
  readonly slice: SliceState | null
  /** Of the rounds on show; 0 for none. */
  readonly round: number
  /** Where in the window a pointer can take hold of the body: the triangle nearest to the camera [CSS pixels]. */
  readonly grip: readonly [number, number]
}

declare global {
  interface Window {
    readonly pliantSelfContact?: ContactState
  }
}
