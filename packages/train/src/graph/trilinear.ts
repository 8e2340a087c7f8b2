/**
 * Trilinear lookup in a grid of features, differentiable with respect to the grid and to the points.
 * The eight corner weights are products of three small matrix products of the cell coordinates, so that no pass walks
 * over rows of two values, where broadcasting in onnxruntime is slow.
 */
import { add, mul, sub } from './arithmetic.js'
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
  checkIndices('trilinearIndexed', indices)
  if (grids.shape.length !== 5) {
    throw new RangeError(`trilinearIndexed: grids ${formatShape(grids.shape)}; pass (grids, nz, ny, nx, channels).`)
  }
  const [nz, ny, nx, channels] = checkGrid('trilinearIndexed', grids.shape.slice(1), points)
  const nodes = nx * ny * nz
  const { corners, weights } = locate([nx, ny, nz], points, box)
  const starts = reshape(intMul(indices, nodes), [points.shape[0], 1])
  const table = reshape(grids, [multiplyDimensions(grids.shape[0], nodes), channels])
  return interpolate(table, intAdd(corners, starts), weights)
}

/**
 * The same for grids of different sizes, one after the other in one table.
 * @param table    (nodes of all grids, channels), each grid in [z][y][x] order
 * @param sizes    nodes along x, y, z of each grid, at least 2
 * @param points   (n, 3)
 * @param indices  int32, (n)
 * @returns (n, channels)
 */
export function trilinearSized(
  table: Tensor,
  sizes: readonly (readonly [number, number, number])[],
  points: Tensor,
  indices: Tensor,
  box: GridBox,
): Tensor {
  checkIndices('trilinearSized', indices)
  const total = sizes.reduce((sum, [x, y, z]) => sum + x * y * z, 0)
  if (table.shape.length !== 2 || table.shape[0] !== total || total >= EXACT_INTEGERS) {
    throw new RangeError(
      `trilinearSized: table ${formatShape(table.shape)} for grids of ${total} nodes; pass (nodes, channels), fewer than ${EXACT_INTEGERS} nodes.`,
    )
  }
  checkPoints('trilinearSized', points)
  const starts = startsOf(sizes)
  const rowsOf = (of: (size: readonly [number, number, number], grid: number) => readonly number[]): Tensor =>
    gather(constant(Float32Array.from(sizes.flatMap(of)), [sizes.length, of(sizes[0], 0).length]), indices)
  const last = rowsOf((size) => size.map((n) => n - 1))
  const cells = mul(sub(points, constant(box.lower)), mul(last, constant(perUnit(box))))
  const { corner, fraction } = cellOf(cells, last)
  const strides = rowsOf(stridesOf)
  const first = gemm(mul(corner, strides), constant(1, [3, 8]), false, false)
  const corners = add(
    first,
    rowsOf((size, grid) => cornerShifts(stridesOf(size)).map((shift) => starts[grid] + shift)),
  )
  return interpolate(table, cast(corners, 'int32'), cornerWeights(fraction))
}

function startsOf(sizes: readonly (readonly [number, number, number])[]): number[] {
  let start = 0
  return sizes.map(([x, y, z]) => {
    start += x * y * z
    return start - x * y * z
  })
}

function locate(size: readonly [number, number, number], points: Tensor, box: GridBox) {
  const scale = perUnit(box).map((unit, axis) => (size[axis] - 1) * unit)
  const cells = mul(sub(points, constant(box.lower)), constant(scale))
  const { corner, fraction } = cellOf(cells, constant(size.map((n) => n - 1)))
  const strides = stridesOf(size)
  const stride = new Float32Array(24).map((_, i) => strides[Math.floor(i / 8)])
  const corners = cast(gemm(corner, constant(stride, [3, 8]), false, false, constant(cornerShifts(strides))), 'int32')
  return { corners, weights: cornerWeights(fraction) }
}

/** One over the box's size along each axis. */
function perUnit({ lower, upper }: GridBox): number[] {
  const units = upper.map((end, axis) => 1 / (end - lower[axis]))
  if (!units.every((unit) => Number.isFinite(unit) && unit > 0)) {
    throw new RangeError(`trilinear: box ${lower.join(' ')} to ${upper.join(' ')}; the upper corner must be above.`)
  }
  return units
}

/** Lowest corner of each point's cell, and the place within it. */
function cellOf(cells: Tensor, last: Tensor): { corner: Tensor; fraction: Tensor } {
  // Points inside the box keep the gradient also on its faces: maximum and minimum give ties to their first operand.
  const inside = minimum(maximum(cells, 0), last)
  const corner = stopGradient(minimum(floor(inside), sub(last, 1)))
  return { corner, fraction: sub(inside, corner) }
}

// Corner c = (c & 1, c >> 1 & 1, c >> 2) along x, y, z.
const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7]
const bit = (c: number, axis: number): number => (c >> axis) & 1

function stridesOf(size: readonly [number, number, number]): number[] {
  return [1, size[0], size[0] * size[1]]
}

/** From a cell's lowest corner to each of the eight. */
function cornerShifts(strides: readonly number[]): number[] {
  return CORNERS.map((c) => strides.reduce((s, step, axis) => s + bit(c, axis) * step, 0))
}

/** (n, 3) -> (n, 8); along one axis a corner weighs fraction or 1 - fraction. */
function cornerWeights(fraction: Tensor): Tensor {
  let weights: Tensor | undefined
  for (let axis = 0; axis < 3; axis++) {
    const slope = new Float32Array(24)
    for (const c of CORNERS) slope[axis * 8 + c] = bit(c, axis) ? 1 : -1
    const offset = CORNERS.map((c) => 1 - bit(c, axis))
    const along = gemm(fraction, constant(slope, [3, 8]), false, false, constant(offset))
    weights = weights ? mul(weights, along) : along
  }
  return weights as Tensor
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
  checkPoints(what, points)
  return [nz, ny, nx, shape[3] as number]
}

function checkPoints(what: string, points: Tensor): void {
  if (points.shape.length !== 2 || points.shape[1] !== 3) {
    throw new RangeError(`${what}: points ${formatShape(points.shape)}; pass (n, 3).`)
  }
}

function checkIndices(what: string, indices: Tensor): void {
  if (indices.shape.length !== 1 || indices.type !== 'int32') {
    throw new RangeError(`${what}: ${indices.type} indices ${formatShape(indices.shape)}; pass int32 (n).`)
  }
}

function intAdd(a: Tensor, b: Tensor): Tensor {
  return makeNode('Add', { operands: [a, b], shape: a.shape, type: 'int32' })
}

function intMul(a: Tensor, factor: number): Tensor {
  return makeNode('Mul', { operands: [a, intConstant([factor])], shape: a.shape, type: 'int32' })
}
