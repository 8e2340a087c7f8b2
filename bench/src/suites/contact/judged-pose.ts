/**
 * One pose of two shapes, judged: what each method tells of it, and between which two proved numbers its depth is
 * (reference.ts). Depth is how deep either surface goes into the other body. A contact that tells of shared room instead says
 * that the bodies overlap by more than that; it is held to the ball that it is about, which has to lie in both.
 */
import { CONTACT_LIMITS, type ContactList } from 'pliant'
import { type OrientedBoxesOptions, type Solid, solidOf } from 'pliant/detect'
import { decomposedMethods, METHODS } from './methods.js'
import { contactPose, twentyFields } from './poses.js'
import { type PosedField, surfaceDepth, valuesInWorld } from './reference.js'

export interface JudgedPose {
  pose: number
  shapes: readonly [string, string]
  /** Depth is between these, as shares of the size. */
  least: number
  most: number
  /** What each method tells; undefined of no contact. */
  told: (ToldContact | undefined)[]
}

export interface ToldContact {
  /** Of the deepest contact, as a share of the size, but for those that tell of shared room. */
  depth: number
  /** Whether there is one that tells of shared room, and the ball is in both bodies. */
  room?: 'right' | 'wrong'
}

/** How far apart both ends of a depth are, as a share of the size. */
export const TOLERANCE = 5e-4
const ROOM = CONTACT_LIMITS.indexOf('room')

/** In the order in which poses tell of them. */
export const PAIR_METHODS: readonly string[] = [...METHODS, ...decomposedMethods({})].map(({ name }) => name)

/** @returns what judges pose after pose of a seed */
export function poseJudge(seed: number, boxes: OrientedBoxesOptions): (pose: number) => JudgedPose {
  const solids = new Map([...twentyFields()].map(([name, field]) => [name, solidOf(field, field.box)]))
  const methods = [...METHODS, ...decomposedMethods(boxes)]
  return (pose) => {
    const { names, a, b } = contactPose(seed, pose)
    const [solidA, solidB] = names.map((name) => solids.get(name)!) as [Solid, Solid]
    const size = Math.min(solidA.size, solidB.size)
    const options = { tolerance: TOLERANCE * size }
    const [ofA, ofB] = [surfaceDepth(a, b, options), surfaceDepth(b, a, options)]
    const [low, high] = [0, 1].map((end) => Math.min(ofA.least[end], ofB.least[end]) / size)
    const told = methods.map(({ pairOf }) => toldBy(pairOf(solidA, solidB).update(a.pose, b.pose), [a, b], size))
    return { pose, shapes: names, least: -high, most: -low, told }
  }
}

/** What contacts tell of two bodies, whose depths are told as shares of the size [m]. */
export function toldBy(contacts: ContactList, bodies: readonly PosedField[], size: number): ToldContact | undefined {
  let [surfaces, room]: [number, ToldContact['room']] = [0, undefined]
  let across = 0
  for (let i = 0; i < contacts.count; i++) {
    const depth = -contacts.separations[i]
    if (contacts.limits[i] !== ROOM) surfaces = Math.max(surfaces, depth)
    else if (depth > 0) {
      across = depth
      room = isInBoth(contacts, i, bodies, TOLERANCE * size) ? 'right' : 'wrong'
    }
  }
  if (surfaces <= 0 && room === undefined) return undefined
  return { depth: (surfaces > 0 ? surfaces : across) / size, ...(room && { room }) }
}

/** Points of a ball that are asked, spread evenly (a Fibonacci lattice). */
const AROUND = 256
const GOLDEN = Math.PI * (3 - Math.sqrt(5))

/** Whether the ball from one point of a contact to the other lies in both bodies, up to the tolerance. */
function isInBoth({ pointsA, pointsB }: ContactList, i: number, bodies: readonly PosedField[], off: number): boolean {
  const [a, b] = [pointsA.subarray(3 * i, 3 * i + 3), pointsB.subarray(3 * i, 3 * i + 3)]
  const radius = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / 2 - off
  const points = new Float64Array(3 * AROUND)
  for (let k = 0; k < AROUND; k++) {
    const height = (2 * k + 1) / AROUND - 1
    const [ring, angle] = [Math.sqrt(1 - height * height), GOLDEN * k]
    const way = [ring * Math.cos(angle), ring * Math.sin(angle), height]
    for (let axis = 0; axis < 3; axis++) points[3 * k + axis] = (a[axis] + b[axis]) / 2 + radius * way[axis]
  }
  return bodies.every((body) => valuesInWorld(body, points).every((value) => value <= 0))
}
