/**
 * What a learned field is off by at its present pose. It knows the surface that it has learned, and is asked where that
 * is now (surface-probes.ts): whatever it answers there but zero is an error, seen and not guessed, on any body in any
 * pose. How much larger errors near the surface are than those on it was measured when the file was judged.
 */

import type { SignedField } from '../field/signed-field.js'
import type { TriangleMesh } from '../mesh/triangle-mesh.js'
import { SurfaceProbes } from './surface-probes.js'

/** Means over the poses that a file was judged by [m]. */
export interface MeasuredErrors {
  /** Of distances near the surface: the file's own error. */
  distances: number
  /** Of the field at its probes. */
  probes: number
}

/** What a field's error is told by: the shape that it has learned, and what it was measured to be. */
export interface Judged<Shape> {
  shape: Shape
  /** undefined of a field that was never judged. */
  measured: MeasuredErrors | undefined
}

/**
 * A field is trusted up to this many times the file's own error. Between ordinary poses, of which one in twenty may be
 * twice as hard as the mean, and three times the error, which is to be told (docs/notes/own-error.md).
 */
export const TRUSTED_UP_TO = 2.4

export class OwnError {
  readonly #surface: () => TriangleMesh
  readonly #place: (vertices: Uint32Array, out: Float64Array) => void
  readonly #measured: MeasuredErrors | undefined
  #probes: SurfaceProbes | undefined
  /** At the present pose, once somebody has asked. */
  #atProbes: number | undefined

  /**
   * @param surface   at rest; called at the first question
   * @param place     writes where these vertices are now [m], in the field's frame
   * @param measured  undefined of a field that was never judged
   */
  constructor(
    surface: () => TriangleMesh,
    place: (vertices: Uint32Array, out: Float64Array) => void,
    measured: MeasuredErrors | undefined,
  ) {
    this.#surface = surface
    this.#place = place
    this.#measured = measured
  }

  /** To be called with every new pose; costs nothing. */
  forget(): void {
    this.#atProbes = undefined
  }

  /** Mean |distance| where the surface is now [m]. */
  atProbes(field: SignedField): number {
    if (this.#atProbes !== undefined) return this.#atProbes
    this.#probes ??= new SurfaceProbes(this.#surface())
    this.#place(this.#probes.corners, this.#probes.places)
    this.#atProbes = this.#probes.meanError(field)
    return this.#atProbes
  }

  /** Mean error of distances near the surface at this pose [m]. */
  expected(field: SignedField): number {
    const { distances, probes } = this.#measured ?? { distances: 1, probes: 1 }
    return (this.atProbes(field) * distances) / probes
  }

  /** Never of a field that was not judged. */
  isTrusted(field: SignedField): boolean {
    return this.#measured !== undefined && this.expected(field) <= TRUSTED_UP_TO * this.#measured.distances
  }
}
