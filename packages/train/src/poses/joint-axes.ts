/**
 * How each joint of a skeleton bends, in the axes of the body at rest: the axis about which it flexes, the one about
 * which it goes sideways, and its bone's own, about which it twists. Files turn the axes of their joints as they please,
 * so the three are told from where bones point and which way the body faces.
 */

import type { Skeleton } from 'pliant/character'
import { bodyMap, bodyParts, decomposeMat4, fingerOf, type JointCodeOptions, readJointNames } from 'pliant/unstable'

export type Vector = readonly [number, number, number]

export interface JointAxes {
  /** What it is of a body, such as `left lowerArm`, `spine`, `finger 1`; undefined for others. */
  part: string | undefined
  /** The joint that carries it. Its parent, but where a file hangs all joints of a hand from one: the one before it. */
  carrier: number
  /** Of length one, in the root frame at rest: turning about `flex` bends the joint the way that it bends most. */
  flex: Vector
  side: Vector
  twist: Vector
  /** How far above the horizontal its bone points at rest [degrees]. */
  elevation: number
  /** Whether it is known which way it flexes; a finger's may not be. */
  isSure: boolean
}

export function jointAxes(skeleton: Skeleton): JointAxes[] {
  const { names, parents, jointCount } = skeleton
  const { roles, spine, neck } = bodyMap(names, parents)
  const fingers = fingersOf(skeleton)
  const carriers = carriersOf(skeleton, fingers)
  const body = bodyDirections(skeleton, roles)
  const places = names.map((_, joint) => placeOf(skeleton, joint))
  return names.map((_, joint): JointAxes => {
    const finger = fingers[joint]
    const part =
      finger !== undefined
        ? `${finger.finger === 'thumb' ? 'thumb' : 'finger'} ${finger.place}`
        : (roles[joint] ?? (spine.includes(joint) ? 'spine' : neck.includes(joint) ? 'neck' : undefined))
    const below = Array.from({ length: jointCount }, (_, child) => child).filter((child) => carriers[child] === joint)
    const bone = boneOf(places, joint, below, carriers[joint]) ?? body.up
    const outward = part?.startsWith('right') ? scaled(body.left, -1) : body.left
    const palm = finger && palmOf(places, joint, fingers, carriers)
    const [towards, aside] = targetsOf(part, bone, { ...body, outward }, palm)
    const flex = crossUnit(bone, towards) ?? crossUnit(bone, body.left) ?? body.left
    return {
      part,
      carrier: carriers[joint],
      flex,
      side: across(flex, bone, aside),
      twist: bone,
      elevation: (Math.asin(Math.max(-1, Math.min(1, dot(bone, body.up)))) * 180) / Math.PI,
      isSure: finger === undefined || palm !== undefined,
    }
  })
}

/**
 * Turns that are none [rad]: in clips of such files each joint goes its own straight way from key to key, so that carried
 * ones wobble by 0.1 to 0.2 degrees about axes that they never bend about (range clips of the WebXR hand).
 */
const WOBBLE = (0.5 * Math.PI) / 180

/**
 * How a code should measure joints where a file hangs some from others than carry them: from their carriers, about the axes
 * that they bend about. Empty for all other files, whose codes are of joints in their parents, about the joints' own axes.
 */
export function carriedAlong(skeleton: Skeleton): Pick<JointCodeOptions, 'carriers' | 'bases' | 'still'> {
  const axes = jointAxes(skeleton)
  if (axes.every(({ carrier }, joint) => carrier === skeleton.parents[joint])) return {}
  const bases = new Float64Array(4 * axes.length)
  axes.forEach(({ flex, side }, joint) => {
    const third = crossUnit(flex, side)!
    decomposeMat4([...flex, 0, ...side, 0, ...third, 0, 0, 0, 0, 1], 0, bases, 4 * joint, new Float64Array(3), 0)
  })
  return { carriers: Int32Array.from(axes, ({ carrier }) => carrier), bases, still: WOBBLE }
}

/** At right angles to both, turning the bone towards `aside` rather than away from it. */
function across(flex: Vector, bone: Vector, aside: Vector | undefined): Vector {
  const axis = unit([
    flex[1] * bone[2] - flex[2] * bone[1],
    flex[2] * bone[0] - flex[0] * bone[2],
    flex[0] * bone[1] - flex[1] * bone[0],
  ])
  const wanted = aside && crossUnit(bone, aside)
  return wanted && dot(axis, wanted) < 0 ? scaled(axis, -1) : axis
}

interface Directions {
  up: Vector
  left: Vector
  forward: Vector
}

/** Where a bone goes when its joint flexes, and when it goes sideways. */
function targetsOf(
  part: string | undefined,
  bone: Vector,
  { up, forward, outward }: Directions & { outward: Vector },
  palm: Vector | undefined,
): [Vector, Vector | undefined] {
  const kind = part?.replace(/^(left|right) /, '') ?? ''
  if (/^(finger|thumb)/.test(kind)) return [palm ?? up, undefined]
  if (kind === 'lowerLeg') return [scaled(forward, -1), outward]
  if (kind === 'upperLeg') return [forward, outward]
  if (kind === 'foot' || kind === 'toe') return [up, outward]
  // Raised to the side, whether it hangs or is held out at rest.
  if (kind === 'upperArm' || kind === 'clavicle') return [forward, Math.abs(dot(bone, up)) < 0.8 ? up : outward]
  if (kind === 'hand') return [Math.abs(dot(bone, up)) < 0.8 ? scaled(up, -1) : scaled(outward, -1), forward]
  return [forward, outward]
}

/** By where the limbs hang; of a skeleton without them, as files are made: +Y up, facing +Z. */
function bodyDirections(skeleton: Skeleton, roles: readonly (string | undefined)[]): Directions {
  const at = (role: string): Vector | undefined => {
    const joint = roles.indexOf(role)
    return joint < 0 ? undefined : placeOf(skeleton, joint)
  }
  const usual: Directions = { up: [0, 1, 0], left: [1, 0, 0], forward: [0, 0, 1] }
  for (const bone of ['upperLeg', 'upperArm']) {
    const [left, right] = [at(`left ${bone}`), at(`right ${bone}`)]
    const across = left && right && unit(minus(left, right))
    const forward = across && crossUnit(across, usual.up)
    if (forward) return { up: usual.up, forward, left: crossUnit(usual.up, forward)! }
  }
  return usual
}

interface Finger {
  finger: string
  place: number
  hand: string
}

/** Joints of fingers, by names and by depth where names have no numbers. */
function fingersOf({ names, parents }: Skeleton): (Finger | undefined)[] {
  const fingers: (Finger | undefined)[] = []
  // A spine may have a middle, too, and a belt a ring.
  const parts = bodyParts(names, parents)
  for (const [joint, name] of readJointNames(names).entries()) {
    const found = parts[joint] === 'hand' ? fingerOf(name) : undefined
    const above = parents[joint] >= 0 ? fingers[parents[joint]] : undefined
    const place = found?.place ?? (above && found && above.finger === found.finger ? above.place + 1 : 1)
    fingers.push(found && { finger: found.finger, place, hand: name.side ?? '' })
  }
  return fingers
}

/** Parents, but in files that hang every joint of a hand from one: there, fingers by the order of their joints. */
function carriersOf({ names, parents }: Skeleton, fingers: readonly (Finger | undefined)[]): number[] {
  const wrists = readJointNames(names).map(
    ({ words }, joint) =>
      fingers[joint] === undefined && words.some((word) => word === 'wrist' || word === 'hand' || word === 'palm'),
  )
  return names.map((_, joint) => {
    const own = fingers[joint]
    const parent = parents[joint]
    if (own === undefined || parent < 0 || fingers[parent] !== undefined || wrists[parent]) return parent
    // The one before it in the same finger.
    const before = fingers
      .map((other, i) => ({ other, i }))
      .filter(({ other }) => other?.finger === own.finger && other.hand === own.hand && other.place < own.place)
      .sort((a, b) => b.other!.place - a.other!.place)[0]
    if (before) return before.i
    const wrist = wrists.findIndex((is, i) => is && parents[i] === parent)
    return wrist >= 0 ? wrist : parent
  })
}

/** The way a hand closes: across its back, to where its fingers are bent already, or where its thumb is. */
function palmOf(
  places: readonly Vector[],
  joint: number,
  fingers: readonly (Finger | undefined)[],
  carriers: readonly number[],
): Vector | undefined {
  const own = fingers[joint]!
  const at = (finger: string, place: number): Vector | undefined => {
    const found = fingers.findIndex((f) => f?.hand === own.hand && f.finger === finger && f.place === place)
    return found < 0 ? undefined : places[found]
  }
  const knuckle = fingers.findIndex((f) => f?.hand === own.hand && f.finger === 'index' && f.place === 1)
  let wrist = knuckle < 0 ? -1 : carriers[knuckle]
  while (wrist >= 0 && fingers[wrist] !== undefined) wrist = carriers[wrist]
  const [index, pinky] = [at('index', 1), at('pinky', 1) ?? at('ring', 1)]
  if (wrist < 0 || !index || !pinky) return undefined
  const normal = crossUnit(minus(index, places[wrist]), minus(pinky, places[wrist]))
  if (!normal) return undefined
  let curl = 0
  for (const finger of ['index', 'middle', 'ring', 'pinky']) {
    const [a, b, c] = [1, 2, 3].map((place) => at(finger, place))
    if (a && b && c) curl += dot(unit(minus(c, b)), normal) - dot(unit(minus(b, a)), normal)
  }
  if (Math.abs(curl) > 0.05) return scaled(normal, Math.sign(curl))
  const thumb = at('thumb', 3) ?? at('thumb', 2)
  const aside = thumb ? dot(unit(minus(thumb, places[wrist])), normal) : 0
  return Math.abs(aside) > 0.05 ? scaled(normal, Math.sign(aside)) : undefined
}

/** From a joint to the middle of those it carries; of the last one, on from the one before it. */
function boneOf(
  places: readonly Vector[],
  joint: number,
  below: readonly number[],
  carrier: number,
): Vector | undefined {
  const ends = below.filter((child) => length(minus(places[child], places[joint])) > 0)
  if (ends.length > 0) {
    const sum = ends.reduce<Vector>((total, child) => plus(total, minus(places[child], places[joint])), [0, 0, 0])
    if (length(sum) > 0) return unit(sum)
  }
  const from = carrier < 0 ? undefined : minus(places[joint], places[carrier])
  return from && length(from) > 0 ? unit(from) : undefined
}

function placeOf({ restMatrices }: Skeleton, joint: number): Vector {
  return [restMatrices[16 * joint + 12], restMatrices[16 * joint + 13], restMatrices[16 * joint + 14]]
}

/** undefined where the two are along one line, to within six degrees. */
function crossUnit(a: Vector, b: Vector): Vector | undefined {
  const out: Vector = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
  return length(out) > 0.1 * length(a) * length(b) ? unit(out) : undefined
}

function plus(a: Vector, b: Vector): Vector {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

function scaled(a: Vector, factor: number): Vector {
  return [factor * a[0], factor * a[1], factor * a[2]]
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

function length(a: Vector): number {
  return Math.hypot(a[0], a[1], a[2])
}

function unit(a: Vector): Vector {
  return scaled(a, 1 / (length(a) || 1))
}
