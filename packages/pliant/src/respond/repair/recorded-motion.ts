/** What a motion is repaired with: clearances between parts, the recording with its exact test, places that are kept. */
import type { Floats } from '../../math/floats.js'

/** How far parts of a body are apart by its code; `CharacterContactField` is one. */
export interface ClearanceField {
  /** Length of a code. */
  readonly codeSize: number
  /** One for each pair of parts. */
  readonly pairs: readonly unknown[]
  /** Box of the codes that it was trained on; left out, it knows all. */
  readonly bounds?: { readonly lower: Floats; readonly upper: Floats }
  /** Clearances beyond this are not told apart [m]; left out, all are. */
  readonly reach?: number
  /**
   * How far the parts of each pair are apart at a code.
   * @param out  receives a number for each [m]
   */
  clearances(code: Floats, out: Floats): void
  /** From the gradient of a number by the clearances that were asked last to its gradient by their code. */
  pullBackClearances(byClearances: ArrayLike<number>, out: Floats): void
}

/** The recording, and what decides which frames are free. */
export interface RecordedMotion {
  /** Frames a second. */
  rate: number
  /** Codes of all frames, one after the other. */
  codes: Float64Array
  /**
   * Pairs of parts, by their place in the field's, that are in each other when a frame has another code; -1 for a pair that
   * the field does not know. None if the frame is free.
   */
  contacts(frame: number, code: Float64Array): readonly number[]
  /** How deep the pairs that `contacts` told last are in each other, a number for each [m]; left out, nobody knows. */
  depths?(): ArrayLike<number>
  /** What each entry of the code weighs in being near the recording; left out, one. */
  weights?: ArrayLike<number>
  /** Places that are kept, such as feet on the ground. */
  kept?: KeptPlaces
}

/** Points of the body that should stay where the recording has them. */
export interface KeptPlaces {
  /** How many points. */
  readonly pointCount: number
  /** Where they are at a code [m], xyz triples. */
  positions(code: ArrayLike<number>, out: Floats): void
  /** From the gradient of a number by the points to its gradient by the code. */
  pullBack(code: ArrayLike<number>, cotangents: ArrayLike<number>, out: Floats): void
}
