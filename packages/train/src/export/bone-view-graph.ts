/**
 * Points as a network in bone frames sees them, as a graph: which bones answer and with what windows (pliant's
 * bone-choice.ts), and where the point lies in their boxes.
 */
import { type BoneNetworkShape, LEAST_SQUARE } from 'pliant/unstable'
import {
  add,
  clamp,
  concat,
  constant,
  div,
  gather,
  groupedMatmul,
  intConstant,
  maximum,
  mul,
  norm,
  reshape,
  slice,
  smallestIndices,
  square,
  sub,
  sum,
  type Tensor,
} from '../graph/index.js'
import type { BoneBatch } from '../learn/frames/bone-graph.js'

/** Bones of a pose: what `BoneNetwork.pose` takes. */
export interface PosedBones {
  /** Joint to root frame [m], [joints, 4, 4], for column vectors. */
  matrices: Tensor
  /** [1, bones, 3 * MAX_DRIVERS]. */
  drivers: Tensor
}

/** Least window of the nearest bone: where all are equally far, it alone answers. */
const LEAST_WINDOW = 1e-6

/**
 * @param shape   with no more `nearest` than there are bones
 * @param points  root frame [m], [n, 3]
 */
export function boneView(shape: BoneNetworkShape, bonesOfPose: PosedBones, points: Tensor): BoneBatch {
  const { nearest } = shape
  const bones = shape.bones.length
  const n = points.shape[0]
  const posed = posedBones(shape, bonesOfPose.matrices)
  const spread = reshape(points, [n, 1, 3])

  // One more than answer: the first that does not sets the windows. Distances of the chosen are computed again, so that
  // the gradient goes through them alone.
  const kept = Math.min(nearest + 1, bones)
  const all = segmentDistances(spread, reshape(posed.segments, [1, bones, SEGMENT]))
  const places = smallestIndices(all, kept)
  const distances = segmentDistances(spread, gather(posed.segments, places))
  const bone = reshape(slice(places, 1, 0, nearest), [-1])

  const box = reshape(gather(posed.boxes, bone), [n, nearest, BOX])
  const part = (from: number, size: number): Tensor => slice(box, 2, from, from + size)
  const away = sub(spread, part(9, 3))
  const turned = sum(mul(reshape(part(0, 9), [n, nearest, 3, 3]), reshape(away, [n, nearest, 1, 3])), [3])
  const seen = sub(turned, part(12, 3))
  const local = clamp(seen, -1, 1)
  const beyond = mul(sub(seen, local), part(15, 3))
  return {
    poses: 1,
    drivers: bonesOfPose.drivers,
    local: reshape(local, [-1, 3]),
    bone,
    posedBone: bone,
    window: bones > nearest ? windows(shape, distances) : constant(1, [1, nearest]),
    outside: div(reshape(norm(beyond, [2]), [n, nearest]), shape.scale),
  }
}

/** Columns of the two tables: start, direction, one over its squared length, radius; */
const SEGMENT = 8
/** turn into the box, the joint's place, centre and half of the box. */
const BOX = 18

function posedBones(shape: BoneNetworkShape, matrices: Tensor): { segments: Tensor; boxes: Tensor } {
  const count = shape.bones.length
  const joints = intConstant(shape.bones.map(({ joint }) => joint))
  const posed = reshape(gather(reshape(matrices, [-1, 16]), joints), [count, 4, 4])
  const linear = slice(slice(posed, 1, 0, 3), 2, 0, 3)
  const origin = reshape(slice(slice(posed, 1, 0, 3), 2, 3, 4), [count, 3])
  const table = (of: (bone: BoneNetworkShape['bones'][number]) => readonly number[]): Tensor =>
    constant(
      shape.bones.flatMap((bone) => [...of(bone)]),
      [count, of(shape.bones[0]).length],
    )
  const turn = (vectors: Tensor): Tensor => reshape(groupedMatmul(linear, reshape(vectors, [count, 3, 1])), [count, 3])

  const direction = turn(table(({ start, end }) => end.map((value, axis) => value - start[axis])))
  const inverseLength = div(1, add(sum(square(direction), [1], true), LEAST_SQUARE))
  const start = add(turn(table((bone) => bone.start)), origin)
  const halves = table((bone) => bone.half)
  const into = div(inverses(linear), reshape(halves, [count, 3, 1]))
  const centres = table(({ centre, half }) => centre.map((value, axis) => value / half[axis]))
  return {
    segments: concat([start, direction, inverseLength, table(({ radius }) => [radius])], 1),
    boxes: concat([reshape(into, [count, 9]), origin, centres, halves], 1),
  }
}

/** Of 3x3 matrices, [count, 3, 3]: rows are cross products of the columns, over the determinant. */
function inverses(matrices: Tensor): Tensor {
  const count = matrices.shape[0]
  const [x, y, z] = [0, 1, 2].map((column) => reshape(slice(matrices, 2, column, column + 1), [count, 3]))
  const rows = [cross(y, z), cross(z, x), cross(x, y)]
  const determinant = reshape(sum(mul(x, rows[0]), [1]), [count, 1, 1])
  return div(
    concat(
      rows.map((row) => reshape(row, [count, 1, 3])),
      1,
    ),
    determinant,
  )
}

/** Of rows, [count, 3]. */
function cross(a: Tensor, b: Tensor): Tensor {
  const turned = (rows: Tensor, by: number): Tensor => concat([slice(rows, 1, by, 3), slice(rows, 1, 0, by)], 1)
  return sub(mul(turned(a, 1), turned(b, 2)), mul(turned(a, 2), turned(b, 1)))
}

/**
 * Distances [m] from segments less their radii.
 * @param points  [n, 1, 3]
 * @param table   [n or 1, count, SEGMENT]
 * @returns [n, count]
 */
function segmentDistances(points: Tensor, table: Tensor): Tensor {
  const column = (from: number, to: number): Tensor => slice(table, 2, from, to)
  const away = sub(points, column(0, 3))
  const along = clamp(mul(sum(mul(away, column(3, 6)), [2], true), column(6, 7)), 0, 1)
  const distance = sub(norm(sub(away, mul(along, column(3, 6))), [2], true), column(7, 8))
  return reshape(distance, [points.shape[0], table.shape[1]])
}

/** [n, nearest] from the distances of one bone more. */
function windows({ nearest, fade }: BoneNetworkShape, distances: Tensor): Tensor {
  const limit = slice(distances, 1, nearest, nearest + 1)
  const room = clamp(div(sub(limit, slice(distances, 1, 0, nearest)), fade), 0, 1)
  const smooth = mul(square(room), sub(3, mul(room, 2)))
  const first = maximum(slice(smooth, 1, 0, 1), LEAST_WINDOW)
  return nearest > 1 ? concat([first, slice(smooth, 1, 1, nearest)], 1) : first
}
