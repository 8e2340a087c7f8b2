/**
 * The humanoid's body as a distance: its parts (parts.ts) joined to limbs and the limbs to a body, each time by a soft
 * minimum
 *
 *   d = -k log sum_j exp(-d_j / k)
 *
 * which has no seams and does not care about order.
 */
import type { Vec3 } from 'pliant'
import { JOINTS, jointPlace } from './joints.js'
import { type Blob, LIMBS, PARTS, type Part } from './parts.js'

/** How softly limbs join [m]. */
const SOFTNESS = 0.016
/** How softly the sole is cut off [m]. */
const SOLE_SOFTNESS = 0.004

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

/** A point inside the body from which its surface is met in any direction. */
export const BODY_MIDDLE: Vec3 = jointPlace('Spine')
