/**
 * Gaps between places of a character (self-contact/choose-places.ts) as terms in the spaces of its joints, and how they are
 * scaled: formula and tensors in pliant's posed-gap-shape.ts. A place is a sum of vertices; it follows the one bone that
 * moves them most, as if it were part of it:
 *
 *   x = G_j(b) F_j(b) B_b sum over vertices v of w_v x_v   (F: joint frame to space, B: inverse bind)
 *
 * Skin follows several bones, but gaps are what a network looks at, not what is measured: one term an end is a fifth of the
 * work, and tells as much.
 */
import type { SkinnedCharacter } from 'pliant/character'
import { JointSpaces, TERM_SIZE } from 'pliant/unstable'
import type { Place } from '../self-contact/choose-places.js'
import { SCALED_ON, scalesOfGaps } from '../self-contact/gap-scales.js'

/** @returns tensors `gap.*` */
export function posedGaps(
  character: SkinnedCharacter,
  pairs: readonly (readonly [Place, Place])[],
  codes: Float32Array,
): Map<string, Float32Array> {
  const rows = pairs.flatMap(([a, b], gap) => {
    const [first, second] = [termOf(character, a), termOf(character, b)]
    return [
      [gap, first.joint, ...first.point, 1],
      [gap, second.joint, ...second.point.map((value) => -value), -1],
    ]
  })
  const terms = Float32Array.from(rows.flat())
  return new Map([
    ['gap.terms', terms],
    ...scalesOfGaps(pairs.length, squaresAt(character, terms, pairs.length, codes)),
  ])
}

/** Where a place is in the space of the joint that it follows. */
function termOf({ surface, skeleton }: SkinnedCharacter, place: Place): { joint: number; point: number[] } {
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
  return { joint, point: skeleton.frames ? transformed(skeleton.frames, 16 * joint, inFrame) : inFrame }
}

function transformed(m: Float64Array, o: number, x: ArrayLike<number>): number[] {
  return [0, 1, 2].map((row) => m[o + row] * x[0] + m[o + 4 + row] * x[1] + m[o + 8 + row] * x[2] + m[o + 12 + row])
}

/** Squared length of every gap, at each of some codes. */
function squaresAt(
  { skeleton, code, codeSize: size }: SkinnedCharacter,
  terms: Float32Array,
  gaps: number,
  codes: Float32Array,
): Float64Array[] {
  const joints = new JointSpaces(skeleton, code)
  return Array.from({ length: Math.min(SCALED_ON, codes.length / size) }, (_, i) => {
    joints.moveTo(codes.subarray(i * size, (i + 1) * size))
    const vectors = new Float64Array(3 * gaps)
    for (let t = 0; t < terms.length; t += TERM_SIZE) {
      const [gap, joint, x, y, z, w] = terms.subarray(t, t + TERM_SIZE)
      for (let row = 0; row < 3; row++) {
        const at = 16 * joint + row
        const m = joints.spaces
        vectors[3 * gap + row] += m[at] * x + m[at + 4] * y + m[at + 8] * z + m[at + 12] * w
      }
    }
    return Float64Array.from({ length: gaps }, (_, gap) => {
      const [x, y, z] = vectors.subarray(3 * gap, 3 * gap + 3)
      return x * x + y * y + z * z
    })
  })
}
