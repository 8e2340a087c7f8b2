/** The network in bone frames as a graph, for training: the formula of pliant's net/bones/bone-shape.ts, line by line. */
import type { BoneNetworkShape } from 'pliant/unstable'
import {
  add,
  concat,
  div,
  divideDimensions,
  exp,
  gather,
  greater,
  groupedMatmul,
  matmul,
  max,
  minimum,
  mul,
  reshape,
  silu,
  slice,
  stopGradient,
  sub,
  sum,
  type Tensor,
  tanh,
  transpose,
  trilinearIndexed,
  trilinearSized,
  where,
} from '../../graph/index.js'

export interface BoneBatch {
  /** Rotation vectors of the drivers, [poses, bones, 3 * MAX_DRIVERS]. */
  drivers: Tensor
  poses: number
  /** Points seen from their bones, [n * nearest, 3], the bones of a point together. */
  local: Tensor
  /** int32 [n * nearest]: the bone, and the bone among those of all poses (pose * bones + bone). */
  bone: Tensor
  posedBone: Tensor
  /** Windows and distances outside the boxes in units of scale, [n, nearest]. */
  window: Tensor
  outside: Tensor
}

/** Below any score. */
const LOWEST = -1e30
const BOX = { lower: [-1, -1, -1], upper: [1, 1, 1] } as const

/** @returns distances in units of scale, [n, 1] */
export function boneGraph(shape: BoneNetworkShape, tensor: (name: string) => Tensor, batch: BoneBatch): Tensor {
  const { nearest, sharpness, warp } = shape
  const bones = shape.bones.length
  const points = divideDimensions(batch.local.shape[0], nearest)
  const r = warp.resolution

  // All poses of a bone together: one small product per bone.
  const u = transpose(batch.drivers, [1, 0, 2])
  const hidden = tanh(
    add(
      groupedMatmul(u, tensor('code.hidden.weight')),
      reshape(tensor('code.hidden.bias'), [bones, 1, shape.codeHidden]),
    ),
  )
  const coefficients = add(
    add(groupedMatmul(u, tensor('code.linear')), groupedMatmul(hidden, tensor('code.output'))),
    reshape(tensor('code.offset'), [bones, 1, shape.coefficients]),
  )
  const size = r * r * r * (3 + warp.features)
  const posed = add(groupedMatmul(coefficients, tensor('warp.basis')), reshape(tensor('warp.base'), [bones, 1, size]))
  const posedGrids = reshape(transpose(posed, [1, 0, 2]), [batch.poses * bones, r, r, r, 3 + warp.features])

  const w = trilinearIndexed(posedGrids, batch.local, batch.posedBone, BOX)
  const carried = sub(batch.local, slice(w, 1, 0, 3))
  const sizes = shape.bones.map(({ nodes }) => nodes)
  const g = trilinearSized(tensor('grid'), sizes, carried, batch.bone, BOX)
  const features = concat([carried, slice(w, 1, 3, 3 + warp.features), g], 1)
  const h = silu(add(matmul(features, tensor('head.0.weight')), gather(tensor('head.0.bias'), batch.bone)))
  const head = add(matmul(h, tensor('head.1.weight')), tensor('head.1.bias'))

  const answer = (channel: number): Tensor =>
    reshape(add(slice(g, 1, channel, channel + 1), slice(head, 1, channel, channel + 1)), [points, nearest])
  const s = add(answer(0), batch.outside)
  const score = sub(answer(1), mul(s, sharpness))
  // A bone that its window shuts out must not push the others below what a float can hold.
  const largest = stopGradient(max(where(greater(batch.window, 0), score, LOWEST), [1], true))
  const weight = mul(batch.window, exp(minimum(sub(score, largest), 0)))
  return div(sum(mul(weight, s), [1], true), sum(weight, [1], true))
}
