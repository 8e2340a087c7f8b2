/** What a network of self-contact sees beside the code, whatever shapes are: how it begins, and its graph. */
import type { Dimension, Tensor } from '../../graph/index.js'
import type { Weights } from '../rounds/index.js'
import type { Contacts } from './choose-places.js'

/** A network from codes to one number each. */
export interface ContactGraph {
  codeSize: number
  /** Name -> dimensions of what may be learned. */
  tensors: ReadonlyMap<string, number[]>
  /**
   * @param tensor  of each of these names
   * @param codes   [rows, codeSize]
   * @param rows    how many, or the name that stands for it
   * @returns [rows, 1]
   */
  values(tensor: (name: string) => Tensor, codes: Tensor, rows: Dimension): Tensor
}

export interface ContactSight<Shape> {
  /**
   * First weights of a network, once contacts are known.
   * @param codes  as they come, to scale by
   */
  begin(contacts: Contacts, codes: Float32Array, seed: number): Map<string, Float32Array>
  /** Of a network with these weights. */
  shapeOf(weights: Weights): Shape
  /** Sizes are those of the weights; of names that are not learned, values as well. */
  graphOf(weights: Weights): ContactGraph
}
