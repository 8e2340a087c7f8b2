/** What the page shows, for tests and for the curious: `window.pliantPoseRepair`. */
import type { PoseLook, PoseRepair, PoseSettings, Switch } from './pose-protocol.js'

export type LookState = Pick<PoseLook, 'distance' | 'clearance' | 'nearest' | 'touching' | 'pairs'> & {
  /** Parts that light up, and lines along which triangles meet. */
  readonly lit: number
  readonly lines: number
}

export interface PoseState {
  readonly body: string
  readonly backend: string
  readonly settings: Readonly<PoseSettings>
  readonly playing: boolean
  /** Frames shown since the body was opened. */
  readonly frames: number
  readonly keep: Switch
  readonly codes: { readonly before: readonly number[]; readonly after: readonly number[] }
  readonly before: LookState
  readonly after: LookState
  readonly still: boolean
  /** Where the grabbed vertex is and where it is pulled to [m], six numbers; empty while nobody holds anything. */
  readonly pull: readonly number[]
  readonly repair: PoseRepair | null
  readonly time: number
  readonly play: Switch
  /** Of each group of the code's entries: a vertex that it moves, and where in the window it is seen [CSS pixels]. */
  readonly grips: Readonly<Record<string, { readonly vertex: number; readonly at: readonly [number, number] }>>
}

declare global {
  interface Window {
    readonly pliantPoseRepair?: PoseState
  }
}
