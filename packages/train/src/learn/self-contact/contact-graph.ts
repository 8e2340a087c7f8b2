/** The graph of a network of self-contact, whatever it sees beside the code. */
import type { Dimension, Tensor } from '../../graph/index.js'

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
