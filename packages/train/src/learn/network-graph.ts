/**
 * A network's shape as a graph of tensors, for training (many poses per batch) and for export (one code, any number of
 * points). The formula is the one in pliant's network-shape.ts, line by line.
 */
import { featureSize, type GridShape, type NetworkShape } from 'pliant/unstable'
import {
  add,
  concat,
  type Dimension,
  groupedMatmul,
  matmul,
  reshape,
  slice,
  sub,
  type Tensor,
  tanh,
  trilinear,
  trilinearBatch,
} from '../graph/index.js'
import { activate } from './dense-graph.js'

export interface NetworkBatch {
  /** Normalised points, [poses * pointsPerPose, 3], all points of a pose together. */
  points: Tensor
  /** Normalised codes, [poses, code]; null if the code has no entries. */
  codes: Tensor | null
  poses: number
  pointsPerPose: Dimension
}

/** @returns the network's value at every point, [poses * pointsPerPose, 1] */
export function networkGraph(shape: NetworkShape, tensor: (name: string) => Tensor, batch: NetworkBatch): Tensor {
  const coefficients = coefficientsGraph(shape, tensor, batch)
  const features = featuresGraph(shape, tensor, batch, coefficients)
  const layers = shape.hidden.length + 1
  let hidden = features
  for (let l = 0; l < layers; l++) {
    const sums = posedLayer(shape, tensor, batch, coefficients, l, hidden)
    hidden = activate(l + 1 < layers ? shape.activation : shape.output, sums)
  }
  return hidden
}

/** c(z) = L z + V tanh(A z + a) + v, [poses, K]. */
function coefficientsGraph(shape: NetworkShape, tensor: (name: string) => Tensor, batch: NetworkBatch): Tensor | null {
  if (shape.conditioning.kind !== 'blend') return null
  const offset = reshape(tensor('code.offset'), [1, shape.conditioning.coefficients])
  if (!batch.codes) return offset
  let c = add(matmul(batch.codes, tensor('code.linear')), offset)
  if (shape.conditioning.hidden > 0) {
    const hidden = tanh(add(matmul(batch.codes, tensor('code.hidden.weight')), tensor('code.hidden.bias')))
    c = add(c, matmul(hidden, tensor('code.output')))
  }
  return c
}

/** h0 = [q, X, w[3..C), s] or [q, s], [poses * pointsPerPose, features]. */
function featuresGraph(
  shape: NetworkShape,
  tensor: (name: string) => Tensor,
  batch: NetworkBatch,
  coefficients: Tensor | null,
): Tensor {
  const parts = [batch.points]
  let carried = batch.points
  if (shape.warp && coefficients) {
    const warp = sampleWarp(shape.warp, tensor, batch, coefficients)
    carried = sub(batch.points, slice(warp, 1, 0, 3))
    parts.push(carried)
    if (shape.warp.channels > 3) parts.push(slice(warp, 1, 3, shape.warp.channels))
  }
  shape.grids.forEach((grid, j) => {
    parts.push(trilinear(tensor(`grid.${j}`), carried, grid))
  })
  return parts.length === 1 ? parts[0] : concat(parts, 1)
}

function sampleWarp(grid: GridShape, tensor: (name: string) => Tensor, batch: NetworkBatch, c: Tensor): Tensor {
  const [nx, ny, nz] = grid.resolution
  const size = nx * ny * nz * grid.channels
  const coefficients = c.shape[1] as number
  const base = reshape(tensor('warp.base'), [1, size])
  const posed = add(base, matmul(c, reshape(tensor('warp.basis'), [coefficients, size])))
  if (batch.poses === 1) return trilinear(reshape(posed, [nz, ny, nx, grid.channels]), batch.points, grid)
  return trilinearBatch(reshape(posed, [batch.poses, nz, ny, nx, grid.channels]), batch.points, grid)
}

/** h W + b with W and b blended by the code, or with the code's rows of W folded into the bias, or plain. */
function posedLayer(
  shape: NetworkShape,
  tensor: (name: string) => Tensor,
  batch: NetworkBatch,
  coefficients: Tensor | null,
  layer: number,
  hidden: Tensor,
): Tensor {
  const weight = tensor(`dense.${layer}.weight`)
  const bias = tensor(`dense.${layer}.bias`)
  const [inputs, outputs] = weight.shape as number[]
  const { conditioning } = shape
  const { poses } = batch
  if (conditioning.kind === 'blend' && conditioning.layers > 0 && coefficients) {
    const blend = slice(coefficients, 1, 0, conditioning.layers)
    const weightBasis = reshape(tensor(`dense.${layer}.weight.basis`), [conditioning.layers, inputs * outputs])
    const posedWeight = add(reshape(weight, [1, inputs * outputs]), matmul(blend, weightBasis))
    const posedBias = add(reshape(bias, [1, outputs]), matmul(blend, tensor(`dense.${layer}.bias.basis`)))
    if (poses === 1) return add(matmul(hidden, reshape(posedWeight, [inputs, outputs])), posedBias)
    const grouped = groupedMatmul(
      reshape(hidden, [poses, batch.pointsPerPose, inputs]),
      reshape(posedWeight, [poses, inputs, outputs]),
    )
    return reshape(add(grouped, reshape(posedBias, [poses, 1, outputs])), [hidden.shape[0], outputs])
  }
  if (conditioning.kind === 'input' && layer === 0 && batch.codes) {
    const points = featureSize(shape)
    const fromPoint = matmul(hidden, slice(weight, 0, 0, points))
    const fromCode = add(matmul(batch.codes, slice(weight, 0, points, points + shape.code)), bias)
    if (poses === 1) return add(fromPoint, fromCode)
    const folded = add(
      reshape(fromPoint, [poses, batch.pointsPerPose, outputs]),
      reshape(fromCode, [poses, 1, outputs]),
    )
    return reshape(folded, [hidden.shape[0], outputs])
  }
  return add(matmul(hidden, weight), bias)
}
