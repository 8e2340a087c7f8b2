/**
 * The joints of a character as plain numbers, from its code to the matrices of its joint spaces in the root frame
 * (pliant's skeleton.ts and joint-code.ts):
 *
 *   w_j = c_j + q C_j          rotation vector from rest, linear in the code
 *   t_j = d_j + q D_j          translation in the parent's space, linear in the code
 *   L_j = [ R_j exp(w_j) diag(s_j) | t_j ]
 *   G_j = G_parent L_j         3 x 4 each; those above the root stand still
 *
 * Joints hang as the code moves them, from their carriers, and so are their spaces (`JointCode.carried`).
 */
import type { JointCode, Skeleton } from 'pliant/character'
import { jointVector } from 'pliant/unstable'

export interface JointChain {
  codeSize: number
  /** How many joints it has: those that are asked for and all they hang from, up to the root. */
  count: number
  /** Number in the skeleton of each. */
  joints: Int32Array
  /** Number in the chain of each one's parent, which comes before it; -1 if that stands still. */
  parents: Int32Array
  /** G of a parent that stands still, column-major 3 x 4, twelve numbers each; zeros for others. */
  bases: Float64Array
  /** R, column-major, nine numbers each, and s, three. */
  turns: Float64Array
  scales: Float64Array
  /** C and c, D and d: codeSize + 1 rows of three numbers for each joint, the last row c and d. */
  vectors: Float64Array
  slides: Float64Array
  /** Of all joints of the skeleton, where they are at rest: those that stand still are there for good; 16 each. */
  still: Float64Array
}

/** @param asked  joints whose matrices are wanted, by their numbers; those that are not below the root are left out */
export function jointChain(code: JointCode, asked: Iterable<number>): JointChain {
  const skeleton = code.carried
  const joints = chainOf(skeleton, asked)
  const numberOf = new Map(joints.map((joint, i) => [joint, i]))
  const chain: JointChain = {
    codeSize: code.size,
    count: joints.length,
    joints: Int32Array.from(joints),
    parents: Int32Array.from(joints, (joint) => numberOf.get(skeleton.parents[joint]) ?? -1),
    bases: new Float64Array(12 * joints.length),
    turns: new Float64Array(9 * joints.length),
    scales: new Float64Array(3 * joints.length),
    vectors: new Float64Array(3 * joints.length * (code.size + 1)),
    slides: new Float64Array(3 * joints.length * (code.size + 1)),
    still: skeleton.restSpaces,
  }
  joints.forEach((joint, i) => {
    writeJoint(chain, code, joint, i)
  })
  return chain
}

/** Parents before children. */
function chainOf({ order, parents, belowRoot }: Skeleton, asked: Iterable<number>): number[] {
  const found = new Set<number>()
  for (let joint of asked) {
    for (; joint >= 0 && belowRoot[joint] === 1 && !found.has(joint); joint = parents[joint]) found.add(joint)
  }
  return [...order].filter((joint) => found.has(joint))
}

function writeJoint(chain: JointChain, code: JointCode, joint: number, i: number): void {
  const { carried: skeleton, carriedFixed: fixed } = code
  const { rest, restSpaces, parents } = skeleton
  if (chain.parents[i] < 0) {
    const from = 16 * parents[joint]
    for (let column = 0; column < 4; column++) {
      for (let row = 0; row < 3; row++) chain.bases[12 * i + 3 * column + row] = restSpaces[from + 4 * column + row]
    }
  }
  chain.turns.set(matrixOfQuaternion(rest.rotations.subarray(4 * joint, 4 * joint + 4)), 9 * i)
  chain.scales.set(fixed.scales.subarray(3 * joint, 3 * joint + 3), 3 * i)
  const [last, width] = [code.size * 3 * chain.count + 3 * i, 3 * chain.count]
  jointVector(skeleton, fixed, joint, chain.vectors, last)
  chain.slides.set(fixed.translations.subarray(3 * joint, 3 * joint + 3), last)
  for (let entry = 0; entry < code.size; entry++) {
    if (code.joints[entry] !== joint) continue
    const axis = code.axes[entry]
    if (axis < 3) {
      chain.vectors[entry * width + 3 * i + axis] = code.units[entry]
      chain.vectors[last + axis] = 0
    } else {
      chain.slides[entry * width + 3 * i + axis - 3] = code.units[entry]
      chain.slides[last + axis - 3] = rest.translations[3 * joint + axis - 3]
    }
  }
}

/** Column-major. */
function matrixOfQuaternion([x, y, z, w]: Float64Array): number[] {
  const s = 2 / (x * x + y * y + z * z + w * w)
  return [
    ...[1 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)],
    ...[s * (x * y - z * w), 1 - s * (x * x + z * z), s * (y * z + x * w)],
    ...[s * (x * z + y * w), s * (y * z - x * w), 1 - s * (x * x + y * y)],
  ]
}
