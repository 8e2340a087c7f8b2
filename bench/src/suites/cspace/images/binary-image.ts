/**
 * A binary image as a space of codes of two entries: what is drawn is what "touches", all else is free. Learning asks for
 * the sign alone; the exact distance is there to compare with.
 */
export interface BinaryImage {
  readonly name: string
  /** Side of its pixels, below which the outline has no direction; 0 if it has none. */
  readonly pixel: number
  /** Whether a point of [-1, 1]^2 lies outside of what is drawn. */
  isFree(x: number, y: number): boolean
  /** Exact signed distance to the outline, positive outside. */
  distance(x: number, y: number): number
}
