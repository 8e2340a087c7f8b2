/**
 * A shirt-like tube that follows the body: a sleeve along a limb, a tunic along the trunk. Its first ring is attached;
 * further ones may be (cuffs).
 */

import type { SignedField } from '../../field/signed-field.js'
import type { Vec3 } from '../../math/box.js'
import { bodyOutline } from './body-outline.js'
import { clothTube } from './cloth-tube.js'
import type { Garment } from './garment.js'
import { PUSH_DEFAULTS, pushOutside } from './push-outside.js'
import { pathLength, ringFrames } from './ring-frames.js'

/** Where a sleeve goes, and how wide it is. */
export interface SleeveOptions {
  /** Places [m] inside the limb, from where it begins to where it ends: for example shoulder, elbow and wrist. */
  path: readonly Vec3[]
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
/** What `garmentSleeve` takes where nothing else is said; lengths in [m]. */
export const SLEEVE_DEFAULTS = {
  rings: 16,
  segments: 20,
  looseness: 0.25,
  clearance: PUSH_DEFAULTS.clearance,
  cuff: false,
} as const

/**
 * A tube that follows the body: a sleeve along a limb, a tunic along the trunk. Its first ring is attached.
 * @param field  the body in its rest pose
 */
export function garmentSleeve(field: SignedField, options: SleeveOptions): Garment {
  const { path, rings, segments, looseness, clearance, cuff } = { ...SLEEVE_DEFAULTS, ...options }
  const maxRadius = options.maxRadius ?? pathLength(path) / 2
  const { radii } = bodyOutline(field, ringFrames(path, rings), segments, clearance, maxRadius)
  // Loose within the first rings, fitted at the first, so that the attached ring lies where skin moves it.
  const radius = (ring: number, segment: number): number =>
    radii[ring * segments + segment] * (1 + looseness * Math.min(1, (4 * ring) / (rings - 1)))
  const mesh = clothTube({ path, rings, segments, radius })
  const reached = pushOutside(mesh, field, { clearance })
  const first = Array.from({ length: segments }, (_, i) => i)
  const last = cuff ? first.map((i) => (rings - 1) * segments + i) : []
  return { mesh, attached: Uint32Array.from([...first, ...last]), clearance: reached }
}
