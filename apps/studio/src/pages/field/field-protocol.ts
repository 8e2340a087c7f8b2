/** What the page and its worker say to each other. One worker serves one object. */
import type { SliceGrid, SlicePlane } from './slice-plane.js'

export type ToWorker =
  | { kind: 'open'; bytes: Uint8Array }
  /** Asks for a slice at a code; a later one overtakes it. */
  | { kind: 'slice'; id: number; code: Float64Array; plane: SlicePlane }

export type FromWorker =
  | SliceAnswer
  | { kind: 'timing'; learnedMs: number; exactMs: number }
  | { kind: 'failed'; message: string }

/** Both fields at the same nodes and the same code, so that they can be subtracted. */
export interface SliceAnswer {
  kind: 'slice'
  id: number
  /** Coarse comes first, to keep up with motion; fine follows when nothing newer is asked. */
  level: 'coarse' | 'fine'
  grid: SliceGrid
  learned: Float32Array
  exact: Float32Array
}

/** Nodes of a slice: 1,500 exact distances take some 6 ms, 16,000 some 65 ms. */
export const COARSE_POINTS = 1500
export const FINE_POINTS = 16_000
