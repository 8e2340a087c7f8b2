/** What the humanoid is made of: a few rounded cones and ellipsoids for each joint; right is left, mirrored. */
import type { Vec3 } from 'pliant'
import { JOINTS } from './joints.js'

/** A rounded cone: all points within a radius that goes from `radius` to `endRadius` of the segment `from` to `to`. */
export interface Blob {
  /** T-pose [m]. */
  from: Vec3
  to: Vec3
  radius: number
  endRadius: number
  /** How much longer it is along each axis; an ellipsoid is a sphere with this. */
  stretch: Vec3
}

/** What belongs to one joint. */
export interface Part {
  limb: keyof typeof LIMBS
  /** How softly its blobs join [m]: finely at the fingers. */
  softness: number
  blobs: Blob[]
}

/**
 * How softly the parts of a limb join each other [m]. A soft minimum swells where both are equally near, by 0.7 of this:
 * little where the two ends of a joint have one radius anyway.
 */
export const LIMBS = { trunk: 0.024, head: 0.012, arm: 0.008, leg: 0.009 } as const

const cone = (from: Vec3, to: Vec3, radius: number, endRadius: number, stretch: Vec3 = [1, 1, 1]): Blob => ({
  from,
  to,
  radius,
  endRadius,
  stretch,
})
const ellipsoid = (centre: Vec3, radii: Vec3): Blob => cone(centre, centre, 1, 1, radii)

const MIDDLE: Record<string, Part> = {
  Hips: {
    limb: 'trunk',
    softness: 0.022,
    blobs: [
      ellipsoid([0, 0.94, -0.002], [0.133, 0.1, 0.084]),
      ellipsoid([0, 1.02, 0.006], [0.104, 0.1, 0.072]),
      ...bothSides(ellipsoid([0.064, 0.9, -0.04], [0.064, 0.07, 0.056])),
    ],
  },
  Spine: { limb: 'trunk', softness: 0.02, blobs: [ellipsoid([0, 1.12, 0.002], [0.098, 0.15, 0.068])] },
  Chest: {
    limb: 'trunk',
    softness: 0.018,
    blobs: [
      ellipsoid([0, 1.25, -0.006], [0.126, 0.15, 0.086]),
      cone([-0.09, 1.365, -0.02], [0.09, 1.365, -0.02], 0.05, 0.05),
      ...bothSides(ellipsoid([0.066, 1.318, 0.04], [0.064, 0.052, 0.034])),
      ...bothSides(ellipsoid([0.084, 1.315, -0.055], [0.06, 0.09, 0.034])),
    ],
  },
  Neck: { limb: 'head', softness: 0.015, blobs: [cone([0, 1.42, -0.028], [0, 1.57, -0.006], 0.052, 0.048)] },
  Head: {
    limb: 'head',
    softness: 0.014,
    blobs: [
      ellipsoid([0, 1.66, -0.008], [0.072, 0.09, 0.088]),
      ellipsoid([0, 1.6, 0.02], [0.056, 0.068, 0.06]),
      cone([-0.01, 1.544, 0.055], [0.01, 1.544, 0.055], 0.016, 0.016),
      cone([0, 1.65, 0.08], [0, 1.613, 0.09], 0.002, 0.005),
    ],
  },
}

/** The left side. */
const SIDE: Record<string, Part> = {
  Shoulder: {
    limb: 'trunk',
    softness: 0.015,
    blobs: [
      cone([0.06, 1.4, -0.018], [0.155, 1.4, -0.016], 0.03, 0.034),
      cone([0.025, 1.456, -0.03], [0.14, 1.41, -0.022], 0.024, 0.03),
    ],
  },
  UpperArm: {
    limb: 'arm',
    softness: 0.008,
    blobs: [
      cone([0.18, 1.394, -0.014], [0.26, 1.398, -0.014], 0.047, 0.04),
      cone([0.24, 1.398, -0.014], [0.448, 1.398, -0.014], 0.041, 0.0285),
    ],
  },
  LowerArm: {
    limb: 'arm',
    softness: 0.01,
    blobs: [
      cone([0.448, 1.398, -0.014], [0.695, 1.398, -0.014], 0.0285, 0.019, [1, 0.95, 1.05]),
      ellipsoid([0.52, 1.398, -0.012], [0.1, 0.026, 0.027]),
    ],
  },
  Hand: {
    limb: 'arm',
    softness: 0.006,
    blobs: [
      cone([0.69, 1.398, -0.014], [0.785, 1.396, -0.012], 0.022, 0.037, [1, 0.58, 1]),
      cone([0.785, 1.396, -0.012], [0.866, 1.387, -0.012], 0.035, 0.02, [1, 0.46, 1]),
      cone([0.722, 1.393, 0.004], [0.76, 1.387, 0.036], 0.016, 0.014),
      cone([0.76, 1.387, 0.036], [0.797, 1.383, 0.046], 0.013, 0.01),
    ],
  },
  UpperLeg: {
    limb: 'leg',
    softness: 0.014,
    blobs: [
      cone([0.092, 0.875, -0.002], [0.098, 0.5, 0.002], 0.071, 0.038),
      ellipsoid([0.1, 0.72, 0.014], [0.055, 0.2, 0.055]),
    ],
  },
  LowerLeg: {
    limb: 'leg',
    softness: 0.012,
    blobs: [
      cone([0.098, 0.5, 0.002], [0.102, 0.1, -0.03], 0.038, 0.027),
      ellipsoid([0.1, 0.375, -0.026], [0.043, 0.125, 0.041]),
    ],
  },
  Foot: {
    limb: 'leg',
    softness: 0.01,
    blobs: [
      cone([0.102, 0.085, -0.031], [0.102, 0.034, -0.046], 0.023, 0.023),
      cone([0.103, 0.062, -0.018], [0.109, 0.022, 0.085], 0.026, 0.019, [1.05, 1, 1]),
      cone([0.103, 0.018, -0.038], [0.111, 0.015, 0.085], 0.02, 0.028, [1.15, 0.8, 1]),
    ],
  },
  Toes: {
    limb: 'leg',
    softness: 0.008,
    blobs: [cone([0.111, 0.015, 0.085], [0.112, 0.011, 0.148], 0.032, 0.023, [1.2, 0.66, 1])],
  },
}

/** Parts in the order of the joints. */
export const PARTS: readonly Part[] = JOINTS.map(({ name }) => {
  if (MIDDLE[name]) return MIDDLE[name]
  const part = SIDE[name.replace(/^(Left|Right)/, '')]
  return name.startsWith('Left') ? part : { ...part, blobs: part.blobs.map(mirrored) }
})

function bothSides(blob: Blob): Blob[] {
  return [blob, mirrored(blob)]
}

function mirrored(blob: Blob): Blob {
  return { ...blob, from: [-blob.from[0], blob.from[1], blob.from[2]], to: [-blob.to[0], blob.to[1], blob.to[2]] }
}
