/** A posed gap network as a graph of tensors; the formula is the one in pliant's posed-gap-shape.ts, line by line. */
import { LEAST_GAP, PLACE_SIZE, type PosedGapShape, pairWidths } from 'pliant/unstable'
import {
  add,
  batchMatmul,
  concat,
  constant,
  type Dimension,
  div,
  exp,
  greater,
  log,
  matmul,
  min,
  mul,
  reshape,
  slice,
  sqrt,
  square,
  sub,
  sum,
  type Tensor,
  transpose,
  where,
} from '../../graph/index.js'
import { activate } from '../dense-graph.js'
import type { FrameGraph } from './framed-shape.js'

/** x, y and z of many points, each [rows, ...]: sums over an axis of three are slow. */
export type Points = readonly Tensor[]

/**
 * @param frames  all that places name
 * @param given   pair.places and pair.middles, which stay as they are
 * @param tensor  of each other name that `posedGapTensors(shape)` lists
 * @param codes   [rows, r]
 * @param rows    how many, or the name that stands for it
 * @returns how far pairs of parts are apart, [rows, P]
 */
export function posedGapGraph(
  shape: PosedGapShape,
  frames: FrameGraph,
  given: { places: Float32Array; middles: Float32Array },
  tensor: (name: string) => Tensor,
  codes: Tensor,
  rows: Dimension,
): Tensor {
  const { pairs, places } = shape
  const matrices = frames.matrices(codes, rows)
  const all = pointsOf(frames, matrices, given.places).map((axis) => reshape(axis, [rows, pairs, 2 * places]))
  const parts = [0, 1].map((side) => all.map((axis) => slice(axis, 2, side * places, (side + 1) * places)))
  const values = pairClearances(
    shape,
    parts,
    seenPlaces(shape, frames, matrices, given.places, parts, rows),
    tensor,
    rows,
  )
  const middles = pointsOf(frames, matrices, given.middles).map((axis) => reshape(axis, [rows, pairs, 2]))
  const between = middles.map((axis) => reshape(sub(slice(axis, 2, 0, 1), slice(axis, 2, 1, 2)), [rows, pairs]))
  return where(greater(between.map(square).reduce(add), tensor('pair.far')), shape.far, values)
}

/**
 * What pairs tell of places that are known.
 * @param parts  places of the one part and of the other, [rows, P, K] along each axis
 * @param seen   places of either part from the other's frame, [rows, P, 6 C]
 * @returns [rows, P]
 */
export function pairClearances(
  shape: PosedGapShape,
  parts: readonly Points[],
  seen: Tensor,
  tensor: (name: string) => Tensor,
  rows: Dimension,
): Tensor {
  const scaled = add(mul(seen, tensor('seen.scale')), tensor('seen.shift'))
  return add(leastGap(shape, parts, tensor('gap.radius'), rows), throughLayers(shape, scaled, tensor, rows))
}

/** The soft least of all gaps between balls, [rows, P]. */
function leastGap(
  { pairs, places, perMetre, softness }: PosedGapShape,
  [first, second]: readonly Points[],
  radius: Tensor,
  rows: Dimension,
): Tensor {
  const ways = first.map((axis, k) =>
    sub(reshape(axis, [rows, pairs, places, 1]), reshape(second[k], [rows, pairs, 1, places])),
  )
  const lengths = reshape(sqrt(add(ways.map(square).reduce(add), LEAST_GAP)), [rows, pairs, places * places])
  const gaps = sub(mul(lengths, perMetre), radius)
  const least = min(gaps, 2, true)
  const shares = sum(exp(div(sub(least, gaps), softness)), 2, true)
  return reshape(sub(least, mul(log(shares), softness)), [rows, pairs])
}

/** Places of either part from the frame of the other's first, [rows, P, 6 C]. */
function seenPlaces(
  { pairs, places, seen }: PosedGapShape,
  frames: FrameGraph,
  matrices: Tensor,
  given: Float32Array,
  parts: readonly Points[],
  rows: Dimension,
): Tensor {
  const sides = [0, 1].map((side) => {
    const fromEach = Array.from({ length: pairs }, (_, pair) => given[PLACE_SIZE * places * (2 * pair + side)])
    const of = (x: number, y: number, z: number, w: number): Points =>
      pointsOf(frames, matrices, Float32Array.from(fromEach.flatMap((frame) => [frame, x, y, z])), w).map((axis) =>
        reshape(axis, [rows, pairs, 1]),
      )
    const origin = of(0, 0, 0, 1)
    const ways = parts[1 - side].map((axis, k) => sub(slice(axis, 2, 0, seen), origin[k]))
    const along = [of(1, 0, 0, 0), of(0, 1, 0, 0), of(0, 0, 1, 0)].map((direction) =>
      reshape(direction.map((axis, k) => mul(axis, ways[k])).reduce(add), [rows, pairs, seen, 1]),
    )
    return reshape(concat(along, 3), [rows, pairs, 3 * seen])
  })
  return concat(sides, 2)
}

/** @param seen  [rows, P, 6 C] */
function throughLayers(shape: PosedGapShape, seen: Tensor, tensor: (name: string) => Tensor, rows: Dimension): Tensor {
  const { pairs, activation, hidden } = shape
  let row = transpose(seen, [1, 0, 2])
  for (let l = 0; l < pairWidths(shape).length - 1; l++) {
    const sums = add(batchMatmul(row, tensor(`pair.${l}.weight`)), tensor(`pair.${l}.bias`))
    row = l < hidden.length ? activate(activation, sums) : sums
  }
  return transpose(reshape(row, [pairs, rows]), [1, 0])
}

/**
 * Where places are: linear in the matrices, those that move by a table, those that stand still by a start.
 * @param places  rows of frame, x, y, z
 * @param w       1 for points, 0 for directions
 */
function pointsOf({ moving, still }: FrameGraph, matrices: Tensor, places: Float32Array, w = 1): Points {
  const count = places.length / PLACE_SIZE
  const table = [0, 1, 2].map(() => new Float32Array(12 * moving.length * count))
  const start = [0, 1, 2].map(() => new Float32Array(count))
  for (let place = 0; place < count; place++) {
    const [frame, x, y, z] = places.subarray(PLACE_SIZE * place, PLACE_SIZE * (place + 1))
    const at = Array.prototype.indexOf.call(moving, frame)
    for (const [column, value] of [x, y, z, w].entries()) {
      for (let row = 0; row < 3; row++) {
        if (at < 0) start[row][place] += still[16 * frame + 4 * column + row] * value
        else table[row][(12 * at + 4 * row + column) * count + place] = value
      }
    }
  }
  return table.map((of, row) =>
    add(matmul(matrices, constant(of, [12 * moving.length, count])), constant(start[row], [count])),
  )
}
