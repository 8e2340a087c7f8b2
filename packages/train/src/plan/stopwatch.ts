/**
 * What each stage of a job costs, measured on a rehearsal of it: the same job with a few poses and steps. The time up to
 * a stage's first word of progress is what it takes to get ready (and the units done by then), the time from there on its
 * pace.
 */
import { type Costs, type Counts, type Stage, type StageCost, unitsOf } from './stages.js'

interface Heard {
  /** When the stage before ended [ms]. */
  from: number
  first: { time: number; done: number }
  last: { time: number; done: number }
}

export class Stopwatch {
  readonly #heard = new Map<Stage, Heard>()
  #latest: number

  /** @param now clock [ms] */
  constructor(private readonly now: () => number) {
    this.#latest = now()
  }

  /** @param ofStage part of the stage that is done, 0 to 1 */
  hear(stage: Stage, ofStage: number): void {
    const mark = { time: this.now(), done: ofStage }
    const known = this.#heard.get(stage)
    if (known) known.last = mark
    else this.#heard.set(stage, { from: this.#latest, first: mark, last: mark })
    this.#latest = mark.time
  }

  /** Units of a stage that were done in the end: a drop may give fewer poses than were looked for. */
  done(stage: Stage, counts: Counts): number {
    return Math.floor(unitsOf(stage, counts) * (this.#heard.get(stage)?.last.done ?? 0) + 1e-9)
  }

  /** @param counts those of the rehearsal */
  costs(counts: Counts): Costs {
    // What is labelled and judged is what was made before.
    const made = (stage: 'poses' | 'judges'): number =>
      this.#heard.has(stage) ? Math.max(1, this.done(stage, counts)) : counts[stage]
    const actual = { ...counts, poses: made('poses'), judges: made('judges') }
    return new Map(
      [...this.#heard].map(([stage, heard]) => {
        const isMaking = stage === 'poses' || stage === 'judges'
        return [stage, costOf(heard, unitsOf(stage, isMaking ? counts : actual))]
      }),
    )
  }
}

function costOf({ from, first, last }: Heard, units: number): StageCost {
  const ready = (first.time - from) / 1000
  const paced = units * (last.done - first.done)
  // One word only: all that is known is the sum.
  if (!(paced > 0)) return { fixed: units > 0 ? 0 : ready, each: units > 0 ? ready / units : 0 }
  const each = (last.time - first.time) / 1000 / paced
  return { fixed: Math.max(0, ready - each * units * first.done), each }
}
