/** What the page shows, for tests and for the curious: `window.pliantHome`. */
import type { Collision, Penetration } from '../cloth/cloth-protocol.js'

export interface HomeState {
  /** Of the frame on show. */
  readonly collision: Collision
  readonly time: number
  readonly penetration: Penetration | null
  /** Collisions switch by themselves. */
  readonly touring: boolean
  readonly frames: number
  readonly playing: boolean
}

declare global {
  interface Window {
    readonly pliantHome?: HomeState
  }
}
