/** A plane through the space of codes: two modes run over their boxes, all others stay as they are at the present code. */
import type { CodeBox } from '../contact-protocol.js'

/** Nodes along each side: 96 cells. */
export const SIDE = 97

export interface CodeSlice {
  /** What is not on an axis. */
  readonly code: Float64Array
  /** Indices of the modes that run from left to right and from bottom to top. */
  readonly axes: readonly [across: number, up: number]
}

/**
 * Codes of places in the slice. Others than those on the axes are kept within the box: beyond it exact tests are slow and
 * learned ones know nothing.
 * @param places  column and row of each, 0 to SIDE - 1; those between are between nodes
 * @param out     receives their codes, one after the other
 */
export function sliceCodes(
  { code, axes }: CodeSlice,
  { lower, upper }: CodeBox,
  places: ArrayLike<number>,
  out: Float64Array,
): void {
  const size = code.length
  for (let n = 0, at = 0; n < places.length; n += 2, at += size) {
    for (let k = 0; k < size; k++) out[at + k] = Math.min(Math.max(code[k], lower[k]), upper[k])
    for (const [side, k] of axes.entries()) {
      // So that the last node is the upper end itself and not a hair beyond.
      const share = places[n + side] / (SIDE - 1)
      out[at + k] = lower[k] * (1 - share) + upper[k] * share
    }
  }
}

/** Column and row of nodes, by their numbers in rows from the bottom to the top. */
export function placesOf(nodes: ArrayLike<number>): Float64Array {
  const places = new Float64Array(2 * nodes.length)
  for (let n = 0; n < nodes.length; n++) {
    places[2 * n] = nodes[n] % SIDE
    places[2 * n + 1] = Math.floor(nodes[n] / SIDE)
  }
  return places
}

/** Where a code lies in the slice, 0 to 1 from the left and from the bottom. */
export function placeInSlice(
  code: ArrayLike<number>,
  axes: CodeSlice['axes'],
  { lower, upper }: CodeBox,
  first = 0,
): [number, number] {
  const [x, y] = axes.map((k) => (code[first + k] - lower[k]) / (upper[k] - lower[k]))
  return [x, y]
}

/** Whether a slice at this code would look other than at that one: something off the axes has moved by a share of its box. */
export function isElsewhere(slice: CodeSlice, other: CodeSlice, { lower, upper }: CodeBox, share: number): boolean {
  if (slice.axes[0] !== other.axes[0] || slice.axes[1] !== other.axes[1]) return true
  return slice.code.some(
    (value, k) => !slice.axes.includes(k) && Math.abs(value - other.code[k]) > share * (upper[k] - lower[k]),
  )
}
