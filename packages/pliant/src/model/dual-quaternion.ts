/**
 * Dual quaternion skinning (Kavan et al., "Skinning with dual quaternions", 2007): bones' rigid motions are blended as
 * motions, so that twisted joints keep their volume. A bone's scale and shear, which dual quaternions cannot hold, are
 * blended linearly and applied first, in the second phase's stead (Kavan et al. 2008, section 4.3).
 */
import type { Floats } from '../math/floats.js'
import { decomposeMat4 } from '../math/mat4.js'
import { rotateVector } from '../math/quaternion.js'
import type { SkinnedSurface } from './skinned-surface.js'

/** Rotation x, y, z, w; translation part x, y, z, w; scale and shear, 3x3 by columns. */
const BONE = 17

/** See `SkinVertices` in skinning.ts. */
export function skinDualQuaternion(
  surface: SkinnedSurface,
  matrices: Float64Array,
  bound: Float64Array,
  out: Floats,
): void {
  const { influenceStarts: starts, influenceBones, influenceWeights } = surface
  const { motions, stretched } = motionsOf(matrices)
  const vertices = bound.length / 3
  for (let vertex = 0; vertex < vertices; vertex++) {
    const start = starts[vertex]
    const end = starts[vertex + 1]
    let x = bound[3 * vertex]
    let y = bound[3 * vertex + 1]
    let z = bound[3 * vertex + 2]
    if (stretched) {
      let sx = 0
      let sy = 0
      let sz = 0
      for (let k = start; k < end; k++) {
        const s = BONE * influenceBones[k] + 8
        const w = influenceWeights[k]
        sx += w * (motions[s] * x + motions[s + 3] * y + motions[s + 6] * z)
        sy += w * (motions[s + 1] * x + motions[s + 4] * y + motions[s + 7] * z)
        sz += w * (motions[s + 2] * x + motions[s + 5] * y + motions[s + 8] * z)
      }
      x = sx
      y = sy
      z = sz
    }
    let rx = 0
    let ry = 0
    let rz = 0
    let rw = 0
    let dx = 0
    let dy = 0
    let dz = 0
    let dw = 0
    // The heaviest bone decides which of two opposite quaternions, the same rotation, the others blend by.
    const first = BONE * influenceBones[start]
    for (let k = start; k < end; k++) {
      const m = BONE * influenceBones[k]
      const cosine =
        motions[first] * motions[m] +
        motions[first + 1] * motions[m + 1] +
        motions[first + 2] * motions[m + 2] +
        motions[first + 3] * motions[m + 3]
      const w = cosine < 0 ? -influenceWeights[k] : influenceWeights[k]
      rx += w * motions[m]
      ry += w * motions[m + 1]
      rz += w * motions[m + 2]
      rw += w * motions[m + 3]
      dx += w * motions[m + 4]
      dy += w * motions[m + 5]
      dz += w * motions[m + 6]
      dw += w * motions[m + 7]
    }
    // x' = x + 2 r x (r x x + rw x) / |r|^2 + the translation 2 (rw d - dw r + r x d) / |r|^2, r unnormalised.
    const factor = 2 / (rx * rx + ry * ry + rz * rz + rw * rw)
    const cx = ry * z - rz * y + rw * x
    const cy = rz * x - rx * z + rw * y
    const cz = rx * y - ry * x + rw * z
    out[3 * vertex] = x + factor * (ry * cz - rz * cy + rw * dx - dw * rx + ry * dz - rz * dy)
    out[3 * vertex + 1] = y + factor * (rz * cx - rx * cz + rw * dy - dw * ry + rz * dx - rx * dz)
    out[3 * vertex + 2] = z + factor * (rx * cy - ry * cx + rw * dz - dw * rz + rx * dy - ry * dx)
  }
}

/** Each bone's matrix as rigid motion after stretch. */
function motionsOf(matrices: Float64Array): { motions: Float64Array; stretched: boolean } {
  const count = matrices.length / 16
  const motions = new Float64Array(BONE * count)
  const scale = new Float64Array(3)
  const inverse = new Float64Array(4)
  let stretched = false
  for (let bone = 0; bone < count; bone++) {
    const at = BONE * bone
    const m = 16 * bone
    decomposeMat4(matrices, m, motions, at, scale, 0)
    const [x, y, z, w] = motions.subarray(at, at + 4)
    const [tx, ty, tz] = matrices.subarray(m + 12, m + 15)
    motions[at + 4] = 0.5 * (tx * w + ty * z - tz * y)
    motions[at + 5] = 0.5 * (ty * w + tz * x - tx * z)
    motions[at + 6] = 0.5 * (tz * w + tx * y - ty * x)
    motions[at + 7] = -0.5 * (tx * x + ty * y + tz * z)
    inverse.set([-x, -y, -z, w])
    for (let column = 0; column < 3; column++) {
      rotateVector(inverse, 0, matrices, m + 4 * column, motions, at + 8 + 3 * column)
      for (let row = 0; row < 3; row++) {
        if (Math.abs(motions[at + 8 + 3 * column + row] - (row === column ? 1 : 0)) > 1e-6) stretched = true
      }
    }
  }
  return { motions, stretched }
}
