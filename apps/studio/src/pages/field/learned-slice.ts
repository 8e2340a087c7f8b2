/**
 * The learned field on a slice, computed on the page's own thread so that it follows the slider without delay. While
 * in motion it takes as many nodes as fit its share of a frame; at rest, all of them.
 */
import type { Box, TrainedField } from 'pliant'
import { COARSE_POINTS, FINE_POINTS } from './field-protocol.js'
import { type SliceGrid, type SlicePlane, sliceGrid, slicePoints } from './slice-plane.js'

/** Of the 16 ms of a frame; the rest is for drawing. */
const BUDGET_MS = 7
/** Weight of the newest measurement in the running mean. */
const NEWEST = 0.2

export interface LearnedSlice {
  grid: SliceGrid
  values: Float32Array
}

/** Nodes that fit the budget, between the coarse and the fine slice. */
export function pointsInMotion(millisecondsPerPoint: number): number {
  return Math.min(FINE_POINTS, Math.max(COARSE_POINTS, Math.floor(BUDGET_MS / millisecondsPerPoint)))
}

export class LearnedSlicer {
  #points = new Float32Array(0)
  #millisecondsPerPoint = BUDGET_MS / FINE_POINTS

  constructor(
    private readonly field: TrainedField,
    private readonly domain: Box,
  ) {}

  /** Of the pose that the field is in. */
  slice(plane: SlicePlane, inMotion: boolean): LearnedSlice {
    const wanted = inMotion ? pointsInMotion(this.#millisecondsPerPoint) : FINE_POINTS
    const grid = sliceGrid(this.domain, plane, wanted)
    const count = grid.width * grid.height
    if (this.#points.length < 3 * count) this.#points = new Float32Array(3 * count)
    const values = new Float32Array(count)
    slicePoints(grid, 0, grid.height, this.#points)
    const began = performance.now()
    this.field.query(this.#points, count, values)
    const measured = (performance.now() - began) / count
    this.#millisecondsPerPoint += NEWEST * (measured - this.#millisecondsPerPoint)
    return { grid, values }
  }
}
