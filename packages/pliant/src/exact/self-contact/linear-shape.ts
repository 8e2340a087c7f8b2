/** A surface that bends by linear modes, and the codes it is asked at. `LinearModes` is one. */
import { requireFinite } from '../../math/require.js'
import { requireValidMesh } from '../../mesh/validate.js'

/** A surface that bends by linear modes, and the codes it is asked at. `LinearModes` is one. */
export interface LinearShape {
  /** Rest positions [m], xyz triples. */
  rest: Float64Array
  /** One displacement field [m per unit of code] after the other, each as long as `rest`. */
  modes: Float64Array
  /** Vertex index triples. */
  triangles: Uint32Array
  /** Box of the codes. */
  bounds: { readonly lower: Float64Array; readonly upper: Float64Array }
}

/** @throws RangeError if the mesh is broken, sizes disagree, or the modes or the box are not finite */
export function requireLinearShape({ rest, modes, triangles, bounds: { lower, upper } }: LinearShape): void {
  requireValidMesh({ positions: rest, triangles })
  if (modes.length !== lower.length * rest.length) {
    throw new RangeError(
      `self-contact: ${modes.length} mode values for ${lower.length} codes and ${rest.length / 3} vertices; give ${lower.length * rest.length}.`,
    )
  }
  if (upper.length !== lower.length) {
    throw new RangeError(`self-contact: the box of codes has ${lower.length} lower and ${upper.length} upper ends.`)
  }
  requireFinite('self-contact', modes, 'mode value')
  requireFinite('self-contact', lower, 'lower end')
  requireFinite('self-contact', upper, 'upper end')
}
