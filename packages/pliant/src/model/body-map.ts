/**
 * Which joint of a skeleton is which part of a body: by names where they are plain, by what hangs from what where they
 * are not. `LeftShoulder` is a collarbone in one convention and an upper arm in another, `LeftLeg` a thigh or a shin;
 * but the joint above a hand is always the forearm and the one above that the upper arm. Sides come from names alone:
 * a joint whose name has no side is never taken for one of a pair.
 */
import { type JointName, readJointNames, type Side } from './joint-names.js'

export interface BodyMap {
  /** Per joint such as `left upperArm`, `hips`, `right index 2`; undefined for others and for spine and neck. */
  roles: (string | undefined)[]
  /** Joints from above the hips to the chest, and from there to below the head; skeletons have one to five of them. */
  spine: number[]
  neck: number[]
}

/** What a body has at least for its roles to be a body's: four limbs of two bones. */
export const LIMB_ROLES = ['left', 'right'].flatMap((side) =>
  ['upperArm', 'lowerArm', 'upperLeg', 'lowerLeg'].map((bone) => `${side} ${bone}`),
)

const HELPER = new Set('ik fk pole target ctrl control slot twist roll prop weapon socket attach helper'.split(' '))
const FINGERS = new Set(['thumb', 'index', 'middle', 'mid', 'ring', 'pinky', 'little', 'finger', 'fingers'])
const LIMBS = {
  Arm: { ends: ['hand', 'wrist', 'palm'], end: 'hand', words: ['arm', 'forearm', 'elbow'], above: 'clavicle' },
  Leg: { ends: ['foot', 'ankle', 'feet'], end: 'foot', words: ['leg', 'thigh', 'shin', 'calf', 'knee'], above: 'hip' },
} as const
const LOWER = new Set(['fore', 'forearm', 'lower', 'low', 'elbow', 'shin', 'calf', 'knee'])

export function bodyMap(names: readonly string[], parents: ArrayLike<number>): BodyMap {
  const read = readJointNames(names)
  const tree = new Tree(read, parents)
  const roles: (string | undefined)[] = names.map(() => undefined)
  const arms: number[][] = []
  const legs: number[][] = []
  for (const side of ['left', 'right'] as const) {
    for (const [bone, { ends, end, words, above }] of Object.entries(LIMBS)) {
      const last = tree.limbEnd(side, ends)
      const chain = last >= 0 ? tree.chainAbove(last, side) : tree.chainOfWords(side, words)
      if (chain.length === 0) continue
      const [lower, upper, third] = bonesOf(chain, read)
      if (lower >= 0) roles[lower] = `${side} lower${bone}`
      if (upper >= 0) roles[upper] = `${side} upper${bone}`
      if (third >= 0) roles[third] = `${side} ${above}`
      const tip = last >= 0 ? last : tree.onlyChild(chain[0], side)
      if (tip >= 0) roles[tip] = `${side} ${end}`
      ;(bone === 'Arm' ? arms : legs).push(chain)
      if (tip >= 0 && bone === 'Arm') nameFingers(tree, tip, side, roles)
      if (tip >= 0 && bone === 'Leg') nameToe(tree, tip, side, roles)
    }
  }
  return { roles, ...trunkOf(tree, arms, legs, roles) }
}

/** Lower, upper and what is above, from the joints above a limb's end, the nearest first. */
function bonesOf(chain: readonly number[], read: readonly JointName[]): [number, number, number] {
  // A bone in several pieces (`upper_arm`, `upper_arm.001`) is moved by the first of them.
  const words = chain.map((joint) => read[joint].words.join())
  const pieces = chain.filter((_, i) => words[i] !== words[i + 1])
  const joints = pieces.length > 1 ? pieces : chain
  const [first, second = -1, third = -1] = joints
  if (second < 0 && !read[first].words.some((word) => LOWER.has(word))) return [-1, first, -1]
  return [first, second, third]
}

const PHALANGES: Readonly<Record<string, number>> = { metacarpal: 0, proximal: 1, intermediate: 2, distal: 3, tip: 4 }
/** Biped numbers its fingers: Finger0 is the thumb, Finger21 the second joint of the middle one. */
const NUMBERED = ['thumb', 'index', 'middle', 'ring', 'pinky']

/**
 * The finger that a joint is of, and which of its joints, the knuckle being 1; undefined where its name does not number
 * it. A joint that is of no finger: undefined.
 */
export function fingerOf({ words, digits }: JointName): { finger: string; place: number | undefined } | undefined {
  if (words.some((word) => HELPER.has(word) || word === 'end' || word === 'nub')) return undefined
  const place = words.map((word) => PHALANGES[word]).find((value) => value !== undefined)
  const named = words.find((word) => FINGERS.has(word) && word !== 'finger' && word !== 'fingers')
  if (named !== undefined) return { finger: named === 'mid' ? 'middle' : named === 'little' ? 'pinky' : named, place }
  const [number] = digits
  if (!words.some((word) => word === 'finger' || word === 'fingers') || !/^[0-4]\d?$/.test(number ?? ''))
    return undefined
  return { finger: NUMBERED[Number(number[0])], place: number.length === 1 ? 1 : Number(number[1]) + 1 }
}

function nameFingers(tree: Tree, hand: number, side: Side, roles: (string | undefined)[]): void {
  const depth = new Map<number, number>()
  for (const joint of tree.below(hand)) {
    const found = tree.read[joint].side === side ? fingerOf(tree.read[joint]) : undefined
    if (!found) continue
    const place = found.place ?? (depth.get(tree.parents[joint]) ?? 0) + 1
    depth.set(joint, place)
    const role = `${side} ${found.finger} ${place}`
    if (!roles.includes(role)) roles[joint] = role
  }
}

function nameToe(tree: Tree, foot: number, side: Side, roles: (string | undefined)[]): void {
  const toe = tree.below(foot).find((joint) => {
    const { words, side: own } = tree.read[joint]
    return own === side && words.some((word) => word === 'toe' || word === 'toes' || word === 'ball')
  })
  if (toe !== undefined) roles[toe] = `${side} toe`
}

function trunkOf(
  tree: Tree,
  arms: readonly number[][],
  legs: readonly number[][],
  roles: (string | undefined)[],
): Pick<BodyMap, 'spine' | 'neck'> {
  const tops = (chains: readonly number[][]) => chains.map((chain) => chain[chain.length - 1])
  const middle = (joint: number, ...wanted: string[]) => {
    const { side, words } = tree.read[joint]
    return side === undefined && words.some((word) => wanted.includes(word)) && !words.some((word) => HELPER.has(word))
  }
  const all = tree.read.map((_, joint) => joint)
  const hipsByName = all.find((joint) => middle(joint, 'hips', 'hip', 'pelvis'))
  const hips = hipsByName ?? (legs.length === 2 ? tree.commonAncestor(tops(legs)) : -1)
  const head = all.find((joint) => middle(joint, 'head')) ?? -1
  const aboveHead = head < 0 ? [] : tree.above(head)
  let chest = arms.length === 2 ? tree.commonAncestor(tops(arms)) : -1
  if (chest < 0) chest = aboveHead.find((joint) => !middle(joint, 'neck')) ?? -1
  // Some hang the arms from the neck.
  while (chest >= 0 && middle(chest, 'neck')) chest = tree.parents[chest]
  if (hips >= 0) roles[hips] = 'hips'
  if (head >= 0) roles[head] = 'head'
  if (hips < 0 || chest < 0) return { spine: [], neck: [] }
  const carriesHips = new Set([hips, ...tree.above(hips)])
  const upTo = (from: number, stop: (joint: number) => boolean) => {
    const path: number[] = []
    for (let at = from; at >= 0 && !stop(at); at = tree.parents[at]) path.push(at)
    return path.reverse().filter((joint) => roles[joint] === undefined)
  }
  const spine = upTo(chest, (joint) => carriesHips.has(joint))
  const neck = aboveHead.includes(chest) ? upTo(tree.parents[head], (joint) => joint === chest) : []
  return { spine, neck }
}

/** Joints, their names and what hangs from what. */
class Tree {
  readonly #children: number[][]

  constructor(
    readonly read: readonly JointName[],
    readonly parents: ArrayLike<number>,
  ) {
    this.#children = read.map(() => [])
    for (let joint = 0; joint < read.length; joint++)
      if (parents[joint] >= 0) this.#children[parents[joint]].push(joint)
  }

  /** Ancestors, the nearest first. */
  above(joint: number): number[] {
    const chain: number[] = []
    for (let at = this.parents[joint]; at >= 0; at = this.parents[at]) chain.push(at)
    return chain
  }

  /** Descendants, parents first. */
  below(joint: number): number[] {
    const found = [...this.#children[joint]]
    for (let i = 0; i < found.length; i++) found.push(...this.#children[found[i]])
    return found
  }

  /** The hand or foot of a side: the first joint so named that hangs from a limb of that side. */
  limbEnd(side: Side, ends: readonly string[]): number {
    return this.read.findIndex(
      ({ side: own, words }, joint) =>
        own === side &&
        words.some((word) => ends.includes(word)) &&
        !words.some((word) => FINGERS.has(word) || HELPER.has(word)) &&
        this.chainAbove(joint, side).length > 0,
    )
  }

  /** Joints of a side above a joint, the nearest first; twist joints and helpers left out. */
  chainAbove(joint: number, side: Side): number[] {
    const chain: number[] = []
    for (let at = this.parents[joint]; at >= 0 && this.read[at].side === side; at = this.parents[at]) {
      if (!this.read[at].words.some((word) => HELPER.has(word))) chain.push(at)
    }
    return chain
  }

  /** Where no end is named: the first two joints of a limb, the lower first. */
  chainOfWords(side: Side, words: readonly string[]): number[] {
    const is = (joint: number) =>
      this.read[joint].side === side &&
      this.read[joint].words.some((word) => words.includes(word)) &&
      !this.read[joint].words.some((word) => HELPER.has(word))
    const top = this.read.findIndex((_, joint) => is(joint))
    if (top < 0) return []
    const next = this.#children[top].find(is)
    return next === undefined ? [top] : [next, top]
  }

  /** The one joint of a side that hangs from another, or -1. */
  onlyChild(joint: number, side: Side): number {
    const own = this.#children[joint].filter((child) => this.read[child].side === side)
    return own.length === 1 ? own[0] : -1
  }

  /** The lowest joint above all of these, or -1. */
  commonAncestor(joints: readonly number[]): number {
    const [first, ...others] = joints.map((joint) => this.above(joint))
    return first?.find((joint) => others.every((chain) => chain.includes(joint))) ?? -1
  }
}
