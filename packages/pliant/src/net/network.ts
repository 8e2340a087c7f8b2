/** A network ready to be asked, whatever runs it. Points and codes are in normalised units (see the manifest). */
import type { Floats } from '../math/floats.js'
import type { NetworkShape } from './network-shape.js'

export type Tensors = ReadonlyMap<string, Float32Array>

export interface Network {
  readonly shape: NetworkShape
  readonly backend: 'simd' | 'simd-relaxed' | 'scalar'
  /** Does all work that depends on the code alone. */
  pose(code: ArrayLike<number>): void
  /**
   * Values of the posed network at `count` points (xyz triples); with an array for them, gradients with respect to the
   * point in the same pass.
   */
  query(points: Floats, count: number, values: Floats, gradients?: Floats): void
  /** Ends helper threads, if any. */
  dispose(): void
}
