/**
 * Trilinear lookup in a grid of features, differentiable with respect to the grid and to the points.
 * The eight corner weights are products of three small matrix products of the cell coordinates, so that no pass walks
 * over rows of two values, where broadcasting in onnxruntime is slow.
 */
import { mul, sub } from './arithmetic.js'
import { cast, EXACT_INTEGERS } from './cast.js'
import { type Dimension, divideDimensions, formatShape, multiplyDimensions } from './dimension.js'
import { gather } from './gather.js'
import { reshape } from './layout.js'
import { gemm } from './matmul.js'
import { floor, maximum, minimum, stopGradient } from './select.js'
import { constant, intConstant, makeNode, range, type Tensor } from './tensor.js'

/** The box that a grid spans, in the frame and unit of the points. */
export interface GridBox {
  lower: readonly [number, number, number]
  upper: readonly [number, number, number]
}

/**
 * @param grid    (nz, ny, nx, channels), at least 2 nodes along each axis; node (i, j, k) along x, y, z lies at
 *                lower + (i, j, k) / (n - 1) * (upper - lower)
 * @param points  (n, 3); clamped to the box, with zero position gradient along the axes where that changed them
 * @returns (n, channels)
 * @throws RangeError if a shape or the box does not fit
 */
export function trilinear(grid: Tensor, points: Tensor, box: GridBox): Tensor {
  const [nz, ny, nx, channels] = checkGrid('trilinear', grid.shape, points)
  const { corners, weights } = locate([nx, ny, nz], points, box)
  return interpolate(reshape(grid, [nx * ny * nz, channels]), corners, weights)
}

/**
 * One grid per pose, for blended grids in training: row r of the points uses grid floor(r / (n / poses)).
 * @param grids   (poses, nz, ny, nx, channels)
 * @param points  (poses * m, 3), pose-major
 * @returns (poses * m, channels)
 */
export function trilinearBatch(grids: Tensor, points: Tensor, box: GridBox): Tensor {
  if (grids.shape.length !== 5) {
    throw new RangeError(`trilinearBatch: grids ${formatShape(grids.shape)}; pass (poses, nz, ny, nx, channels).`)
  }
  const poses = grids.shape[0]
  const [nz, ny, nx, channels] = checkGrid('trilinearBatch', grids.shape.slice(1), points)
  const count = points.shape[0]
  const perPose = multiplyDimensions(divideDimensions(count, poses), 8)
  const nodes = nx * ny * nz
  const { corners, weights } = locate([nx, ny, nz], points, box)
  const starts = intMul(range(poses), nodes)
  const shifted = intAdd(reshape(corners, [poses, perPose]), reshape(starts, [poses, 1]))
  const table = reshape(grids, [multiplyDimensions(poses, nodes), channels])
  return interpolate(table, reshape(shifted, [count, 8]), weights)
}

/**
 * One of many grids for each point, for networks in bone frames: row r of the points uses grid indices[r].
 * @param grids    (grids, nz, ny, nx, channels)
 * @param points   (n, 3)
 * @param indices  int32, (n)
 * @returns (n, channels)
 */
export function trilinearIndexed(grids: Tensor, points: Tensor, indices: Tensor, box: GridBox): Tensor {
  if (grids.shape.length !== 5 || indices.shape.length !== 1 || indices.type !== 'int32') {
    throw new RangeError(
      `trilinearIndexed: grids ${formatShape(grids.shape)}, ${indices.type} indices ${formatShape(indices.shape)}; pass (grids, nz, ny, nx, channels) and int32 (n).`,
    )
  }
  const [nz, ny, nx, channels] = checkGrid('trilinearIndexed', grids.shape.slice(1), points)
  const nodes = nx * ny * nz
  const { corners, weights } = locate([nx, ny, nz], points, box)
  const starts = reshape(intMul(indices, nodes), [points.shape[0], 1])
  const table = reshape(grids, [multiplyDimensions(grids.shape[0], nodes), channels])
  return interpolate(table, intAdd(corners, starts), weights)
}

function locate(size: readonly [number, number, number], points: Tensor, { lower, upper }: GridBox) {
  const scale = size.map((n, i) => (n - 1) / (upper[i] - lower[i]))
  if (!scale.every((s) => Number.isFinite(s) && s > 0)) {
    throw new RangeError(`trilinear: box ${lower.join(' ')} to ${upper.join(' ')}; the upper corner must be above.`)
  }
  // Points inside the box keep the gradient also on its faces: maximum and minimum give ties to their first operand.
  const cells = mul(sub(points, constant(lower)), constant(scale))
  const inside = minimum(maximum(cells, 0), constant(size.map((n) => n - 1)))
  const corner = stopGradient(minimum(floor(inside), constant(size.map((n) => n - 2))))
  const fraction = sub(inside, corner)

  // Corner c = (c & 1, c >> 1 & 1, c >> 2) along x, y, z. Weight along one axis: fraction or 1 - fraction.
  const strides = [1, size[0], size[0] * size[1]]
  const bit = (c: number, axis: number): number => (c >> axis) & 1
  let weights: Tensor | undefined
  for (let axis = 0; axis < 3; axis++) {
    const slope = new Float32Array(24)
    const offset = new Float32Array(8)
    for (let c = 0; c < 8; c++) {
      slope[axis * 8 + c] = bit(c, axis) ? 1 : -1
      offset[c] = bit(c, axis) ? 0 : 1
    }
    const along = gemm(fraction, constant(slope, [3, 8]), false, false, constant(offset))
    weights = weights ? mul(weights, along) : along
  }
  const stride = new Float32Array(24).map((_, i) => strides[Math.floor(i / 8)])
  const shift = Array.from({ length: 8 }, (_, c) => strides.reduce((s, step, axis) => s + bit(c, axis) * step, 0))
  const corners = cast(gemm(corner, constant(stride, [3, 8]), false, false, constant(shift)), 'int32')
  return { corners, weights: weights as Tensor }
}

/**
 * (n, 8) corners and weights -> (n, channels). Repeating a weight for each channel and adding up the corners are
 * products with constant matrices of ones: 3 times as fast as broadcasting and reducing rows of a few channels.
 */
function interpolate(table: Tensor, corners: Tensor, weights: Tensor): Tensor {
  const channels = table.shape[1] as number
  const columns = 8 * channels
  const repeat = new Float32Array(8 * columns)
  const collect = new Float32Array(columns * channels)
  for (let column = 0; column < columns; column++) {
    repeat[Math.floor(column / channels) * columns + column] = 1
    collect[column * channels + (column % channels)] = 1
  }
  const values = reshape(gather(table, corners), [weights.shape[0], columns])
  const repeated = gemm(weights, constant(repeat, [8, columns]), false, false)
  return gemm(mul(values, repeated), constant(collect, [columns, channels]), false, false)
}

function checkGrid(what: string, shape: readonly Dimension[], points: Tensor): [number, number, number, number] {
  const sizes = shape.slice(0, 3)
  const [nz, ny, nx] = sizes as number[]
  if (shape.length !== 4 || !sizes.every((n) => typeof n === 'number' && n >= 2) || nx * ny * nz >= EXACT_INTEGERS) {
    throw new RangeError(`${what}: grid ${formatShape(shape)}; pass (nz, ny, nx, channels) of 2 nodes or more each.`)
  }
  if (points.shape.length !== 2 || points.shape[1] !== 3) {
    throw new RangeError(`${what}: points ${formatShape(points.shape)}; pass (n, 3).`)
  }
  return [nz, ny, nx, shape[3] as number]
}

function intAdd(a: Tensor, b: Tensor): Tensor {
  return makeNode('Add', { operands: [a, b], shape: a.shape, type: 'int32' })
}

function intMul(a: Tensor, factor: number): Tensor {
  return makeNode('Mul', { operands: [a, intConstant([factor])], shape: a.shape, type: 'int32' })
}
