/**
 * Gaps between places of a character (self-contact/choose-places.ts), and how they are scaled: formula and tensors in
 * pliant's posed-gap-shape.ts. A place is a sum of vertices; it follows the one bone that moves them most, as if it were
 * part of it:
 *
 *   x = G_j(b) F_j(b) B_b sum over vertices v of w_v x_v   (F: joint frame to space, B: inverse bind)
 */
import type { SkinnedCharacter } from 'pliant/character'
import { END_SIZE, JointSpaces } from 'pliant/unstable'
import type { Place } from '../self-contact/choose-places.js'
import { SCALED_ON, scalesOfGaps } from '../self-contact/gap-scales.js'

/**
 * @param places  of each pair of parts, of the one and of the other: gaps go from all to all
 * @returns tensors `gap.*` and `pair.middles`
 */
export function posedGaps(
  character: SkinnedCharacter,
  places: readonly (readonly [readonly Place[], readonly Place[]])[],
  codes: Float32Array,
): Map<string, Float32Array> {
  const gaps = places.flatMap(([first, second]) => first.flatMap((a) => second.map((b) => [a, b])))
  const endsOf = (of: readonly (readonly Place[])[]): Float32Array =>
    Float32Array.from(of.flatMap((pair) => pair.flatMap((place) => endOf(character, place))))
  const ends = endsOf(gaps)
  return new Map([
    ['gap.ends', ends],
    ['pair.middles', endsOf(places.map((sides) => sides.map(middleOf)))],
    ...scalesOfGaps(gaps.length, squaresAt(character, ends, codes)),
  ])
}

function middleOf(places: readonly Place[]): Place {
  return places.flatMap((place) => place.map(([vertex, weight]) => [vertex, weight / places.length] as const))
}

/** The joint that a place follows, and where it is in the joint's space. */
function endOf({ surface, skeleton }: SkinnedCharacter, place: Place): number[] {
  const { bound, bones, influenceStarts, influenceBones, influenceWeights } = surface
  const weights = new Float64Array(bones.joints.length)
  const sum = [0, 0, 0]
  for (const [vertex, share] of place) {
    for (let k = influenceStarts[vertex]; k < influenceStarts[vertex + 1]; k++) {
      weights[influenceBones[k]] += share * influenceWeights[k]
    }
    for (let axis = 0; axis < 3; axis++) sum[axis] += share * bound[3 * vertex + axis]
  }
  const bone = weights.indexOf(Math.max(...weights))
  const joint = bones.joints[bone]
  const inFrame = transformed(bones.inverseBind, 16 * bone, sum)
  return [joint, ...(skeleton.frames ? transformed(skeleton.frames, 16 * joint, inFrame) : inFrame)]
}

function transformed(m: Float64Array, o: number, x: ArrayLike<number>): number[] {
  return [0, 1, 2].map((row) => m[o + row] * x[0] + m[o + 4 + row] * x[1] + m[o + 8 + row] * x[2] + m[o + 12 + row])
}

/** Squared length of every gap, at each of some codes. */
function squaresAt(
  { skeleton, code, codeSize: size }: SkinnedCharacter,
  ends: Float32Array,
  codes: Float32Array,
): Float64Array[] {
  const joints = new JointSpaces(skeleton, code)
  return Array.from({ length: Math.min(SCALED_ON, codes.length / size) }, (_, i) => {
    joints.moveTo(codes.subarray(i * size, (i + 1) * size))
    return Float64Array.from({ length: ends.length / END_SIZE }, (_, gap) =>
      squaredGap(joints.spaces, ends, END_SIZE * gap),
    )
  })
}

/** Squared length of the gap whose ends begin at `at` [m^2]. @param spaces  of all joints */
export function squaredGap(spaces: Float64Array, ends: Float32Array, at: number): number {
  let sum = 0
  for (let axis = 0; axis < 3; axis++) sum += (along(spaces, ends, at, axis) - along(spaces, ends, at + 4, axis)) ** 2
  return sum
}

function along(m: Float64Array, ends: Float32Array, at: number, axis: number): number {
  const o = 16 * ends[at] + axis
  return m[o] * ends[at + 1] + m[o + 4] * ends[at + 2] + m[o + 8] * ends[at + 3] + m[o + 12]
}
