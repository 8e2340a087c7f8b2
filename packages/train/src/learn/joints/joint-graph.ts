/** A character's joints as a graph of tensors: the formula in joint-chain.ts, level after level of the hierarchy. */
import {
  add,
  concat,
  constant,
  cos,
  type Dimension,
  div,
  expand,
  matmul,
  maximum,
  mul,
  reshape,
  sin,
  slice,
  sqrt,
  square,
  sum,
  type Tensor,
} from '../../graph/index.js'
import type { JointChain } from './joint-chain.js'

/**
 * @param codes  [rows, codeSize]; null if codes are empty, then there is one row
 * @param rows   how many, or the name that stands for it
 * @returns G of every joint of the chain, [rows, 12 joints]: twelve numbers each, three rows of four
 */
export function jointGraph(chain: JointChain, codes: Tensor | null, rows: Dimension): Tensor {
  const { count } = chain
  const turned = mul(turnsOf(chain, codes, rows), constant(rowsOfScales(chain), [count, 3, 3]))
  const slid = reshape(linear(chain, chain.slides, codes, rows), [rows, count, 1, 3])
  const levels = levelsOf(chain)
  const done = new Map<number, Tensor>()
  for (const level of levels) {
    const above = concat(
      level.map((joint) => done.get(chain.parents[joint]) ?? baseOf(chain, joint, rows)),
      1,
    )
    const own = concat(
      level.map((joint) => slice(turned, 1, joint, joint + 1)),
      1,
    )
    const way = concat(
      level.map((joint) => slice(slid, 1, joint, joint + 1)),
      1,
    )
    const matrix = slice(above, 3, 0, 3)
    const place = slice(above, 3, 3, 4)
    const turn = productOf(matrix, own, rows, level.length)
    const moved = add(sum(mul(matrix, way), 3, true), place)
    const found = concat([turn, moved], 3)
    level.forEach((joint, i) => {
      done.set(joint, slice(found, 1, i, i + 1))
    })
  }
  const all = concat(
    Array.from({ length: count }, (_, joint) => done.get(joint)!),
    1,
  )
  return reshape(all, [rows, 12 * count])
}

/** Rotation vectors of the joints from rest [rad], [rows, 3 joints]. */
export function jointVectors(chain: JointChain, codes: Tensor | null, rows: Dimension): Tensor {
  return linear(chain, chain.vectors, codes, rows)
}

/** c + q C of all joints, [rows, 3 joints]. */
function linear({ codeSize, count }: JointChain, values: Float64Array, codes: Tensor | null, rows: Dimension): Tensor {
  const table = Float32Array.from(values)
  const [slopes, first] = [table.slice(0, codeSize * 3 * count), table.slice(codeSize * 3 * count)]
  const start = constant(first, [1, 3 * count])
  if (!codes) return expandRows(start, rows)
  return add(matmul(codes, constant(slopes, [codeSize, 3 * count])), start)
}

/** Rodrigues: R (cos(a) + sin(a) / a [w]x + (1 - cos(a)) / a^2 w w^T), [rows, joints, 3, 3]. */
function turnsOf(chain: JointChain, codes: Tensor | null, rows: Dimension): Tensor {
  const { count } = chain
  const w = reshape(jointVectors(chain, codes, rows), [rows, count, 3])
  // From here on down the quotients stand at their limits, 1 and 1/2, in single precision.
  const angle = sqrt(maximum(sum(square(w), 2, true), 1e-12))
  const factor = (tensor: Tensor): Tensor => reshape(tensor, [rows, count, 1, 1])
  // Rows of [w]x: (0, -z, y), (z, 0, -x), (-y, x, 0).
  const [x, y, z] = [0, 1, 2].map((axis) => slice(w, 2, axis, axis + 1))
  const zero = mul(x, 0)
  const cross = reshape(concat([zero, mul(z, -1), y, z, zero, mul(x, -1), mul(y, -1), x, zero], 2), [rows, count, 3, 3])
  const outer = mul(reshape(w, [rows, count, 3, 1]), reshape(w, [rows, count, 1, 3]))
  // 2 sin(a / 2)^2 instead of 1 - cos(a), which for small angles is nothing but rounding.
  const half = div(sin(div(angle, 2)), angle)
  const turn = add(
    add(
      mul(factor(cos(angle)), constant([1, 0, 0, 0, 1, 0, 0, 0, 1], [3, 3])),
      mul(factor(div(sin(angle), angle)), cross),
    ),
    mul(factor(mul(square(half), 2)), outer),
  )
  return productOf(constant(rowsOfTurns(chain), [1, count, 3, 3]), turn, rows, count)
}

/** Matrices a b, [rows, count, 3, 3] each; of `a`, rows may be 1. */
function productOf(a: Tensor, b: Tensor, rows: Dimension, count: number): Tensor {
  const [left, right] = [reshape(a, [a.shape[0], count, 3, 3, 1]), reshape(b, [rows, count, 1, 3, 3])]
  return sum(mul(left, right), 3)
}

function rowsOfTurns({ turns }: JointChain): Float32Array {
  return Float32Array.from(turns, (_, i) => turns[i - (i % 9) + 3 * (i % 3) + (Math.trunc(i / 3) % 3)])
}

/** The scale of each column. */
function rowsOfScales({ scales, count }: JointChain): Float32Array {
  return Float32Array.from({ length: 9 * count }, (_, i) => scales[3 * Math.trunc(i / 9) + (i % 3)])
}

function baseOf({ bases }: JointChain, joint: number, rows: Dimension): Tensor {
  const base = Float32Array.from({ length: 12 }, (_, i) => bases[12 * joint + 3 * (i % 4) + Math.trunc(i / 4)])
  return expandRows(constant(base, [1, 1, 3, 4]), rows)
}

/** Joints that hang from those of the level before, or from what stands still. */
function levelsOf({ count, parents }: JointChain): number[][] {
  const depth = new Int32Array(count)
  const levels: number[][] = []
  for (let joint = 0; joint < count; joint++) {
    depth[joint] = parents[joint] < 0 ? 0 : depth[parents[joint]] + 1
    levels[depth[joint]] ??= []
    levels[depth[joint]].push(joint)
  }
  return levels
}

function expandRows(tensor: Tensor, rows: Dimension): Tensor {
  return expand(tensor, [rows, ...tensor.shape.slice(1)])
}
