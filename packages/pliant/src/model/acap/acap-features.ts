/**
 * As-consistent-as-possible features of a shape (Gao et al. 2019): how each vertex's surroundings are
 * turned and stretched against a reference mesh, nine numbers per vertex. Large bends and twists become smooth there, so
 * that shapes can be learned and mixed by their features (`AcapInverse` leads back).
 *
 * Rigid motion is taken out first: the shape is aligned with the reference, vertices weighted by their areas.
 * Edges of any number of triangles and open borders count as they are (`ring-edges.ts`), pieces are tied together
 * (`piece-bridges.ts`); triangles may be degenerate as long as no vertex has only such in the reference. Where they are so
 * in the shape, S is singular there; where a fit mirrors its ring, S has a negative value.
 */
import type { Floats } from '../../math/floats.js'
import { requireCount, requireItems } from '../../math/require.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'
import { RigidAlignment } from '../rigid-alignment.js'
import { AffineFits } from './affine-fits.js'
import { ACAP_CHANNELS, writeChannels } from './channels.js'
import { splitAffine } from './polar-split.js'
import { acapReference } from './reference.js'
import { RotationVectors } from './rotation-vectors.js'

export class AcapFeatures {
  readonly vertexCount: number
  /** How many features a shape has: nine per vertex. */
  readonly size: number
  readonly #alignment: RigidAlignment
  readonly #fits: AffineFits
  readonly #rotationVectors: RotationVectors
  readonly #frame = new Float64Array(16)
  readonly #aligned: Float64Array
  readonly #affine: Float64Array
  readonly #quaternions: Float64Array
  readonly #stretches: Float64Array
  readonly #vectors: Float64Array

  /**
   * @param reference  the mesh that all shapes are compared with; it is copied
   * @throws RangeError if it is broken, or has vertices without triangles or with degenerate ones alone
   */
  constructor(reference: TriangleMesh) {
    const known = acapReference(reference)
    const { vertexCount, positions, areas } = known
    this.vertexCount = vertexCount
    this.size = ACAP_CHANNELS * vertexCount
    this.#alignment = new RigidAlignment(positions, areas)
    this.#fits = new AffineFits(known)
    this.#rotationVectors = new RotationVectors(known)
    this.#aligned = new Float64Array(3 * vertexCount)
    this.#affine = new Float64Array(9 * vertexCount)
    this.#quaternions = new Float64Array(4 * vertexCount)
    this.#stretches = new Float64Array(6 * vertexCount)
    this.#vectors = new Float64Array(3 * vertexCount)
  }

  /**
   * @param positions  vertices of the shape [m], xyz triples, in the order of the reference
   * @param out        receives the features, nine per vertex (`channels.ts`)
   * @param frame      if given, receives the rigid motion that was taken out, as a column-major 4x4: it carries what
   *                   `AcapInverse` makes of the features to where the shape was
   * @throws RangeError if there is another number of vertices, or naming one that is not finite
   */
  encode(positions: Floats, out: Floats, frame: Floats = this.#frame): void {
    requireItems('acap', positions, 'vertex', this.vertexCount, 3)
    requireCount('acap: features', out, 'vertex', this.vertexCount, ACAP_CHANNELS)
    this.#alignment.align(positions, this.#frame)
    if (frame !== this.#frame) frame.set(this.#frame)
    this.#align(positions)
    this.#fits.fit(this.#aligned, this.#affine)
    for (let v = 0; v < this.vertexCount; v++) {
      splitAffine(this.#affine, 9 * v, this.#quaternions, 4 * v, this.#stretches, 6 * v)
    }
    this.#rotationVectors.unwrap(this.#quaternions, this.#vectors)
    writeChannels(this.#vectors, this.#stretches, out)
  }

  /** Positions as seen from the frame. */
  #align(positions: Floats): void {
    const [m, out] = [this.#frame, this.#aligned]
    for (let at = 0; at < out.length; at += 3) {
      const x = positions[at] - m[12]
      const y = positions[at + 1] - m[13]
      const z = positions[at + 2] - m[14]
      out[at] = m[0] * x + m[1] * y + m[2] * z
      out[at + 1] = m[4] * x + m[5] * y + m[6] * z
      out[at + 2] = m[8] * x + m[9] * y + m[10] * z
    }
  }
}
