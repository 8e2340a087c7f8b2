/** What the page shows, for tests and for the curious: `window.pliantStudio`. */
import type { OwnError } from '../../draw/own-error-badge.js'

export interface StudioState {
  /** An object is open and the fine slice of the present view is drawn. */
  readonly settled: boolean
  readonly object: string
  readonly backend: string
  readonly code: readonly number[]
  /** As a share of the diagonal. */
  readonly ownError: OwnError
  readonly slice: {
    readonly axis: 'x' | 'y' | 'z'
    /** [m] */
    readonly at: number
    /** |learned - exact| inside the trained band [m]; of the last answer that was drawn. */
    readonly error: { readonly mean: number; readonly max: number; readonly points: number }
    /** Mean signed distance of the slice [m]. */
    readonly learnedMean: number
    readonly exactMean: number
  }
  /** Vertices [m] of the surface, xyz triples. */
  readonly vertices: readonly number[]
  /** Medians [ms] of pose and 1,000 queries. */
  readonly timings: { readonly learnedMs: number; readonly exactMs: number; readonly rounds: number }
  /** From the artifact, for comparison [m]. */
  readonly quality: { readonly meanError: number; readonly p99Error: number } | null
}

declare global {
  interface Window {
    readonly pliantStudio?: StudioState
  }
}
