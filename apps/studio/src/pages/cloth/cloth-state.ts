/** What the page shows, for tests and for the curious: `window.pliantCloth`, fresh at every look, not to be written. */
import type { OwnError } from '../../draw/own-error-badge.js'
import type { ClothSettings, Collision, Opened, Penetration } from './cloth-protocol.js'
import type { FrameFigures } from './frame-tables.js'

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
  /** Frames shown so far. */
  readonly frames: number
  readonly figures: FrameFigures
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

/** @returns takes the state away again */
export function publishClothState(read: () => ClothState | undefined): () => void {
  Object.defineProperty(window, 'pliantCloth', { configurable: true, get: read })
  return () => {
    Reflect.deleteProperty(window, 'pliantCloth')
  }
}
