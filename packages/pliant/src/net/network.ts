/** A network ready to be asked, whatever runs it. Points and codes are in normalised units (see the manifest). */
import type { Box, EdgeBox, Vec3 } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import type { NetworkShape } from './network-shape.js'

/** A network's numbers by the names of its tensors, each row-major. */
export type Tensors = ReadonlyMap<string, Float32Array>

/** What runs a network: WebAssembly with relaxed SIMD, with plain SIMD, or plain JavaScript. */
export type Backend = 'simd' | 'simd-relaxed' | 'scalar'

/** What a field makes of a network: its unit, and where it asks it at all. */
export interface NetworkFrame {
  /** normalised point = (point - centre) / scale; metres = normalised value * scale. */
  normalisation: { centre: Vec3; scale: number }
  /** Outside, the field is `truncation` plus the distance to this box [m]. */
  domain: Box
  truncation: number
}

export interface Network {
  readonly shape: NetworkShape
  readonly backend: Backend
  /** Why 'auto' took plain code, in one line that says what to do; undefined where SIMD runs, or plain code was asked for. */
  readonly backendNote?: string
  /** Does all work that depends on the code alone. */
  pose(code: ArrayLike<number>): void
  /**
   * Values of the posed network at `count` points (xyz triples); with an array for them, gradients with respect to the
   * point in the same pass.
   */
  query(points: Floats, count: number, values: Floats, gradients?: Floats): void
  /**
   * What values of the posed network lie between over a box; undefined where nothing can be promised. Of networks made with
   * bounds.
   * @param frame  of the field that asks, whose units box and bounds are then in, and whose answers outside of its domain
   *               count as well; without it, box and bounds are normalised
   */
  bounds?(box: Box | EdgeBox, frame?: NetworkFrame): readonly [number, number] | undefined
  /** Ends helper threads, if any. */
  dispose(): void
}
