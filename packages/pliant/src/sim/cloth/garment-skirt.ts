/**
 * A skirt, or a poncho if it starts at the neck: its first ring follows the body and is attached, the rest hangs as a
 * cone around whatever is below.
 */

import type { SignedField } from '../../field/signed-field.js'
import type { Vec3 } from '../../math/box.js'
import { bodyOutline } from './body-outline.js'
import { clothTube } from './cloth-tube.js'
import type { Garment } from './garment.js'
import { PUSH_DEFAULTS, pushOutside } from './push-outside.js'
import { distance, ringFrames } from './ring-frames.js'

/** Where a skirt goes, and how wide it is. */
export interface SkirtOptions {
  /** Middle of the waist [m], inside the body: a hip or spine joint. */
  waist: Vec3
  /** Middle of the hem [m]: for example between the knees. */
  hem: Vec3
  /** Rings from waist to hem, at least 2. */
  rings?: number
  /** Vertices per ring, even. */
  segments?: number
  /** How far the hem stands out further than the waist, as a share of the length. */
  flare?: number
  /** Distance from the body [m]. */
  clearance?: number
  /** The widest waist [m] that is looked for; half the length. */
  maxRadius?: number
}
/** What `garmentSkirt` takes where nothing else is said; lengths in [m]. */
export const SKIRT_DEFAULTS = { rings: 20, segments: 40, flare: 0.35, clearance: PUSH_DEFAULTS.clearance } as const

/**
 * A skirt, or a poncho if it starts at the neck: its first ring follows the body and is attached, the rest hangs as a
 * cone.
 * @param field  the body in its rest pose
 */
export function garmentSkirt(field: SignedField, options: SkirtOptions): Garment {
  const { waist, hem, rings, segments, flare, clearance } = { ...SKIRT_DEFAULTS, ...options }
  const length = distance(waist, hem)
  const maxRadius = options.maxRadius ?? length / 2
  const { radii } = bodyOutline(field, ringFrames([waist, hem], 1), segments, clearance, maxRadius)
  const radius = (ring: number, segment: number): number => radii[segment] + (flare * length * ring) / (rings - 1)
  const mesh = clothTube({ path: [waist, hem], rings, segments, radius })
  const reached = pushOutside(mesh, field, { clearance })
  return { mesh, attached: Uint32Array.from({ length: segments }, (_, i) => i), clearance: reached }
}
