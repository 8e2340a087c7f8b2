/**
 * A shirt-like tube that follows the body: a sleeve along a limb, a tunic along the trunk. Its first ring is attached;
 * further ones may be (cuffs).
 */
import type { Vec3 } from '../../math/box.js'
import { bodyOutline } from './body-outline.js'
import { clothTube } from './cloth-tube.js'
import type { ClothCollider } from './collider.js'
import type { Garment } from './garment.js'
import { PUSH_DEFAULTS, pushOutside } from './push-outside.js'

export interface SleeveOptions {
  /** Where it begins [m], inside the limb: for example the shoulder joint. */
  from: Vec3
  /** Where it ends [m], inside the limb: for example the wrist joint. */
  to: Vec3
  /** Rings, at least 2. */
  rings?: number
  /** Vertices per ring, even. */
  segments?: number
  /** How much wider than the body the tube is, as a share of the radius; the first ring fits. */
  looseness?: number
  /** Distance from the body [m]. */
  clearance?: number
  /** The widest radius [m] that is looked for; half the length. */
  maxRadius?: number
  /** Whether the last ring is attached as well. */
  cuff?: boolean
}
export const SLEEVE_DEFAULTS = {
  rings: 16,
  segments: 20,
  looseness: 0.25,
  clearance: PUSH_DEFAULTS.clearance,
  cuff: false,
} as const

/** @param collider  the body in its rest pose */
export function garmentSleeve(collider: ClothCollider, options: SleeveOptions): Garment {
  const { from, to, rings, segments, looseness, clearance, cuff } = { ...SLEEVE_DEFAULTS, ...options }
  const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2])
  const maxRadius = options.maxRadius ?? length / 2
  const { radii } = bodyOutline(collider, from, to, rings, segments, clearance, maxRadius)
  const radius = (along: number, angle: number): number => {
    const ring = Math.round(along * (rings - 1))
    const segment = Math.round((angle * segments) / (2 * Math.PI)) % segments
    // Loose within the first rings, fitted at the first, so that the attached ring lies where skin moves it.
    return radii[ring * segments + segment] * (1 + looseness * Math.min(1, 4 * along))
  }
  const mesh = clothTube({ from, to, rings, segments, radius })
  const reached = pushOutside(mesh, collider, { clearance })
  const first = Array.from({ length: segments }, (_, i) => i)
  const last = cuff ? first.map((i) => (rings - 1) * segments + i) : []
  return { mesh, attached: Uint32Array.from([...first, ...last]), clearance: reached }
}
