/** Rivals timed in turns, frame by frame, so that a slow moment of the machine meets each of them. */
import { streamOf } from '@pliant/train/unstable/streams'
import type { Random } from 'pliant'
import { median } from './median.js'

/** Rounds that count at least, however slow the rivals: a median of two says nothing. */
export const LEAST_ROUNDS = 7

/** Time that each rival runs by itself before that, beside its time in turns. */
const WARM_UP = 0.3

export interface TurnTimes<Name extends string> {
  /** Median time of one frame of each rival [microseconds]. */
  medians: Record<Name, number>
  /** How many times each of them was measured. */
  rounds: number
}

/**
 * @param frames  what to do, over and over
 * @param seconds about how long each rival runs in all
 */
export function timeTurns<Name extends string, Rival, Frame>(
  rivals: Readonly<Record<Name, Rival>>,
  frames: readonly Frame[],
  seconds: number,
  run: (rival: Rival, frame: Frame) => void,
): TurnTimes<Name> {
  const times = noTimes(rivals)
  for (const { name, frame } of turns(times, frames, seconds)) run(rivals[name], frame)
  return mediansOf(times)
}

/** The same where some rivals answer later, as onnxruntime does; those that answer at once are not kept waiting. */
export async function timeTurnsAwaiting<Name extends string, Rival, Frame>(
  rivals: Readonly<Record<Name, Rival>>,
  frames: readonly Frame[],
  seconds: number,
  run: (rival: Rival, frame: Frame) => Promise<void> | void,
): Promise<TurnTimes<Name>> {
  const times = noTimes(rivals)
  for (const { name, frame } of turns(times, frames, seconds)) {
    const pending = run(rivals[name], frame)
    if (pending) await pending
  }
  return mediansOf(times)
}

/** Whose turn it is, on which frame; the time until the next is asked for goes on its account. */
function* turns<Name extends string, Frame>(
  times: ReadonlyMap<Name, number[]>,
  frames: readonly Frame[],
  seconds: number,
): Generator<{ name: Name; frame: Frame }> {
  const random = streamOf('benchTurns', 1)
  const order = [...times]
  for (const name of times.keys()) yield* warmUp(name, frames, WARM_UP * seconds)
  const until = performance.now() + 1000 * seconds * times.size
  for (let round = 0; round < LEAST_ROUNDS || performance.now() < until; round++) {
    // In another order each time, as what ran before leaves its data in the cache, or its garbage.
    shuffle(order, random)
    for (const [name, spent] of order) {
      const turn = { name, frame: frames[round % frames.length] }
      const elapsed = stopwatch()
      yield turn
      spent.push(elapsed())
    }
  }
}

/**
 * One rival by itself, at least once: a few hundred calls run code that the compiler has not come to yet (the bar's pose
 * and one query: 13 us in the first 500 turns, 5 after 20,000).
 */
function* warmUp<Name extends string, Frame>(
  name: Name,
  frames: readonly Frame[],
  seconds: number,
): Generator<{ name: Name; frame: Frame }> {
  const until = performance.now() + 1000 * seconds
  let call = 0
  do yield { name, frame: frames[call++ % frames.length] }
  while (performance.now() < until)
}

/** Fisher and Yates, in place. */
export function shuffle(list: unknown[], random: Random): void {
  for (let left = list.length; left > 1; left--) {
    const taken = random.below(left)
    ;[list[left - 1], list[taken]] = [list[taken], list[left - 1]]
  }
}

/**
 * Says how long ago it was made [microseconds]: on the clock, or by what all our threads had of the processor if that is
 * less, as nobody runs while others have it.
 * @param clocks  of the wall [ms] and of the processor [microseconds]
 */
export function stopwatch(clocks = { now: () => performance.now(), used: processorTime }): () => number {
  // The clock is read last and first: asking for the processor's time takes longer than a small frame.
  const used = clocks.used()
  const began = clocks.now()
  return () => {
    const wall = clocks.now() - began
    return Math.min(1000 * wall, clocks.used() - used)
  }
}

/** Of all threads so far [microseconds]. */
function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

function noTimes<Name extends string>(rivals: Readonly<Record<Name, unknown>>): Map<Name, number[]> {
  return new Map((Object.keys(rivals) as Name[]).map((name) => [name, []]))
}

function mediansOf<Name extends string>(times: ReadonlyMap<Name, number[]>): TurnTimes<Name> {
  const medians = Object.fromEntries([...times].map(([name, spent]) => [name, median(spent)])) as Record<Name, number>
  return { medians, rounds: Math.min(...[...times.values()].map((spent) => spent.length)) }
}
