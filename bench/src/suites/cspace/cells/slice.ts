/** A plane through the space of codes, the first two modes with all others zero, as the paper's Fig. 7 shows it. */
import type { SelfContactField } from 'pliant'
import { LinearSelfContact, type LinearShape } from 'pliant/unstable/exact'

/** Nodes along a side. */
export const SLICE_NODES = 65

/** Rows from mode 2 = -1 up, each from mode 1 = -1 to 1. */
export interface CodeSlice {
  /** Learned signed distances, to 3 decimals. */
  learned: number[][]
  /** By the exact test: `#` where the shape touches itself, `.` where it is free. */
  exact: string[]
}

/** @param shape  of two modes or more */
export function sliceCodes(field: SelfContactField, shape: LinearShape): CodeSlice {
  const { lower, upper } = shape.bounds
  const size = lower.length
  const count = SLICE_NODES ** 2
  const codes = new Float32Array(count * size)
  const at = (mode: number, node: number): number =>
    lower[mode] + ((upper[mode] - lower[mode]) * node) / (SLICE_NODES - 1)
  for (let i = 0; i < count; i++) {
    codes[i * size] = at(0, i % SLICE_NODES)
    codes[i * size + 1] = at(1, Math.floor(i / SLICE_NODES))
  }
  const distances = new Float64Array(count)
  field.query(codes, count, distances)
  const touching = new Int8Array(count)
  new LinearSelfContact(shape).touchesAll(codes, count, touching)
  const rows = Array.from({ length: SLICE_NODES }, (_, row) => [row * SLICE_NODES, (row + 1) * SLICE_NODES])
  return {
    learned: rows.map(([from, to]) => Array.from(distances.subarray(from, to), (value) => Number(value.toFixed(3)))),
    exact: rows.map(([from, to]) => Array.from(touching.subarray(from, to), (yes) => (yes ? '#' : '.')).join('')),
  }
}
