/**
 * Skinning: bound vertices to posed ones, all at once over flat arrays. Any other method fits the same pipeline
 * (morph targets -> skin matrices -> method) as a function of the type below.
 */
import type { Floats } from '../math/floats.js'
import { skinDualQuaternion } from './dual-quaternion.js'
import type { SkinnedSurface } from './skinned-surface.js'

/**
 * @param matrices  what `skinMatrices` gives, 16 per bone
 * @param bound     positions in bind space [m], morph targets applied, xyz triples
 * @param out       receives posed positions, same layout
 */
export type SkinVertices = (surface: SkinnedSurface, matrices: Float64Array, bound: Float64Array, out: Floats) => void

/** How the motions of a vertex's bones are blended. */
export type SkinningMethod = 'linear' | 'dual-quaternion'

export const SKINNING: Readonly<Record<SkinningMethod, SkinVertices>> = {
  linear: skinLinear,
  'dual-quaternion': skinDualQuaternion,
}

/** Linear blend skinning: each vertex is the weighted mean of where its bones would carry it. What renderers do. */
export function skinLinear(surface: SkinnedSurface, matrices: Float64Array, bound: Float64Array, out: Floats): void {
  const { influenceStarts: starts, influenceBones, influenceWeights } = surface
  const vertices = bound.length / 3
  let k = 0
  for (let vertex = 0; vertex < vertices; vertex++) {
    const end = starts[vertex + 1]
    const x = bound[3 * vertex]
    const y = bound[3 * vertex + 1]
    const z = bound[3 * vertex + 2]
    let px = 0
    let py = 0
    let pz = 0
    for (; k < end; k++) {
      const m = 16 * influenceBones[k]
      const w = influenceWeights[k]
      px += w * (matrices[m] * x + matrices[m + 4] * y + matrices[m + 8] * z + matrices[m + 12])
      py += w * (matrices[m + 1] * x + matrices[m + 5] * y + matrices[m + 9] * z + matrices[m + 13])
      pz += w * (matrices[m + 2] * x + matrices[m + 6] * y + matrices[m + 10] * z + matrices[m + 14])
    }
    out[3 * vertex] = px
    out[3 * vertex + 1] = py
    out[3 * vertex + 2] = pz
  }
}
