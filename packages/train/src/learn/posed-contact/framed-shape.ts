/**
 * A shape whose parts follow frames that a code moves: all that learning clearances asks of it. A character's frames are its
 * joints; those of a learned space of shapes follow pieces of its surface (`fit-frames.ts`). Both are known before.
 */
import type { CodeFrames } from 'pliant/unstable'
import type { Dimension, Tensor } from '../../graph/index.js'
import type { Place } from '../self-contact/choose-places.js'

export interface FramedShape {
  codeSize: number
  /** The surface at rest [m], xyz triples, and its triangles. */
  rest: Float64Array
  triangles: Uint32Array
  /** Part of each triangle, as clearances tell them apart. */
  partOf: Uint16Array
  /** How many frames there are. */
  frameCount: number
  /** The frame that a place of the surface follows, and where it is in it, xyz. */
  endOf(place: Place): number[]
  /** Others that move the surface there as well, those that move it most first, and where the place is in each. */
  otherEndsOf(place: Place): number[][]
  /** The frames as they are asked at run time. */
  frames(): CodeFrames
  /** The same as a graph. @param asked  those that are needed */
  frameGraph(asked: ReadonlySet<number>): FrameGraph
}

export interface FrameGraph {
  /** Which frames move, in the order of their matrices. */
  moving: ArrayLike<number>
  /** Of all frames, where those are that do not: column-major 4x4 each. */
  still: Float64Array
  /**
   * @param codes  [rows, codeSize]
   * @returns frames that move, to the root frame, [rows, 12 count]: twelve numbers each, three rows of four
   */
  matrices(codes: Tensor, rows: Dimension): Tensor
}
