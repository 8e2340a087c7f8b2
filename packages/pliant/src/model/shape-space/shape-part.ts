/**
 * One pair of networks of a learned shape space: part 0 sees the whole surface (level 1), each further part one domain of
 * it (level 2). A part answers for some vertices, and for those as much as its attention says.
 */
import type { Floats } from '../../math/floats.js'
import type { AffineFeatures } from './affine-features.js'

/** A network from n numbers to m, asked row by row; `DenseNetwork` is one. */
export interface RowNetwork {
  evaluate(inputs: Floats, count: number, out: Floats): void
  /** Values, and by each input the gradient of the outputs' sum, each times its cotangent. */
  pullBack(inputs: Floats, count: number, cotangents: Floats | null, outValues: Floats, outGradients: Floats): void
}

/** Whom a part answers for. */
export interface PartSight {
  /** How many numbers of the code are its own. */
  codeSize: number
  /** Its vertices, ascending. */
  vertices: Uint32Array
  /** How much it attends to each of them, in (0, 1]; over the domains of a vertex, the squares add up to 1. */
  attention: Float32Array
}

export interface ShapePart extends PartSight {
  /** From the features of its vertices, times its attention, to its share of the code. */
  encoder: RowNetwork
  /** From its share of the code to features of its vertices, which its attention then weighs. */
  decoder: RowNetwork
  /** The same at once in plain doubles, where the decoder is affine and runs in plain code. */
  affine?: AffineFeatures
}
