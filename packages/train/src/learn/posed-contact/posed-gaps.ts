/**
 * Gaps between places of a shape (self-contact/choose-places.ts) that follow its frames, and how they are scaled: formula and
 * tensors in pliant's posed-gap-shape.ts.
 */
import { END_SIZE } from 'pliant/unstable'
import type { Place } from '../self-contact/choose-places.js'
import { SCALED_ON, scalesOfGaps } from '../self-contact/gap-scales.js'
import type { FramedShape } from './framed-shape.js'

/**
 * @param places  of each pair of parts, of the one and of the other: gaps go from all to all
 * @returns tensors `gap.*` and `pair.middles`
 */
export function posedGaps(
  shape: FramedShape,
  places: readonly (readonly [readonly Place[], readonly Place[]])[],
  codes: Float32Array,
): Map<string, Float32Array> {
  const gaps = places.flatMap(([first, second]) => first.flatMap((a) => second.map((b) => [a, b])))
  const endsOf = (of: readonly (readonly Place[])[]): Float32Array =>
    Float32Array.from(of.flatMap((pair) => pair.flatMap((place) => shape.endOf(place))))
  const ends = endsOf(gaps)
  return new Map([
    ['gap.ends', ends],
    ['pair.middles', endsOf(places.map((sides) => sides.map(middleOf)))],
    ...scalesOfGaps(gaps.length, squaresAt(shape, ends, codes)),
  ])
}

function middleOf(places: readonly Place[]): Place {
  return places.flatMap((place) => place.map(([vertex, weight]) => [vertex, weight / places.length] as const))
}

/** Squared length of every gap, at each of some codes. */
function squaresAt(shape: FramedShape, ends: Float32Array, codes: Float32Array): Float64Array[] {
  const size = shape.codeSize
  const frames = shape.frames()
  return Array.from({ length: Math.min(SCALED_ON, codes.length / size) }, (_, i) => {
    frames.moveTo(codes.subarray(i * size, (i + 1) * size))
    return Float64Array.from({ length: ends.length / END_SIZE }, (_, gap) =>
      squaredGap(frames.spaces, ends, END_SIZE * gap),
    )
  })
}

/** Squared length of the gap whose ends begin at `at` [m^2]. @param spaces  of all frames */
export function squaredGap(spaces: Float64Array, ends: Float32Array, at: number): number {
  let sum = 0
  for (let axis = 0; axis < 3; axis++) sum += (along(spaces, ends, at, axis) - along(spaces, ends, at + 4, axis)) ** 2
  return sum
}

function along(m: Float64Array, ends: Float32Array, at: number, axis: number): number {
  const o = 16 * ends[at] + axis
  return m[o] * ends[at + 1] + m[o + 4] * ends[at + 2] + m[o + 8] * ends[at + 3] + m[o + 12]
}
