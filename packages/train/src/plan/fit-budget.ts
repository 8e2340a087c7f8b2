/** Counts that a budget of time allows, from what each stage costs. */
import { COUNT_OF_STAGE, type Costs, type Counts, type Done, type Stage, secondsOf } from './stages.js'

export interface FittedCounts {
  counts: Counts
  /** What the wanted counts take, and the least that can be done [s]. */
  wanted: number
  least: number
}

const NAMES = ['poses', 'steps', 'judges'] as const
/**
 * Shares of what a budget leaves beyond the least. Few poses of many steps and many poses of few steps are both of little
 * use; judging must be there, and tells a little more with every drop.
 */
const SHARES = { poses: 0.5, steps: 0.4, judges: 0.1 } as const

/**
 * @param seconds  that are left for all the stages
 * @param least    counts without which there is no result
 * @param done     what is there already
 */
export function fitToBudget(
  stages: readonly Stage[],
  costs: Costs,
  wanted: Counts,
  least: Counts,
  seconds: number,
  done: Done = {},
): FittedCounts {
  const total = (counts: Counts): number =>
    stages.reduce((sum, stage) => sum + secondsOf(stage, costs, counts, done), 0)
  const [most, fewest] = [total(wanted), total(least)]
  const result = (counts: Counts): FittedCounts => ({ counts, wanted: most, least: fewest })
  if (most <= seconds) return result(wanted)
  if (fewest >= seconds) return result(least)
  // What each count adds to the least, in seconds; a straight line between the two ends.
  const extra = { poses: 0, steps: 0, judges: 0 }
  for (const stage of stages) {
    const name = COUNT_OF_STAGE[stage]
    if (name) extra[name] += secondsOf(stage, costs, wanted, done) - secondsOf(stage, costs, least, done)
  }
  const given = spread(extra, seconds - fewest)
  const counts = { ...least }
  for (const name of NAMES) {
    const share = extra[name] > 0 ? given[name] / extra[name] : 1
    counts[name] += Math.floor(share * (wanted[name] - least[name]))
  }
  return result(counts)
}

/** Gives each its share of the room, but no more than it can use; what is left goes to the others. */
function spread(wanted: Counts, room: number): Counts {
  const given = { poses: 0, steps: 0, judges: 0 }
  let open: (keyof Counts)[] = [...NAMES]
  let left = room
  while (open.length > 0) {
    const shares = open.reduce((sum, name) => sum + SHARES[name], 0)
    const full = open.filter((name) => wanted[name] <= (left * SHARES[name]) / shares)
    if (full.length === 0) {
      for (const name of open) given[name] = (left * SHARES[name]) / shares
      break
    }
    for (const name of full) {
      given[name] = wanted[name]
      left -= wanted[name]
    }
    open = open.filter((name) => !full.includes(name))
  }
  return given
}
