/** From an elastic body's code to the frames of its parts as a graph: what pliant's PartFrames computes. */
import { type BoneNetworkShape, MAX_DRIVERS, type PartFramesData, type PartMotions } from 'pliant/unstable'
import {
  add,
  concat,
  constant,
  div,
  gather,
  groupedMatmul,
  intConstant,
  matmul,
  mul,
  reshape,
  slice,
  sub,
  sum,
  type Tensor,
  transpose,
} from '../graph/index.js'
import type { PosedBones } from './bone-view-graph.js'

/** Steps of Higham's iteration: it doubles the digits in each, once it is near. */
const POLAR_STEPS = 10

/** @param code  [size] */
export function partsGraph(
  shape: BoneNetworkShape,
  { axes: restAxes }: PartFramesData,
  motions: PartMotions,
  code: Tensor,
): PosedBones {
  const parts = shape.bones.length
  const size = code.shape[0] as number
  const moved = matmul(constant(Float32Array.from(motions.perCode()), [12 * parts, size]), reshape(code, [size, 1]))
  const affine = reshape(moved, [parts, 12])
  const axes = constant(restAxes, [parts, 3, 3])
  const restCentres = constant(Float32Array.from(motions.centres), [parts, 3])
  const stretchless = constant(Array.from({ length: parts }, () => IDENTITY).flat(), [parts, 3, 3])
  const f = add(reshape(slice(affine, 1, 0, 9), [parts, 3, 3]), stretchless)
  const centres = add(slice(affine, 1, 9, 12), restCentres)
  const frame = groupedMatmul(polar(f, parts), axes)
  const back = transpose(frame, [0, 2, 1])

  const stretch = reshape(sub(groupedMatmul(back, groupedMatmul(f, axes)), stretchless), [parts, 9])
  const entries = SYMMETRIC.map((entry) => slice(stretch, 1, entry, entry + 1))
  const drivers = concat([...entries, neighbours(shape, restAxes, motions.centres, centres, back)], 1)
  const places = concat([frame, reshape(centres, [parts, 3, 1])], 2)
  const last = constant(Array.from({ length: parts }, () => [0, 0, 0, 1]).flat(), [parts, 1, 4])
  return { matrices: concat([places, last], 1), drivers: reshape(drivers, [1, parts, 3 * MAX_DRIVERS]) }
}

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1]
/** Entries xx, yy, zz, xy, xz, yz of a 3 x 3 matrix. */
const SYMMETRIC = [0, 4, 8, 1, 2, 5]

/** Polar rotation: R = (R + R^-T) / 2, again and again (Higham 1986). Of parts that are turned inside out it is none. */
function polar(f: Tensor, parts: number): Tensor {
  let rows = [0, 1, 2].map((row) => reshape(slice(f, 1, row, row + 1), [parts, 3]))
  for (let step = 0; step < POLAR_STEPS; step++) {
    const cofactors = [cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])]
    const determinant = sum(mul(rows[0], cofactors[0]), [1], true)
    rows = rows.map((row, i) => mul(add(row, div(cofactors[i], determinant)), 0.5))
  }
  return concat(
    rows.map((row) => reshape(row, [parts, 1, 3])),
    1,
  )
}

/** Of rows [n, 3]. */
function cross(a: Tensor, b: Tensor): Tensor {
  const turned = (v: Tensor, from: number): Tensor => concat([slice(v, 1, from, 3), slice(v, 1, 0, from)], 1)
  return sub(mul(turned(a, 1), turned(b, 2)), mul(turned(a, 2), turned(b, 1)))
}

/** How far the neighbours' centres have moved, seen from each part, over their distance at rest; zero where there is none. */
function neighbours(
  { bones }: BoneNetworkShape,
  axes: Float32Array,
  rest: Float64Array,
  centres: Tensor,
  back: Tensor,
): Tensor {
  const parts = bones.length
  const most = MAX_DRIVERS - 2
  const others = bones.flatMap(({ drivers }, part) => Array.from({ length: most }, (_, i) => drivers[i] ?? part))
  const resting: number[] = []
  const inverse: number[] = []
  others.forEach((other, i) => {
    const part = Math.floor(i / most)
    const d = [0, 1, 2].map((axis) => rest[3 * other + axis] - rest[3 * part + axis])
    for (let axis = 0; axis < 3; axis++) {
      resting.push(d.reduce((total, value, row) => total + axes[9 * part + 3 * row + axis] * value, 0))
    }
    inverse.push(other === part ? 0 : 1 / (Math.hypot(...d) || 1))
  })
  const away = sub(reshape(gather(centres, intConstant(others)), [parts, most, 3]), reshape(centres, [parts, 1, 3]))
  const seen = transpose(groupedMatmul(back, transpose(away, [0, 2, 1])), [0, 2, 1])
  const moved = mul(sub(seen, constant(resting, [parts, most, 3])), constant(inverse, [parts, most, 1]))
  return reshape(moved, [parts, 3 * most])
}
