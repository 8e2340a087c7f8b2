/** From a character's code to its joints as a graph: what pliant's JointCode.decode and Skeleton.matrices compute. */

import type { JointCode } from 'pliant/character'
import { type BoneNetworkShape, jointVector, MAX_DRIVERS } from 'pliant/unstable'
import {
  add,
  concat,
  constant,
  div,
  floor,
  gather,
  groupedMatmul,
  intConstant,
  maximum,
  mul,
  reshape,
  slice,
  sqrt,
  square,
  sub,
  sum,
  type Tensor,
} from '../graph/index.js'
import { jointChain } from '../learn/joints/joint-chain.js'
import { jointGraph, jointVectors } from '../learn/joints/joint-graph.js'

export interface PosedJoints {
  /** Joint frame to root frame [m], [joints, 4, 4], for column vectors. */
  matrices: Tensor
  /** Rotation vectors from rest over pi, no longer than 1, [joints, 3]. */
  vectors: Tensor
}

/**
 * @param input  the code, [size]; null if it is empty
 * @throws RangeError if joints are measured from carriers: networks in bone frames go by turns in their parents, which such a
 *   code does not tell without the whole chain; no training makes one
 */
export function skeletonGraph(code: JointCode, input: Tensor | null): PosedJoints {
  const { skeleton } = code
  if (code.carriers) {
    throw new RangeError('export: the joint code is measured from carriers, this network by parents; train it again.')
  }
  const chain = jointChain(code, skeleton.parents.keys())
  const row = input && reshape(input, [1, code.size])
  const numberOf = new Map(Array.from(chain.joints, (joint, i) => [joint, i]))
  const moved = chain.count > 0 && reshape(jointGraph(chain, row, 1), [chain.count, 3, 4])
  const turned = chain.count > 0 && reshape(jointVectors(chain, row, 1), [chain.count, 3])
  /** Of every joint: its own if it moves, else what stands still. */
  const each = (own: Tensor | false, still: (joint: number) => Tensor): Tensor =>
    concat(
      Array.from(skeleton.parents, (_, joint) => {
        const at = numberOf.get(joint)
        return own && at !== undefined ? slice(own, 0, at, at + 1) : still(joint)
      }),
      0,
    )
  const joints = skeleton.jointCount
  const tops = each(moved, (joint) => constant(rowMajor(skeleton.restSpaces, 16 * joint).slice(0, 12), [1, 3, 4]))
  const last = Array.from({ length: joints }, () => [0, 0, 0, 1]).flat()
  const spaces = concat([tops, constant(last, [joints, 1, 4])], 1)
  const { frames } = skeleton
  const rows = frames && Array.from({ length: joints }, (_, joint) => rowMajor(frames, 16 * joint)).flat()
  const matrices = rows ? groupedMatmul(spaces, constant(rows, [joints, 4, 4])) : spaces
  const vectors = each(turned, (joint) => constant(stillVector(code, joint), [1, 3]))
  return { matrices, vectors: withinHalfTurn(vectors) }
}

function stillVector({ skeleton, fixed }: JointCode, joint: number): Float32Array {
  const vector = new Float64Array(3)
  jointVector(skeleton, fixed, joint, vector, 0)
  return Float32Array.from(vector)
}

/** Rotation vectors of the joints that bend each bone's part, [1, bones, 3 * MAX_DRIVERS]. */
export function jointDrivers({ bones }: BoneNetworkShape, vectors: Tensor): Tensor {
  const none = vectors.shape[0] as number
  const rows = bones.flatMap(({ drivers }) => Array.from({ length: MAX_DRIVERS }, (_, i) => drivers[i] ?? none))
  const padded = concat([vectors, constant(0, [1, 3])], 0)
  return reshape(gather(padded, intConstant(rows)), [1, bones.length, 3 * MAX_DRIVERS])
}

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
