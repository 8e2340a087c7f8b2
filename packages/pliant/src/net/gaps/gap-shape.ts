/**
 * A network from a code to one number that sees, beside the code, how far parts of the body are apart: the boundary of
 * self-contact is far simpler in gaps than in codes. Each gap is that between two points of the body, and as those move
 * linearly with the code, so does the vector between them:
 *
 *   v_k = c_k + D_k q   (three numbers for each of K gaps)
 *   g_k = a_k log(|v_k|^2 + e_k^2) + b_k
 *   y   = dense([q, g])   (net/dense/dense-shape.ts)
 *
 * Without gaps it is a plain dense network, as in the paper (Cai et al., section 6.2: 2 x 70, ReLU).
 *
 * Tensors by name, row-major: gap.vector [r + 1, 3 K], the last row c; gap.softening [K], e; gap.scale [K], a;
 * gap.shift [K], b; then those of the dense network.
 */
import { type Activation, type DenseShape, denseMultiplications, denseTensors } from '../dense/dense-shape.js'

/** Sizes of a network from a code to one number that sees gaps between points of a body. */
export interface GapShape {
  /** r: numbers of a code. */
  codeSize: number
  /** K: gaps; 0 for a plain dense network. */
  gaps: number
  /** Widths of the hidden layers. */
  hidden: number[]
  /** Behind every hidden layer. */
  activation: Activation
}

/** The dense network behind the gaps. */
export function denseOfGaps({ codeSize, gaps, hidden, activation }: GapShape): DenseShape {
  return { inputs: codeSize + gaps, outputs: 1, hidden, activation, output: 'linear' }
}

/** Name -> dimensions of every tensor. */
export function gapTensors(shape: GapShape): Map<string, number[]> {
  const { codeSize, gaps } = shape
  const own: [string, number[]][] = [
    ['gap.vector', [codeSize + 1, 3 * gaps]],
    ['gap.softening', [gaps]],
    ['gap.scale', [gaps]],
    ['gap.shift', [gaps]],
  ]
  return new Map([...(gaps > 0 ? own : []), ...denseTensors(denseOfGaps(shape))])
}

/** Multiplications of one value. */
export function gapMultiplications(shape: GapShape): number {
  const { codeSize, gaps } = shape
  return gaps * (3 * codeSize + 5) + denseMultiplications(denseOfGaps(shape))
}
