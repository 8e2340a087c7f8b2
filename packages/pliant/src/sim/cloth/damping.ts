/**
 * Inner damping: once a frame, each edge loses a share of the speed at which it stretches, and each hinge of the speed
 * at which it bends. Impulses act along the constraints' own directions, so linear and angular momentum stay, and each
 * takes energy out or leaves it: rigid motion of the whole cloth is not damped at all.
 */
import type { Bend } from './bend.js'
import type { Stretch } from './stretch.js'

/** @param share  of the strain rate to remove, in [0, 1] */
export function dampStretch(
  stretch: Stretch,
  x: Float64Array,
  v: Float64Array,
  inverseMasses: Float64Array,
  share: number,
): void {
  const { count, ends } = stretch
  for (let k = 0; k < count; k++) {
    const a = ends[2 * k]
    const b = ends[2 * k + 1]
    const dx = x[b] - x[a]
    const dy = x[b + 1] - x[a + 1]
    const dz = x[b + 2] - x[a + 2]
    const wa = inverseMasses[a / 3]
    const wb = inverseMasses[b / 3]
    const weight = (wa + wb) * (dx * dx + dy * dy + dz * dz)
    if (!(weight > 0)) continue
    const rate = (v[b] - v[a]) * dx + (v[b + 1] - v[a + 1]) * dy + (v[b + 2] - v[a + 2]) * dz
    const impulse = (share * rate) / weight
    v[a] += wa * impulse * dx
    v[a + 1] += wa * impulse * dy
    v[a + 2] += wa * impulse * dz
    v[b] -= wb * impulse * dx
    v[b + 1] -= wb * impulse * dy
    v[b + 2] -= wb * impulse * dz
  }
}

/** @param share  of the bending rate to remove, in [0, 1] */
export function dampBend(
  bend: Bend,
  x: Float64Array,
  v: Float64Array,
  inverseMasses: Float64Array,
  share: number,
): void {
  const { count, corners, stencils } = bend
  for (let k = 0; k < count; k++) {
    let lx = 0
    let ly = 0
    let lz = 0
    let vx = 0
    let vy = 0
    let vz = 0
    let weight = 0
    for (let i = 4 * k; i < 4 * k + 4; i++) {
      const c = corners[i]
      const s = stencils[i]
      lx += s * x[c]
      ly += s * x[c + 1]
      lz += s * x[c + 2]
      vx += s * v[c]
      vy += s * v[c + 1]
      vz += s * v[c + 2]
      weight += s * s * inverseMasses[c / 3]
    }
    weight *= lx * lx + ly * ly + lz * lz
    if (!(weight > 1e-30)) continue
    const impulse = (share * (lx * vx + ly * vy + lz * vz)) / weight
    for (let i = 4 * k; i < 4 * k + 4; i++) {
      const c = corners[i]
      const change = inverseMasses[c / 3] * stencils[i] * impulse
      v[c] -= change * lx
      v[c + 1] -= change * ly
      v[c + 2] -= change * lz
    }
  }
}
