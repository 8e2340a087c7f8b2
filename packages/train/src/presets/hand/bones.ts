/**
 * What the soft hand is made of: rounded cones, one for each bone of a right hand that lies palm down. Origin in the
 * wrist, fingers along -Z, the back of the hand up (+Y), the thumb at -X: as a controller is held in WebXR.
 */
import type { Vec3 } from 'pliant'

/** All points within a radius that goes from `radius` to `endRadius` of the segment `from` to `to`. [m] */
export interface Bone {
  from: Vec3
  to: Vec3
  radius: number
  endRadius: number
}

interface Finger {
  /** Where the palm's bone begins and where the finger does [m]. */
  base: Vec3
  knuckle: Vec3
  /** Of the three bones together [m]. */
  length: number
  /** At the knuckle and at the tip [m]. */
  radii: readonly [number, number]
  /** To which side it points, from straight ahead [degrees]. */
  spread: number
}

/** Thicker and further apart than ours: a few hundred tetrahedra are to tell them apart. */
const FINGERS: readonly Finger[] = [
  { base: [-0.015, 0, -0.014], knuckle: [-0.031, 0.003, -0.078], length: 0.07, radii: [0.0102, 0.0088], spread: -14 },
  {
    base: [-0.006, 0.002, -0.014],
    knuckle: [-0.009, 0.005, -0.085],
    length: 0.077,
    radii: [0.0104, 0.009],
    spread: -4,
  },
  { base: [0.006, 0.002, -0.014], knuckle: [0.013, 0.004, -0.081], length: 0.071, radii: [0.0102, 0.0088], spread: 7 },
  { base: [0.015, 0, -0.012], knuckle: [0.033, 0, -0.069], length: 0.056, radii: [0.0095, 0.0082], spread: 20 },
]
/** Lengths of a finger's bones as shares of it, and how far each bends towards the palm from the one before [degrees]. */
const SHARES = [0.44, 0.31, 0.25]
const CURL = [9, 12, 10]
/** Of the palm's bones: at the wrist and at the knuckle [m]. */
const PALM_RADII = [0.0145, 0.0125] as const

const THUMB: readonly Bone[] = [
  { from: [-0.014, -0.006, -0.016], to: [-0.041, -0.012, -0.045], radius: 0.0155, endRadius: 0.0128 },
  { from: [-0.041, -0.012, -0.045], to: [-0.062, -0.013, -0.068], radius: 0.0118, endRadius: 0.0108 },
  { from: [-0.062, -0.013, -0.068], to: [-0.073, -0.011, -0.09], radius: 0.0108, endRadius: 0.0092 },
]

/** Two side by side, as radius and ulna are. */
const FOREARM: readonly Bone[] = [-0.0115, 0.0115].map((x) => ({
  from: [0.8 * x, 0, -0.014] as const,
  to: [x, 0.001, 0.045] as const,
  radius: 0.0165,
  endRadius: 0.0185,
}))

export const BONES: readonly Bone[] = [...FOREARM, ...FINGERS.flatMap(fingerBones), ...THUMB]

function fingerBones({ base, knuckle, length, radii, spread }: Finger): Bone[] {
  const bones: Bone[] = [{ from: base, to: knuckle, radius: PALM_RADII[0], endRadius: PALM_RADII[1] }]
  const side = radians(spread)
  let from = knuckle
  let bend = 0
  let done = 0
  SHARES.forEach((share, i) => {
    bend += radians(CURL[i])
    const ahead = share * length * Math.cos(bend)
    const to: Vec3 = [
      from[0] + ahead * Math.sin(side),
      from[1] - share * length * Math.sin(bend),
      from[2] - ahead * Math.cos(side),
    ]
    const radiusAt = (at: number): number => radii[0] + at * (radii[1] - radii[0])
    bones.push({ from, to, radius: radiusAt(done), endRadius: radiusAt(done + share) })
    done += share
    from = to
  })
  return bones
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
