/**
 * An image of pixels: what is drawn is a union of squares, and its outline the sides between pixels that are drawn and those
 * that are not, with steps and all. Its longer side spans [-EXTENT, EXTENT], upright; all around is free.
 */
import type { BinaryImage } from './binary-image.js'
import { SegmentTree } from './segment-tree.js'

/** Leaves room, so that a picture drawn up to its edge has an outline there. */
const EXTENT = 0.9

export interface Pixels {
  width: number
  height: number
  /** 1 for a pixel that is drawn, 0 for one that is not; rows from the top. */
  drawn: Uint8Array
}

/** @throws RangeError if no pixel is drawn */
export function pixelImage(name: string, pixels: Pixels): BinaryImage {
  const { width, height } = pixels
  const size = (2 * EXTENT) / Math.max(width, height)
  const column = (x: number): number => x / size + width / 2
  const row = (y: number): number => height / 2 - y / size
  const tree = new SegmentTree(sidesOf(pixels))
  const isFree = (x: number, y: number): boolean => !isDrawn(pixels, Math.floor(column(x)), Math.floor(row(y)))
  const distance = (x: number, y: number): number => (isFree(x, y) ? size : -size) * tree.distance(column(x), row(y))
  return { name, pixel: size, isFree, distance }
}

function isDrawn({ width, height, drawn }: Pixels, column: number, row: number): boolean {
  return column >= 0 && column < width && row >= 0 && row < height && drawn[row * width + column] === 1
}

/** Sides between drawn pixels and others, in pixels from the upper left corner; those in one line are joined. */
function sidesOf(pixels: Pixels): Float64Array {
  const { width, height } = pixels
  const sides: number[] = []
  /** Along one line of the grid: `differs` tells whether the side at a place is one, `add` takes where a run begins and ends. */
  const joinRuns = (
    length: number,
    differs: (at: number) => boolean,
    add: (from: number, to: number) => void,
  ): void => {
    let from = -1
    for (let at = 0; at <= length; at++) {
      const is = at < length && differs(at)
      if (is && from < 0) from = at
      if (is || from < 0) continue
      add(from, at)
      from = -1
    }
  }
  for (let row = 0; row <= height; row++) {
    joinRuns(
      width,
      (column) => isDrawn(pixels, column, row - 1) !== isDrawn(pixels, column, row),
      (from, to) => sides.push(from, row, to, row),
    )
  }
  for (let column = 0; column <= width; column++) {
    joinRuns(
      height,
      (row) => isDrawn(pixels, column - 1, row) !== isDrawn(pixels, column, row),
      (from, to) => sides.push(column, from, column, to),
    )
  }
  return Float64Array.from(sides)
}
