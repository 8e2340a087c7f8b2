/**
 * Methods in turns, native programs among them: in every round each method does some frames of its own, in an order that is
 * shuffled anew, and all do the same frames. A ratio is of two methods in the same round, so that a slow moment of the
 * machine meets both.
 */
import { streamOf } from '@pliant/train/unstable/streams'
import { median } from '../../timing/median.js'
import { shuffle, stopwatch } from '../../timing/turns.js'
import { ProgramRefusal, type Turn } from './native-program.js'

/** Does a turn and says how long each of its frames took [microseconds]. */
export type Racer = (turn: Turn) => Promise<number[]> | number[]

export interface Race<Name extends string> {
  /** Median time of a frame in each round [microseconds]; those that refused have none. */
  rounds: Partial<Record<Name, number[]>>
  /** Why some of them did not run. */
  refusals: Partial<Record<Name, string>>
}

export interface RaceOptions {
  rounds: number
  /** Time that each runs by itself before that, until the compiler has seen it [ms]. */
  warmUp: number
  /** How many frames the body has. */
  bodyFrames: number
  signal?: AbortSignal
}

/** @param turn  what is asked in each round; `first` goes on from round to round */
export async function race<Name extends string>(
  racers: Readonly<Partial<Record<Name, Racer>>>,
  turn: Omit<Turn, 'first'>,
  { rounds, warmUp, bodyFrames, signal }: RaceOptions,
): Promise<Race<Name>> {
  const order = Object.keys(racers) as Name[]
  const result: Race<Name> = { rounds: {}, refusals: {} }
  for (const name of [...order]) {
    signal?.throwIfAborted()
    try {
      const until = performance.now() + warmUp
      do await racers[name]!({ ...turn, first: 0 })
      while (performance.now() < until)
      result.rounds[name] = []
    } catch (error) {
      if (!(error instanceof ProgramRefusal)) throw error
      result.refusals[name] = error.message
      order.splice(order.indexOf(name), 1)
    }
  }
  const random = streamOf('benchTurns', 1)
  for (let round = 0; round < rounds; round++) {
    signal?.throwIfAborted()
    shuffle(order, random)
    const first = (round * turn.frames) % bodyFrames
    for (const name of order) result.rounds[name]!.push(median(await racers[name]!({ ...turn, first })))
  }
  return result
}

/** Of what runs in this process. */
export function racerOf(run: (frame: number, turn: Turn) => void): Racer {
  return (turn) => {
    const times: number[] = []
    for (let k = 0; k < turn.warm + turn.frames; k++) {
      const elapsed = stopwatch()
      run(turn.first + k, turn)
      const time = elapsed()
      if (k >= turn.warm) times.push(time)
    }
    return times
  }
}

/** How many times a rival's time is ours: above 1 ours is faster. */
export interface Ratio {
  /** Median over rounds. */
  ratio: number
  /** Where the median lies with 95% certainty, or all rounds if they are too few for that. */
  low: number
  high: number
}

/** @param ours, theirs  time in each round */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): Ratio {
  const ratios = theirs.map((time, round) => time / ours[round]).sort((a, b) => a - b)
  const outside = roundsOutside(ratios.length)
  return { ratio: median(ratios), low: ratios[outside], high: ratios[ratios.length - 1 - outside] }
}

/**
 * How many rounds at either end may be left out: the median lies further out than k of n rounds with the chance that
 * fewer than k of n coins fall on one side.
 */
function roundsOutside(rounds: number): number {
  let [outside, chance, below] = [0, 0.5 ** rounds, 0.5 ** rounds]
  for (;;) {
    chance *= (rounds - outside) / (outside + 1)
    below += chance
    if (!(below <= 0.025)) return outside
    outside++
  }
}
