/** Frames that follow pieces of a surface as a graph of tensors; the formula is the one in pliant's piece-shape.ts. */
import { PIECE_SIZE, type PieceShape, pieceTensors } from 'pliant/unstable'
import {
  add,
  concat,
  constant,
  div,
  matmul,
  maximum,
  mul,
  reshape,
  sin,
  slice,
  sqrt,
  square,
  sub,
  type Tensor,
} from '../../graph/index.js'
import type { Weights } from '../rounds/index.js'
import type { FrameGraph } from './framed-shape.js'

export function pieceFrameGraph(shape: PieceShape, tensors: Weights): FrameGraph {
  const dimensions = pieceTensors(shape)
  const fixed = (name: string): Tensor => constant(tensors.get(name)!, dimensions.get(name)!)
  return {
    moving: Uint32Array.from({ length: shape.frames }, (_, frame) => frame),
    still: new Float64Array(16 * shape.frames),
    matrices(codes, rows) {
      const told = add(matmul(codes, fixed('pieces.weight')), fixed('pieces.bias'))
      const turned = turnsOf(reshape(told, [rows, shape.pieces, PIECE_SIZE]))
      const flat = reshape(turned, [rows, PIECE_SIZE * shape.pieces])
      return add(matmul(flat, fixed('frames.weight')), fixed('frames.bias'))
    },
  }
}

/** T = exp(v) S = (1 + a K + b K^2) S, [rows, K, 9]. */
function turnsOf(told: Tensor): Tensor {
  const [x, y, z, xx, xy, xz, yy, yz, zz] = Array.from({ length: PIECE_SIZE }, (_, i) => slice(told, 2, i, i + 1))
  const squares = [x, y, z].map((axis) => square(axis))
  // From here on down the quotients stand at their limits, 1 and 1/2, in single precision.
  const angle = sqrt(maximum(squares.reduce(add), 1e-12))
  const a = div(sin(angle), angle)
  // 2 sin(t / 2)^2 instead of 1 - cos t, which for small angles is nothing but rounding.
  const b = mul(square(div(sin(div(angle, 2)), angle)), 2)
  const [ax, ay, az] = [x, y, z].map((axis) => mul(a, axis))
  const [bxy, bxz, byz] = [mul(mul(b, x), y), mul(mul(b, x), z), mul(mul(b, y), z)]
  const diagonal = (i: number, j: number): Tensor => sub(1, mul(b, add(squares[i], squares[j])))
  const turn = [
    [diagonal(1, 2), sub(bxy, az), add(bxz, ay)],
    [add(bxy, az), diagonal(0, 2), sub(byz, ax)],
    [sub(bxz, ay), add(byz, ax), diagonal(0, 1)],
  ]
  const stretch = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ]
  const entries = turn.flatMap((row) => [0, 1, 2].map((j) => row.map((r, k) => mul(r, stretch[k][j])).reduce(add)))
  return concat(entries, 2)
}
