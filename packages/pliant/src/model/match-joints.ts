/**
 * Which joint of a recorded motion moves which joint of a skeleton.
 *
 * Where the motion has every joint of the skeleton by name, names decide. Else the parts of the body do (body-map.ts):
 * conventions give one name to different joints. Joints that are no part of a body (tails, capes, wings) go by name.
 * Spines and necks of different counts are laid along each other from end to end. Nothing else is guessed: a name that
 * two joints share decides nothing, and sides are never crossed.
 */
import { type BodyMap, bodyMap, LIMB_ROLES } from './body-map.js'
import { readJointNames } from './joint-names.js'
import type { MotionSource } from './posed-motion.js'
import type { Skeleton } from './skeleton.js'

/** The motion's joint names -> the skeleton's; null: that joint of the motion moves nothing. */
export type JointAliases = Readonly<Record<string, string | null>>

export interface JointMatch {
  /** For each joint of the skeleton the motion's, or -1. */
  sources: Int32Array
  /** What each joint of the skeleton is of a body: its role (body-map.ts), 'spine' or 'neck'. */
  parts: readonly (string | undefined)[]
  /** Whether the skeleton is a body with four limbs, of which `parts` knows every one. */
  isBody: boolean
}

/** @throws Error if an alias names a joint that is not there, or two of them move one joint */
export function matchJoints(skeleton: Skeleton, motion: MotionSource, aliases: JointAliases = {}): JointMatch {
  const [own, theirs] = [skeleton.names, motion.joints.map(({ name }) => name)]
  const sources = new Int32Array(own.length).fill(-1)
  const parents = motion.joints.map(({ parent }) => parent)
  const [ownMap, theirMap] = [bodyMap(own, skeleton.parents), bodyMap(theirs, parents)]
  const shapes = (joint: number) => joint === skeleton.root || skeleton.belowRoot[joint] === 1
  const byName = matchNames(own, theirs, aliases)
  if (byName.every((source, joint) => source >= 0 || !shapes(joint))) sources.set(byName)
  else {
    matchRoles(ownMap, theirMap, sources)
    byName.forEach((source, joint) => {
      const isPart = inMap(ownMap, joint) && inMap(theirMap, source)
      if (sources[joint] < 0 && source >= 0 && !isPart && !sources.includes(source)) sources[joint] = source
    })
  }
  applyAliases(own, theirs, aliases, sources)
  for (let joint = 0; joint < own.length; joint++) if (!shapes(joint)) sources[joint] = -1
  if (sources[skeleton.root] < 0) sources[skeleton.root] = sourceForRoot(skeleton, ownMap, sources)
  const { roles, spine, neck } = ownMap
  const parts = roles.map((role, i) => role ?? (spine.includes(i) ? 'spine' : neck.includes(i) ? 'neck' : undefined))
  return { sources, parts, isBody: LIMB_ROLES.every((role) => roles.includes(role)) }
}

function inMap({ roles, spine, neck }: BodyMap, joint: number): boolean {
  return joint >= 0 && (roles[joint] !== undefined || spine.includes(joint) || neck.includes(joint))
}

/** Names that mean the same, where no other joint of either side has it. */
function matchNames(own: readonly string[], theirs: readonly string[], aliases: JointAliases): Int32Array {
  const once = (names: readonly string[]) => {
    const found = new Map<string, number>()
    readJointNames(names).forEach(({ key }, joint) => {
      if (key !== '') found.set(key, found.has(key) ? -1 : joint)
    })
    return found
  }
  const sources = new Int32Array(own.length).fill(-1)
  const theirKeys = once(theirs)
  for (const [key, joint] of once(own)) if (joint >= 0) sources[joint] = theirKeys.get(key) ?? -1
  for (let joint = 0; joint < own.length; joint++) {
    if (sources[joint] >= 0 && Object.hasOwn(aliases, theirs[sources[joint]])) sources[joint] = -1
  }
  for (const [from, to] of Object.entries(aliases)) if (to !== null) sources[own.indexOf(to)] = theirs.indexOf(from)
  return sources
}

function matchRoles(own: BodyMap, theirs: BodyMap, sources: Int32Array): void {
  own.roles.forEach((role, joint) => {
    if (role !== undefined) sources[joint] = theirs.roles.indexOf(role)
  })
  for (const [mine, other] of [
    [own.spine, theirs.spine],
    [own.neck, theirs.neck],
  ]) {
    if (other.length === 0) continue
    mine.forEach((joint, i) => {
      // The last on the last: it carries the arms, or the head.
      const along = mine.length === 1 ? other.length - 1 : Math.round((i * (other.length - 1)) / (mine.length - 1))
      sources[joint] = other[along]
    })
  }
}

function applyAliases(
  own: readonly string[],
  theirs: readonly string[],
  aliases: JointAliases,
  sources: Int32Array,
): void {
  const moved = new Set<string>()
  for (const [from, to] of Object.entries(aliases)) {
    const source = onlyIndex(theirs, from, 'motion')
    sources.forEach((present, joint) => {
      if (present === source) sources[joint] = -1
    })
    if (to === null) continue
    if (moved.has(to)) throw new Error(`aliases: two joints of the motion move '${to}'; keep one.`)
    moved.add(to)
    sources[onlyIndex(own, to, 'skeleton')] = source
  }
}

function onlyIndex(names: readonly string[], name: string, where: string): number {
  const index = names.indexOf(name)
  if (index < 0) {
    const some = names.length > 12 ? `${names.slice(0, 12).join(', ')}, ...` : names.join(', ')
    throw new Error(`aliases: the ${where} has no joint '${name}'; choose from ${some}.`)
  }
  if (names.indexOf(name, index + 1) >= 0) {
    throw new Error(`aliases: the ${where} has several joints '${name}'; rename them in the file.`)
  }
  return index
}

/** A root above the hips goes where they go. */
function sourceForRoot(skeleton: Skeleton, { roles }: BodyMap, sources: Int32Array): number {
  const hips = roles.indexOf('hips')
  return hips >= 0 && skeleton.belowRoot[hips] === 1 ? sources[hips] : -1
}
