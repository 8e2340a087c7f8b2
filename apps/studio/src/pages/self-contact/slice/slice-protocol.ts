/** What the page and the worker that makes slices say to each other. One worker serves one body. */
import type { NodeValues } from '../../../draw/slice-painter.js'
import type { CodeSlice } from './code-slice.js'

export type ToSliceWorker =
  | { kind: 'open'; name: string; bytes: Uint8Array }
  /** Asks for a slice; a later one overtakes it. */
  | { kind: 'slice'; id: number; slice: CodeSlice }

export type FromSliceWorker = SliceAnswer | { kind: 'failed'; message: string }

/** Learned and exact at the same code, so that the two lines can be compared. */
export interface SliceAnswer {
  kind: 'slice'
  id: number
  slice: CodeSlice
  /** Coarse comes first, to keep up with motion; then the line alone, finely; in the end all of it. */
  level: 'coarse' | 'line' | 'full'
  /** Distances, in the unit of the code. */
  learned: NodeValues
  /** 1 where the shape touches itself, -1 where it is free. */
  exact: NodeValues
  /** The exact boundary: segments x0, y0, x1, y1 in units of those nodes. */
  line: Float32Array
  /** Exact tests that it took so far. */
  tests: number
}
