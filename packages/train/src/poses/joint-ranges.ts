/**
 * How far joints bend where no clip says so: people's joints by what they are, a modest cone for others, and whatever a
 * file says instead. Angles in degrees from rest, about the axes of joint-axes.ts.
 */
import type { Skeleton } from 'pliant/character'
import { type JointAxes, jointAxes } from './joint-axes.js'

/** From and to; a number stands for both ways. */
export type Range = readonly [number, number]

export interface JointRange {
  flex: Range
  side: Range
  twist: Range
}

/** By the joint's name: one number is a cone with half as much twist; "*" is for all that are not named. */
export type RangeFile = Readonly<Record<string, number | Partial<Record<keyof JointRange, number | Range>>>>

export interface RangedJoint {
  axes: JointAxes
  range: JointRange
}

const NONE: Range = [0, 0]
/** Of joints that no name tells: tails, hair, capes, machines. */
export const UNKNOWN_CONE = 15
/** Largest angle that a file may ask for; beyond it rotation vectors jump (joint-code.ts). */
const LARGEST = 170

const both = (angle: number): Range => [-angle, angle]
const range = (flex: Range, side: Range = NONE, twist: Range = NONE): JointRange => ({ flex, side, twist })
const cone = (angle: number): JointRange => range(both(angle), both(angle), both(angle / 2))

/**
 * About half to two thirds of what people can do: each joint moves by itself, and all of them at their ends at once would
 * be no pose. Fingers in all stay below half a turn, for hands whose file hangs every joint from the wrist.
 */
const PEOPLE: Readonly<Record<string, JointRange>> = {
  clavicle: range(both(10), [-8, 20]),
  lowerArm: range([0, 130], NONE, both(35)),
  hand: range(both(45), both(15), both(15)),
  hip: range(both(5), both(5)),
  upperLeg: range([-25, 95], [-15, 40], both(25)),
  lowerLeg: range([0, 125], NONE, both(5)),
  foot: range([-35, 20], both(12), both(8)),
  toe: range([-15, 35]),
  'finger 0': range(both(3), both(2)),
  'finger 1': range([-15, 65], both(10)),
  'finger 2': range([0, 65]),
  'finger 3': range([0, 40]),
  'thumb 0': range([-5, 25], both(12), both(8)),
  'thumb 1': range([-10, 35], both(15), both(10)),
  'thumb 2': range([-5, 40]),
  'thumb 3': range([-10, 45]),
  head: range([-12, 18], both(12), both(22)),
}
/** Of the whole, shared out evenly among the joints. */
const SHARED: Readonly<Record<string, JointRange>> = {
  spine: range([-20, 50], both(25), both(35)),
  neck: range([-15, 20], both(12), both(25)),
}

/**
 * A range for every joint below the root; none for those that move no vertex.
 * @param weights  how much of the surface each joint moves (`weightOfJoints`)
 * @throws Error if a file names a joint that is not there, or says no angles
 */
export function jointRanges(
  skeleton: Skeleton,
  weights: ArrayLike<number>,
  file: RangeFile = {},
): (RangedJoint | undefined)[] {
  const axes = jointAxes(skeleton)
  for (const [name, entry] of Object.entries(file)) {
    if (name !== '*' && skeleton.jointNamed(name) < 0) {
      throw new Error(`ranges: there is no joint '${name}'; choose from ${skeleton.names.join(', ').slice(0, 200)}.`)
    }
    readEntry(name, entry)
  }
  const carrying = new Set<number>()
  axes.forEach((_, joint) => {
    if (!(weights[joint] > 0)) return
    for (let at = joint; at >= 0 && !carrying.has(at); at = axes[at].carrier) carrying.add(at)
  })
  return axes.map((own, joint) => {
    if (skeleton.belowRoot[joint] === 0 || !carrying.has(joint)) return undefined
    const name = skeleton.names[joint]
    const entry = Object.hasOwn(file, name) ? file[name] : file['*']
    return { axes: own, range: entry === undefined ? usualRange(own, axes) : readEntry(name, entry) }
  })
}

function usualRange({ part, elevation, isSure }: JointAxes, all: readonly JointAxes[]): JointRange {
  const kind = part?.replace(/^(left|right) /, '')
  if (kind === undefined) return cone(UNKNOWN_CONE)
  // From almost hanging to raised, whatever the rest pose is between them.
  if (kind === 'upperArm')
    return range([-30, 75], [-75 - elevation, 60 - elevation].map(Math.round) as [number, number], both(35))
  const shared = SHARED[kind]
  if (shared) {
    const count = all.filter((other) => other.part === part).length
    const share = (whole: Range): Range => [whole[0] / count, whole[1] / count]
    return range(share(shared.flex), share(shared.side), share(shared.twist))
  }
  const found = PEOPLE[kind]
  // The tip of a finger, where a file has a joint for it, does not bend.
  if (!found) return /^(finger|thumb) /.test(kind) ? range(NONE) : cone(UNKNOWN_CONE)
  // Half either way where nobody can tell which way a hand closes.
  if (!isSure) return { ...found, flex: both(Math.max(...found.flex) / 2) }
  return found
}

function readEntry(name: string, entry: unknown): JointRange {
  const angles = (value: unknown): Range => {
    const pair = typeof value === 'number' ? [-Math.abs(value), Math.abs(value)] : value
    const isPair = Array.isArray(pair) && pair.length === 2 && pair.every((angle) => Math.abs(angle) <= LARGEST)
    if (!isPair || !(pair[0] <= pair[1])) {
      throw new Error(
        `ranges: '${name}' has ${JSON.stringify(value)?.slice(0, 40)}; give degrees, or [from, to], within ${LARGEST} of rest.`,
      )
    }
    return [pair[0], pair[1]]
  }
  if (typeof entry === 'number') {
    const [from, to] = angles(entry)
    return { flex: [from, to], side: [from, to], twist: [from / 2, to / 2] }
  }
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw new Error(
      `ranges: '${name}' is ${JSON.stringify(entry)?.slice(0, 40)}; give degrees, or { flex, side, twist }.`,
    )
  }
  const unknown = Object.keys(entry).find((key) => !['flex', 'side', 'twist'].includes(key))
  if (unknown !== undefined) throw new Error(`ranges: '${name}' has '${unknown}'; give flex, side or twist.`)
  const { flex = NONE, side = NONE, twist = NONE } = entry as Partial<Record<keyof JointRange, unknown>>
  return { flex: angles(flex), side: angles(side), twist: angles(twist) }
}
