/**
 * The humanoid's body as a distance: rounded cones and ellipsoids, a few for each joint, joined by a soft minimum
 *
 *   d = -k log sum_j exp(-d_j / k)
 *
 * which has no seams and does not care about order. The share that a joint has in that sum says how much a point of the
 * surface is its own: skin weights begin there (skin.ts).
 */
import type { Vec3 } from 'pliant'
import { JOINTS, jointNumber } from './joints.js'

/** A rounded cone: all points within a radius that goes from `radius` to `endRadius` of the segment `from` to `to`. */
interface Blob {
  /** T-pose [m]. */
  from: Vec3
  to: Vec3
  radius: number
  endRadius: number
  /** How much longer it is along each axis; an ellipsoid is a sphere with this. */
  stretch: Vec3
}

/** What belongs to one joint. */
interface Part {
  limb: keyof typeof LIMBS
  /** How softly its blobs join [m]: finely at the fingers. */
  softness: number
  blobs: Blob[]
}

/**
 * How softly the parts of a limb join each other [m]. A soft minimum swells where both are equally near, by 0.7 of this:
 * little where the two ends of a joint have one radius anyway.
 */
const LIMBS = { trunk: 0.024, head: 0.012, arm: 0.008, leg: 0.009 } as const
/** How softly limbs join [m]. */
const SOFTNESS = 0.016
/** How softly the sole is cut off [m]. */
const SOLE_SOFTNESS = 0.004

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
const PARTS: readonly Part[] = JOINTS.map(({ name }) => {
  if (MIDDLE[name]) return MIDDLE[name]
  const part = SIDE[name.replace(/^(Left|Right)/, '')]
  return name.startsWith('Left') ? part : { ...part, blobs: part.blobs.map(mirrored) }
})

/** For joints of the arms the upper arm by whose turn at rest they are carried along; else -1. */
const CARRIED_BY = JOINTS.map((_, joint) => {
  let at = joint
  while (at >= 0 && JOINTS[at].turn === 0) at = JOINTS[at].parent
  return at
})

/** Parts further away than this many softnesses have no share in a soft minimum: e^-16, less than slopes can feel. */
const FAR = 16

/** A ball around each part, in the T-pose, and the distance from it at which the part is far [m]. */
const BALLS = PARTS.map(({ blobs, limb }) => {
  const ends = blobs.flatMap(({ from, to }) => [from, to])
  const centre = [0, 1, 2].map((axis) => ends.reduce((sum, end) => sum + end[axis], 0) / ends.length)
  const reach = ({ from, to, radius, endRadius, stretch }: Blob): number =>
    Math.max(distanceOf(from, centre), distanceOf(to, centre)) + Math.max(radius, endRadius) * Math.max(...stretch)
  return { centre, radius: Math.max(...blobs.map(reach)), far: FAR * Math.max(LIMBS[limb], SOFTNESS) }
})

/** Joints of each limb, left and right apart. */
const LIMB_JOINTS = limbJoints()

const distances = new Float64Array(JOINTS.length)
const ofLimb = new Float64Array(JOINTS.length)
const limbDistances = new Float64Array(LIMB_JOINTS.length)

/** To the body at rest [m], negative inside; near the surface right to first order. */
export function bodyDistance(x: number, y: number, z: number): number {
  jointDistances(x, y, z, distances)
  for (let limb = 0; limb < LIMB_JOINTS.length; limb++) {
    const { joints, softness } = LIMB_JOINTS[limb]
    for (let i = 0; i < joints.length; i++) ofLimb[i] = distances[joints[i]]
    limbDistances[limb] = softMinimum(ofLimb, joints.length, softness)
  }
  return cutSole(softMinimum(limbDistances, limbDistances.length, SOFTNESS), y)
}

/** To each joint's own part at rest [m]; of far ones only that they are far. */
export function jointDistances(x: number, y: number, z: number, out: Float64Array): void {
  for (let joint = 0; joint < PARTS.length; joint++) {
    const carrier = CARRIED_BY[joint]
    let tx = x
    let ty = y
    if (carrier >= 0) {
      const { place, turn } = JOINTS[carrier]
      const c = Math.cos(turn)
      const s = Math.sin(turn)
      tx = place[0] + c * (x - place[0]) + s * (y - place[1])
      ty = place[1] - s * (x - place[0]) + c * (y - place[1])
    }
    const { centre, radius, far } = BALLS[joint]
    const atLeast = Math.sqrt((tx - centre[0]) ** 2 + (ty - centre[1]) ** 2 + (z - centre[2]) ** 2) - radius
    out[joint] = atLeast > far ? atLeast : partDistance(PARTS[joint], tx, ty, z)
  }
}

const blobDistances = new Float64Array(8)

function partDistance({ blobs, softness }: Part, x: number, y: number, z: number): number {
  for (let i = 0; i < blobs.length; i++) blobDistances[i] = blobDistance(blobs[i], x, y, z)
  return softMinimum(blobDistances, blobs.length, softness)
}

/** In stretched space the distance is plain; divided by how fast it grows in this one. No arrays: it is asked often. */
function blobDistance({ from, to, radius, endRadius, stretch }: Blob, x: number, y: number, z: number): number {
  const sx = stretch[0]
  const sy = stretch[1]
  const sz = stretch[2]
  let ox = (x - from[0]) / sx
  let oy = (y - from[1]) / sy
  let oz = (z - from[2]) / sz
  const dx = (to[0] - from[0]) / sx
  const dy = (to[1] - from[1]) / sy
  const dz = (to[2] - from[2]) / sz
  const squared = dx * dx + dy * dy + dz * dz
  const t = squared > 0 ? Math.min(Math.max((ox * dx + oy * dy + oz * dz) / squared, 0), 1) : 0
  ox -= t * dx
  oy -= t * dy
  oz -= t * dz
  const length = Math.sqrt(ox * ox + oy * oy + oz * oz)
  if (length === 0) return -Math.min(sx, sy, sz) * radius
  const growth = Math.sqrt((ox / sx) ** 2 + (oy / sy) ** 2 + (oz / sz) ** 2) / length
  return (length - radius - t * (endRadius - radius)) / growth
}

function softMinimum(values: Float64Array, count: number, softness: number): number {
  let least = Infinity
  for (let i = 0; i < count; i++) least = Math.min(least, values[i])
  let sum = 0
  for (let i = 0; i < count; i++) sum += Math.exp((least - values[i]) / softness)
  return least - softness * Math.log(sum)
}

/** Nothing below the ground: a soft maximum with the distance above it. */
function cutSole(distance: number, y: number): number {
  const high = Math.max(distance, -y)
  const low = Math.min(distance, -y)
  return high + SOLE_SOFTNESS * Math.log1p(Math.exp((low - high) / SOLE_SOFTNESS))
}

function limbJoints(): { joints: number[]; softness: number }[] {
  const limbs = new Map<string, { joints: number[]; softness: number }>()
  PARTS.forEach(({ limb }, joint) => {
    const sided = limb === 'arm' || limb === 'leg' ? Math.sign(JOINTS[joint].place[0]) : 0
    const key = `${limb} ${sided}`
    if (!limbs.has(key)) limbs.set(key, { joints: [], softness: LIMBS[limb] })
    limbs.get(key)!.joints.push(joint)
  })
  return [...limbs.values()]
}

function distanceOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

function bothSides(blob: Blob): Blob[] {
  return [blob, mirrored(blob)]
}

function mirrored(blob: Blob): Blob {
  return { ...blob, from: [-blob.from[0], blob.from[1], blob.from[2]], to: [-blob.to[0], blob.to[1], blob.to[2]] }
}

/** A point inside the body from which its surface is met in any direction. */
export const BODY_MIDDLE: Vec3 = JOINTS[jointNumber('Spine')].place
