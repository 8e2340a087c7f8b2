/**
 * Clothes for any character, cut to its body at rest: where they go comes from the skeleton (body-landmarks.ts), how wide
 * they are from the field. All lengths are shares of the body's height, so that a child and a giant are dressed alike.
 */

import type { SignedField } from '../../field/signed-field.js'
import type { Vec3 } from '../../math/box.js'
import type { SkinnedCharacter } from '../../model/skinned-character.js'
import { bodyOutline } from '../cloth/body-outline.js'
import { type Garment, joinGarments } from '../cloth/garment.js'
import { garmentSkirt } from '../cloth/garment-skirt.js'
import { garmentSleeve } from '../cloth/garment-sleeve.js'
import { between, ringFrames } from '../cloth/ring-frames.js'
import { type BodyLandmarks, bodyLandmarks, isUpright, type LimbEnds } from './body-landmarks.js'
import type { BodyField } from './character-obstacle.js'

/** What `fitGarment` can cut. */
export type GarmentKind = 'skirt' | 'sleeves'

/** How a garment is cut. Lengths are shares of the body's height, so that a child and a giant are dressed alike. */
export interface FitOptions {
  /** Least distance from the body at rest, as a share of its height. */
  clearance?: number
  /** Factor on the number of vertices along and across. */
  detail?: number
  /** Joints that are hands and feet, where their names do not say so. */
  joints?: LimbEnds
}
/** Half a percent of the height: 8 mm on a grown person. */
export const FIT_DEFAULTS = { clearance: 0.005, detail: 1 } as const

/** A sleeve's share of upper arm and forearm: from beyond the armpit to shortly before the hand. */
const SLEEVE = { start: 0.25, end: 0.9 } as const

/** The widest waist and arm that are looked for, as a share of the height. */
const WIDEST = { waist: 0.25, arm: 0.08 } as const

/** What we can cut for a body: a skirt for two legs under an upright trunk, sleeves for arms. */
export function garmentKinds(landmarks: BodyLandmarks): GarmentKind[] {
  return [
    ...(isUpright(landmarks) ? (['skirt'] as const) : []),
    ...(landmarks.arms.length > 0 ? (['sleeves'] as const) : []),
  ]
}

/**
 * A garment cut to a character at rest: where it goes comes from the skeleton, how wide it is from the field.
 * @param field  the character's; it is left posed at rest
 * @throws RangeError if the skeleton shows no such limbs (`garmentKinds`)
 */
export function fitGarment(
  character: Pick<SkinnedCharacter, 'skeleton' | 'height'>,
  field: BodyField,
  kind: GarmentKind,
  options: FitOptions = {},
): Garment {
  const { skeleton, height } = character
  const { clearance, detail } = { ...FIT_DEFAULTS, ...options }
  const landmarks = bodyLandmarks(skeleton, options.joints)
  if (!garmentKinds(landmarks).includes(kind)) {
    const { legs, arms } = landmarks
    throw new RangeError(
      `garment: no ${kind} for a body of ${legs.length} legs and ${arms.length} arms by its joints' names; name them as joints: { hand: [...], foot: [...] } (--joints hand=NAME,foot=NAME), or give a mesh.`,
    )
  }
  field.update({ joints: skeleton.rest, matrices: skeleton.restMatrices })
  const even = (count: number): number => 2 * Math.round((detail * count) / 2)
  const common = { clearance: clearance * height, rings: even(24) }
  if (kind === 'sleeves') {
    const sleeves = landmarks.arms.map(([shoulder, elbow, wrist]) => {
      const path = [between(shoulder, elbow, SLEEVE.start), elbow, between(elbow, wrist, SLEEVE.end)]
      return garmentSleeve(field, {
        ...common,
        path,
        segments: even(20),
        maxRadius: WIDEST.arm * height,
        cuff: true,
      })
    })
    return joinGarments(sleeves)
  }
  const maxRadius = WIDEST.waist * height
  const waist = findWaist(field, landmarks, common.clearance, maxRadius)
  const knees = between(landmarks.legs[0][1], landmarks.legs[1][1], 0.5)
  return garmentSkirt(field, {
    ...common,
    waist,
    hem: [waist[0], knees[1], waist[2]],
    segments: even(44),
    maxRadius,
  })
}

/** The narrowest ring round the lower trunk: further up, elbows press on whatever is worn there. */
function findWaist(field: SignedField, { pelvis, chest }: BodyLandmarks, clearance: number, maxRadius: number): Vec3 {
  const [rings, segments] = [9, 24]
  const frames = ringFrames([between(pelvis!, chest!, 1 / 8), between(pelvis!, chest!, 3 / 8)], rings)
  const { radii } = bodyOutline(field, frames, segments, clearance, maxRadius)
  const girths = frames.map((_, ring) => radii.subarray(ring * segments, (ring + 1) * segments).reduce((a, b) => a + b))
  return frames[girths.indexOf(Math.min(...girths))].centre
}
