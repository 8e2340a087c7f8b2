/** Contacts of all bodies of a scene, frame by frame: which pairs come near each other, and where they touch. */
import { setImmediate } from 'node:timers/promises'
import { type Box, boxExpand, type ContactList } from 'pliant'
import { BroadPhase, carryBox, PaperPair, SolidPair } from 'pliant/detect'
import { stopIfAborted, UsageError } from '../errors.js'
import { formatCount } from '../format.js'
import type { Call } from '../verb.js'
import type { FormedBody } from './bodies.js'

export type Method = 'ours' | 'paper'

export interface FindOptions {
  readonly method: Method
  /** Distance up to which there are contacts [m]. */
  readonly gap: number
  /** Of a pair. */
  readonly maxContacts: number
}

/** One contact, as `--json` has it. */
export interface FoundContact {
  readonly pointA: readonly number[]
  readonly pointB: readonly number[]
  readonly normal: readonly number[]
  readonly separation: number
  /** null of the paper's method, which tells none. */
  readonly area: number | null
  readonly limit: string | null
  readonly id: number | null
}

export interface FoundPair {
  readonly frame: number
  readonly a: string
  readonly b: string
  /** The deepest first. */
  readonly contacts: readonly FoundContact[]
  /** Points at which a field told no number. */
  readonly unanswered: number
}

export interface Found {
  /** In contact, by frame, the deepest first. */
  readonly pairs: readonly FoundPair[]
  /** How many pairs came near each other, over all frames. */
  readonly near: number
  /** How many of them have no end on either side, and were not met. */
  readonly endless: number
}

/** Of a frame: each takes about a millisecond. */
const MOST_PAIRS = 100_000
/** Contacts of so many pairs go on from frame to frame; what they remember takes 50 kB each. */
const MOST_KEPT = 2000
/** Between two looks at whether to stop [ms]. */
const LOOK = 50

/** @throws UsageError if a body cannot be met, or too many come near each other */
export async function findContacts(
  path: string,
  bodies: readonly FormedBody[],
  frames: number,
  options: FindOptions,
  { signal, progress }: Pick<Call, 'signal' | 'progress'>,
): Promise<Found> {
  const broad = new BroadPhase()
  const found: FoundPair[] = []
  let [near, endless, looked] = [0, 0, performance.now()]
  let kept = new Map<string, SolidPair | PaperPair>()
  for (let frame = 0; frame < frames; frame++) {
    const poses = bodies.map((body) => body.poses[body.poses.length > 1 ? frame : 0])
    const pairs = nearPairs(path, broad, bodies, poses, options.gap)
    const next: typeof kept = new Map()
    const ofFrame: FoundPair[] = []
    for (const [n, [a, b]] of pairs.entries()) {
      if (performance.now() - looked > LOOK) {
        const fraction = 0.5 + (0.5 * (frame + n / pairs.length)) / frames
        progress.update({ fraction, stage: 'finding contacts', detail: `frame ${frame} of ${frames}` })
        await setImmediate()
        stopIfAborted(signal)
        looked = performance.now()
      }
      near++
      if (isEndless(bodies[a].form.box) && isEndless(bodies[b].form.box)) {
        endless++
        continue
      }
      const key = `${a} ${b}`
      const pair = kept.get(key) ?? pairOf(bodies[a], bodies[b], options)
      if (frames > 1 && next.size < MOST_KEPT) next.set(key, pair)
      const list = pair.update(poses[a], poses[b])
      const contacts = contactsOf(list, options.method)
      const { unanswered } = list
      if (contacts.length + unanswered > 0)
        ofFrame.push({ frame, a: bodies[a].name, b: bodies[b].name, contacts, unanswered })
    }
    kept = next
    for (const pair of ofFrame.sort((a, b) => deepestOf(a) - deepestOf(b))) found.push(pair)
  }
  return { pairs: found, near, endless }
}

/** Separation of a pair's first contact [m]; Infinity of none. */
export function deepestOf({ contacts }: Pick<FoundPair, 'contacts'>): number {
  return contacts[0]?.separation ?? Infinity
}

function nearPairs(
  path: string,
  broad: BroadPhase,
  bodies: readonly FormedBody[],
  poses: readonly Float64Array[],
  gap: number,
): [number, number][] {
  const boxes = bodies.map(({ form, margin }, i) => boxExpand(carryBox(poses[i], form.box), margin + gap / 2))
  const pairs: [number, number][] = []
  broad.forPairs(boxes, (a, b) => {
    if (pairs.length === MOST_PAIRS) {
      throw new UsageError(
        `${path}: more than ${formatCount(MOST_PAIRS)} pairs of bodies come near each other; give fewer bodies.`,
      )
    }
    pairs.push([a, b])
  })
  return pairs
}

function isEndless({ lower, upper }: Box): boolean {
  return ![...lower, ...upper].every(Number.isFinite)
}

function pairOf(a: FormedBody, b: FormedBody, { method, gap, maxContacts }: FindOptions): SolidPair | PaperPair {
  const [solidA, solidB] = [a.form.solid(), b.form.solid()]
  if (method === 'paper') {
    const endless = [a, b].find(({ form }) => isEndless(form.box))
    if (!endless) return new PaperPair({ solid: solidA }, { solid: solidB }, { maxContacts })
    throw new UsageError(
      `'${endless.name}' has no end, and the paper's method begins in boxes; leave out --method paper.`,
    )
  }
  return new SolidPair(solidA, solidB, { maxContacts, gap, margin: a.margin + b.margin })
}

function contactsOf(list: ContactList, method: Method): FoundContact[] {
  return Array.from({ length: list.count }, (_, i) => {
    const { pointA, pointB, normal, separation, area, limit, id } = list.at(i)
    const told = method === 'ours' ? { area, limit, id } : { area: null, limit: null, id: null }
    return { pointA: [...pointA], pointB: [...pointB], normal: [...normal], separation, ...told }
  })
}
