/**
 * What a network is made of, as plain data: the trainer builds its graph from it, the artifact stores it, every
 * inference backend and the ONNX export follow it.
 *
 * A query at the normalised point q meets a finished ("posed") network:
 *   w  = warp(q)                                   posed grid, C channels; absent: X = q
 *   X  = q - w[0..3)                               point carried back towards the rest shape
 *   s  = grids[0](X), grids[1](X), ...             static feature grids
 *   h0 = [q, X, w[3..C), s]  (with warp)   or   [q, s]  (without)
 *   h(l+1) = activation(h(l) W(l) + b(l)),  the last layer has one output and the output activation.
 *
 * The code z (normalised) enters once per pose, in one of two ways:
 *   'input'  z is appended to h0 (the paper's way, Zesch et al.); pose() folds z's rows of W(0) into b(0)
 *   'blend'  c(z) = L z + V tanh(A z + a) + v, K coefficients; warp = base + sum_k c_k basis_k, and the first
 *            `layers` of them blend every dense weight and bias the same way (docs/notes/prototypes.md)
 *
 * Tensors by name (row-major; grids in [z][y][x][channel] order, x fastest of the three):
 *   dense.{l}.weight [in, out]   dense.{l}.bias [out]            (with 'input', in of layer 0 includes the code, last)
 *   dense.{l}.weight.basis [layers, in, out]   dense.{l}.bias.basis [layers, out]        ('blend' and layers > 0)
 *   warp.base [nz, ny, nx, C]    warp.basis [K, nz, ny, nx, C]   ('blend'; a warp requires 'blend')
 *   grid.{j} [nz, ny, nx, C]
 *   code.linear [code, K]   code.offset [K]   code.hidden.weight [code, H]   code.hidden.bias [H]   code.output [H, K]
 */
import type { Vec3 } from '../math/box.js'
import { type Activation, type DenseShape, denseMultiplications, denseTensors } from './dense/dense-shape.js'

export type { Activation }

/** A trilinear grid over a box: node (i, j, k) sits at lower + (i, j, k) / (n - 1) * (upper - lower); clamped outside. */
export interface GridShape {
  /** Nodes along x, y, z; at least 2 each. */
  resolution: Vec3
  /** Values at each node. */
  channels: number
  /** Corner of the box, in normalised units. */
  lower: Vec3
  /** The corner opposite. */
  upper: Vec3
}

/** How a network takes the code: as input of its first layer, or as coefficients that blend grids and layers. */
export type Conditioning =
  | { kind: 'input' }
  | {
      kind: 'blend'
      /** K: how many coefficients. */
      coefficients: number
      /** H: hidden tanh units between code and coefficients; 0 for a linear map only. */
      hidden: number
      /** How many of the coefficients blend the dense layers; 0 for none. */
      layers: number
    }

/** What a network of a whole object is made of. */
export interface NetworkShape {
  /** Length of the code; 0 for a static object. */
  code: number
  /** How it takes the code. */
  conditioning: Conditioning
  /** Grid that carries points back towards the rest shape; null if there is none. */
  warp: GridShape | null
  /** Static feature grids, in the rest shape's space. */
  grids: GridShape[]
  /** Widths of the hidden layers. */
  hidden: number[]
  /** Of the hidden layers. */
  activation: Activation
  /** Of the last layer. */
  output: 'linear' | 'tanh'
}

/** How many values the dense layers see beside the code: the length of h0. */
export function featureSize(shape: NetworkShape): number {
  const warpFeatures = shape.warp ? 3 + shape.warp.channels - 3 : 0
  return 3 + warpFeatures + shape.grids.reduce((sum, grid) => sum + grid.channels, 0)
}

/** The dense layers as a finished network has them: from h0 to the value, the code being in their weights. */
export function denseOf(shape: NetworkShape): DenseShape {
  const { hidden, activation, output } = shape
  return { inputs: featureSize(shape), outputs: 1, hidden, activation, output }
}

/** Name -> dimensions of every tensor of a network; the one list that trainer, loader and kernels agree on. */
export function networkTensors(shape: NetworkShape): Map<string, number[]> {
  const tensors = new Map<string, number[]>()
  const { conditioning, code } = shape
  const gridDims = (grid: GridShape): number[] => [
    grid.resolution[2],
    grid.resolution[1],
    grid.resolution[0],
    grid.channels,
  ]
  if (conditioning.kind === 'blend') {
    tensors.set('code.linear', [code, conditioning.coefficients])
    tensors.set('code.offset', [conditioning.coefficients])
    if (conditioning.hidden > 0) {
      tensors.set('code.hidden.weight', [code, conditioning.hidden])
      tensors.set('code.hidden.bias', [conditioning.hidden])
      tensors.set('code.output', [conditioning.hidden, conditioning.coefficients])
    }
    if (shape.warp) {
      tensors.set('warp.base', gridDims(shape.warp))
      tensors.set('warp.basis', [conditioning.coefficients, ...gridDims(shape.warp)])
    }
  }
  for (const [j, grid] of shape.grids.entries()) tensors.set(`grid.${j}`, gridDims(grid))
  const dense = denseOf(shape)
  if (conditioning.kind === 'input') dense.inputs += code
  const entries = [...denseTensors(dense)]
  for (let l = 0; l < entries.length; l += 2) {
    const layer = entries.slice(l, l + 2)
    for (const [name, dims] of layer) tensors.set(name, dims)
    if (conditioning.kind !== 'blend' || conditioning.layers === 0) continue
    for (const [name, dims] of layer) tensors.set(`${name}.basis`, [conditioning.layers, ...dims])
  }
  return tensors
}

/** Multiplications of one query once posed: dense layers and grid lookups (8 corners per channel). */
export function multiplicationsPerQuery(shape: NetworkShape): number {
  let total = denseMultiplications(denseOf(shape))
  for (const grid of [...(shape.warp ? [shape.warp] : []), ...shape.grids]) total += 8 * grid.channels
  return total
}
