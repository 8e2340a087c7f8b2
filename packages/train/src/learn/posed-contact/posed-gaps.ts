/**
 * Gaps between places of a character (self-contact/choose-places.ts) as terms in the spaces of its joints, and how they are
 * scaled: formula and tensors in pliant's posed-gap-shape.ts. A place is a sum of vertices, a vertex one of bound points that
 * bones carry, so a place is a sum of points in joint spaces:
 *
 *   x = sum over vertices v, bones b of w_v w_vb G_j(b) F_j(b) B_b x_v   (F: joint frame to space, B: inverse bind)
 */
import type { SkinnedCharacter } from 'pliant/character'
import { JointSpaces, TERM_SIZE } from 'pliant/unstable'
import type { Place } from '../self-contact/choose-places.js'
import { SCALED_ON, scalesOfGaps } from '../self-contact/gap-scales.js'

/** Terms of less weight are left out: no place moves by more than a thousandth of what they would. */
const NOTHING = 1e-3

/** @returns tensors `gap.*` */
export function posedGaps(
  character: SkinnedCharacter,
  pairs: readonly (readonly [Place, Place])[],
  codes: Float32Array,
): Map<string, Float32Array> {
  const rows = pairs.flatMap(([a, b], gap) => [
    ...termsOf(character, a).map((term) => [gap, ...term]),
    ...termsOf(character, b).map(([joint, ...point]) => [gap, joint, ...point.map((value) => -value)]),
  ])
  const terms = Float32Array.from(rows.flat())
  return new Map([
    ['gap.terms', terms],
    ...scalesOfGaps(pairs.length, squaresAt(character, terms, pairs.length, codes)),
  ])
}

/** Rows of joint, x, y, z, w. */
function termsOf({ surface, skeleton }: SkinnedCharacter, place: Place): number[][] {
  const { bound, bones, influenceStarts, influenceBones, influenceWeights } = surface
  const byJoint = new Map<number, number[]>()
  for (const [vertex, share] of place) {
    for (let k = influenceStarts[vertex]; k < influenceStarts[vertex + 1]; k++) {
      const bone = influenceBones[k]
      const weight = share * influenceWeights[k]
      const joint = bones.joints[bone]
      const sum = byJoint.get(joint) ?? [0, 0, 0, 0]
      const at = transformed(bones.inverseBind, 16 * bone, bound.subarray(3 * vertex, 3 * vertex + 3))
      const inSpace = skeleton.frames ? transformed(skeleton.frames, 16 * joint, at) : at
      for (let axis = 0; axis < 3; axis++) sum[axis] += weight * inSpace[axis]
      sum[3] += weight
      byJoint.set(joint, sum)
    }
  }
  return [...byJoint].filter(([, point]) => point[3] > NOTHING).map(([joint, point]) => [joint, ...point])
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
