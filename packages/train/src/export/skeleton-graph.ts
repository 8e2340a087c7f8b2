/** From a character's code to its joints as a graph: what pliant's JointCode.decode and Skeleton.matrices compute. */

import type { JointCode } from 'pliant/character'
import { type BoneNetworkShape, composeMat4, jointVector, MAX_DRIVERS } from 'pliant/unstable'
import {
  add,
  concat,
  constant,
  cos,
  div,
  floor,
  gather,
  groupedMatmul,
  intConstant,
  matmul,
  maximum,
  mul,
  reshape,
  sin,
  slice,
  sqrt,
  square,
  sub,
  sum,
  type Tensor,
} from '../graph/index.js'

export interface PosedJoints {
  /** Joint frame to root frame [m], [joints, 4, 4], for column vectors. */
  matrices: Tensor
  /** Rotation vectors from rest over pi, no longer than 1, [joints, 3]. */
  vectors: Tensor
}

/** @param input  the code, [size]; null if it is empty */
export function skeletonGraph(code: JointCode, input: Tensor | null): PosedJoints {
  const { skeleton } = code
  const joints = skeleton.jointCount
  const { vectors, translations } = linearParts(code, input && reshape(input, [1, code.size]))
  const locals = localMatrices(code, vectors, translations)
  const posed: Tensor[] = []
  for (let joint = 0; joint < joints; joint++) {
    posed.push(
      skeleton.belowRoot[joint] === 1
        ? groupedMatmul(posed[skeleton.parents[joint]], slice(locals, 0, joint, joint + 1))
        : constant(rowMajor(skeleton.restSpaces, 16 * joint), [1, 4, 4]),
    )
  }
  const spaces = concat(posed, 0)
  const { frames } = skeleton
  const rows = frames && Array.from({ length: joints }, (_, joint) => rowMajor(frames, 16 * joint)).flat()
  const matrices = rows ? groupedMatmul(spaces, constant(rows, [joints, 4, 4])) : spaces
  return { matrices, vectors: withinHalfTurn(vectors) }
}

/** Rotation vectors of the joints that bend each bone's part, [1, bones, 3 * MAX_DRIVERS]. */
export function jointDrivers({ bones }: BoneNetworkShape, vectors: Tensor): Tensor {
  const none = vectors.shape[0] as number
  const rows = bones.flatMap(({ drivers }) => Array.from({ length: MAX_DRIVERS }, (_, i) => drivers[i] ?? none))
  const padded = concat([vectors, constant(0, [1, 3])], 0)
  return reshape(gather(padded, intConstant(rows)), [1, bones.length, 3 * MAX_DRIVERS])
}

/** Rotation vectors [rad] and translations, [joints, 3]: both are linear in the code. */
function linearParts(code: JointCode, row: Tensor | null): { vectors: Tensor; translations: Tensor } {
  const { skeleton, fixed, size } = code
  const joints = skeleton.jointCount
  const vectors = new Float64Array(3 * joints)
  for (let joint = 0; joint < joints; joint++) jointVector(skeleton, fixed, joint, vectors, 3 * joint)
  const translations = fixed.translations.slice()
  const slopes = { vectors: new Float32Array(3 * joints * size), translations: new Float32Array(3 * joints * size) }
  for (let entry = 0; entry < size; entry++) {
    const axis = code.axes[entry] % 3
    const at = 3 * code.joints[entry] + axis
    const slides = code.axes[entry] >= 3
    // What the code holds is measured from rest, not from what stands there otherwise.
    if (slides) translations[at] = skeleton.rest.translations[at]
    else vectors[at] = 0
    slopes[slides ? 'translations' : 'vectors'][3 * joints * entry + at] = code.units[entry]
  }
  const linear = (offset: Float64Array, slope: Float32Array): Tensor => {
    const still = constant(Float32Array.from(offset), [1, 3 * joints])
    const posed = row ? add(matmul(row, constant(slope, [size, 3 * joints])), still) : still
    return reshape(posed, [joints, 3])
  }
  return { vectors: linear(vectors, slopes.vectors), translations: linear(translations, slopes.translations) }
}

/** Joint to parent, [joints, 4, 4]: translation, then rest rotation, then turn, then scale. */
function localMatrices(code: JointCode, vectors: Tensor, translations: Tensor): Tensor {
  const { skeleton, fixed } = code
  const joints = skeleton.jointCount
  const rest = new Float64Array(16 * joints)
  const unscaled = new Float64Array(3 * joints).fill(1)
  for (let joint = 0; joint < joints; joint++) {
    composeMat4(skeleton.rest.translations, skeleton.rest.rotations, unscaled, joint, rest, 16 * joint)
  }
  const restMatrices = Array.from({ length: joints }, (_, joint) => rowMajor(rest, 16 * joint)).flat()
  const restTurns = slice(slice(constant(restMatrices, [joints, 4, 4]), 1, 0, 3), 2, 0, 3)
  const scales = constant(Float32Array.from(fixed.scales), [joints, 1, 3])
  const linear = mul(groupedMatmul(restTurns, turns(vectors)), scales)
  const last = Array.from({ length: joints }, () => [0, 0, 0, 1]).flat()
  return concat([concat([linear, reshape(translations, [joints, 3, 1])], 2), constant(last, [joints, 1, 4])], 1)
}

/** Rodrigues: cos(a) I + sin(a) / a [v]x + (1 - cos(a)) / a^2 v v^T, [joints, 3, 3]. */
function turns(vectors: Tensor): Tensor {
  const joints = vectors.shape[0]
  // From here on down the quotients stand at their limits, 1 and 1/2, in single precision.
  const angle = sqrt(maximum(sum(square(vectors), [1], true), 1e-12))
  const factor = (tensor: Tensor): Tensor => reshape(tensor, [joints, 1, 1])
  const cross = reshape(matmul(vectors, constant(CROSS.flat(), [3, 9])), [joints, 3, 3])
  const outer = mul(reshape(vectors, [joints, 3, 1]), reshape(vectors, [joints, 1, 3]))
  // 2 sin(a / 2)^2 instead of 1 - cos(a), which for small angles is nothing but rounding.
  const half = div(sin(div(angle, 2)), angle)
  return add(
    add(mul(factor(cos(angle)), constant(IDENTITY, [1, 3, 3])), mul(factor(div(sin(angle), angle)), cross)),
    mul(factor(mul(square(half), 2)), outer),
  )
}

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1]
/** What each component of v adds to the matrix of the cross product with v, row-major. */
const CROSS = [
  [0, 0, 0, 0, 0, -1, 0, 1, 0],
  [0, 0, 1, 0, 0, 0, -1, 0, 0],
  [0, -1, 0, 1, 0, 0, 0, 0, 0],
]

/** The same rotations by angles of at most half a turn, over pi. */
function withinHalfTurn(vectors: Tensor): Tensor {
  const turnsTaken = mul(sqrt(maximum(sum(square(vectors), [1], true), 1e-12)), 1 / (2 * Math.PI))
  const whole = floor(add(turnsTaken, 0.5))
  return mul(vectors, mul(sub(1, div(whole, turnsTaken)), 1 / Math.PI))
}

/** A column-major 4x4 as rows. */
function rowMajor(matrices: ArrayLike<number>, at: number): number[] {
  return Array.from({ length: 16 }, (_, i) => matrices[at + 4 * (i % 4) + Math.floor(i / 4)])
}
