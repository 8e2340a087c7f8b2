/** Rivals timed in turns, frame by frame, so that a slow moment of the machine meets each of them. */
import { type Random, randomStream } from 'pliant'
import { median } from './machine.js'

/** Rounds that count at least, however slow the rivals: a median of two says nothing. */
export const LEAST_ROUNDS = 7

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
  const until = performance.now() + 1000 * seconds * times.size
  const random = randomStream(5)
  const order = [...times]
  // The first round warms up.
  for (let round = 0; round <= LEAST_ROUNDS || performance.now() < until; round++) {
    // In another order each time, as what ran before leaves its data in the cache, or its garbage.
    shuffle(order, random)
    for (const [name, spent] of order) {
      const turn = { name, frame: frames[round % frames.length] }
      const elapsed = stopwatch()
      yield turn
      const time = elapsed()
      if (round > 0) spent.push(time)
    }
  }
}

/** Fisher and Yates, in place. */
function shuffle(list: unknown[], random: Random): void {
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
  const began = clocks.now()
  const used = clocks.used()
  return () => Math.min(1000 * (clocks.now() - began), clocks.used() - used)
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
