/**
 * Pairs of twenty shapes in random poses, from a gap to deep in each other: which contacts are missed, which are made up, and
 * how far depths are off, by each method, against numbers that are proved (reference.ts).
 */
import { type OrientedBoxesOptions, type Solid, solidOf } from 'pliant/detect'
import { type ContactMethod, decomposedMethods, METHODS } from './methods.js'
import { contactPose, twentyFields } from './poses.js'
import { surfaceDepth } from './reference.js'

/** Depths up to these, as shares of the size, are counted apart. */
export const DEPTH_LIMITS = [0.001, 0.005, 0.02, 0.1, Infinity] as const

export interface MethodOnPairs {
  method: string
  /** Of the poses that touch, by depth (`limits`): how many there are, and how many were missed. */
  missed: number[]
  /** Contacts where there is none. */
  falseContacts: number
  /** Depth against the reference, as shares of the size: what lies outside its two ends. */
  depthError: { mean: number; median: number; p99: number; largest: number }
  /** Of those, how many are off by more than .5% of the size. */
  offBy: number
  /** The worst, so that it can be looked at. */
  worst: { pose: number; shapes: readonly [string, string]; told: number; least: number; most: number }
}

export interface PairsResult {
  seed: number
  poses: number
  shapes: number
  /** Ends of the reference lie no further apart, as a share of the size. */
  tolerance: number
  touching: number
  free: number
  /** Nearer to touching than the reference tells. */
  undecided: number
  limits: (number | null)[]
  /** Poses that touch, by depth. */
  byDepth: number[]
  methods: MethodOnPairs[]
}

const TOLERANCE = 5e-4

interface Judged {
  pose: number
  shapes: readonly [string, string]
  /** Depth is between these, as shares of the size. */
  least: number
  most: number
  /** Depth by each method; undefined of no contact. */
  told: (number | undefined)[]
}

/**
 * @param boxes  how bodies are cut for the paper's method with boxes
 * @param told   is told how many poses are judged
 */
export async function judgePairs(
  { seed, poses, boxes = {} }: { seed: number; poses: number; boxes?: OrientedBoxesOptions },
  told: (done: number) => Promise<void>,
): Promise<PairsResult> {
  const solids = new Map([...twentyFields()].map(([name, field]) => [name, solidOf(field, field.box)]))
  const methods = [...METHODS, ...decomposedMethods(boxes)]
  const all: Judged[] = []
  for (let pose = 0; pose < poses; pose++) {
    if (pose % 16 === 0) await told(pose)
    all.push(judgePose(seed, pose, solids, methods))
  }
  return summary(seed, all, methods)
}

function judgePose(
  seed: number,
  index: number,
  solids: ReadonlyMap<string, Solid>,
  methods: readonly ContactMethod[],
): Judged {
  const { names, a, b } = contactPose(seed, index)
  const [solidA, solidB] = names.map((name) => solids.get(name)!)
  const size = Math.min(solidA.size, solidB.size)
  const options = { tolerance: TOLERANCE * size }
  const [ofA, ofB] = [surfaceDepth(a, b, options), surfaceDepth(b, a, options)]
  const told = methods.map(({ pairOf }) => {
    const contacts = pairOf(solidA, solidB).update(a.pose, b.pose)
    const deepest = Math.min(...contacts.separations.subarray(0, contacts.count))
    return deepest < 0 ? -deepest / size : undefined
  })
  const [low, high] = [0, 1].map((end) => Math.min(ofA.least[end], ofB.least[end]) / size)
  return { pose: index, shapes: names, least: -high, most: -low, told }
}

function summary(seed: number, all: readonly Judged[], judged: readonly ContactMethod[]): PairsResult {
  const touching = all.filter(({ least }) => least > 0)
  const free = all.filter(({ most }) => most < 0)
  const bin = ({ least }: Judged): number => DEPTH_LIMITS.findIndex((limit) => least <= limit)
  const counted = (of: readonly Judged[]): number[] =>
    DEPTH_LIMITS.map((_, at) => of.filter((each) => bin(each) === at).length)
  const methods = judged.map(({ name }, method) => {
    const off = (each: Judged): number => {
      const depth = each.told[method]!
      return Math.max(0, each.least - depth, depth - each.most)
    }
    const found = touching.filter(({ told }) => told[method] !== undefined).sort((x, y) => off(x) - off(y))
    const errors = found.map(off)
    const at = (share: number): number => errors[Math.floor(share * (errors.length - 1))] ?? 0
    const worst = found.at(-1)
    return {
      method: name,
      missed: counted(touching.filter(({ told }) => told[method] === undefined)),
      falseContacts: free.filter(({ told }) => told[method] !== undefined).length,
      depthError: {
        mean: errors.reduce((sum, error) => sum + error, 0) / Math.max(1, errors.length),
        ...{ median: at(0.5), p99: at(0.99), largest: at(1) },
      },
      offBy: errors.filter((error) => error > 0.005).length,
      worst: {
        pose: worst?.pose ?? -1,
        shapes: worst?.shapes ?? (['', ''] as const),
        ...{ told: worst?.told[method] ?? 0, least: worst?.least ?? 0, most: worst?.most ?? 0 },
      },
    }
  })
  return {
    ...{ seed, poses: all.length, shapes: twentyFields().size, tolerance: TOLERANCE },
    ...{ touching: touching.length, free: free.length, undecided: all.length - touching.length - free.length },
    limits: DEPTH_LIMITS.map((limit) => (limit === Infinity ? null : limit)),
    byDepth: counted(touching),
    methods,
  }
}
