/**
 * How long each stage of a job is going to take, and what follows: how far it is, when it will end, and when a stage has
 * to end so that a budget is kept. Whatever a stage takes too long is taken from what could still be cut: each may go on
 * until the time that later ones need begins.
 */
import { type Costs, type Counts, type Done, type Stage, secondsOf } from './stages.js'

/** Shares of the time where nothing has been measured: good enough for a bar, and to divide a budget by. */
const GUESSED: Record<Stage, number> = {
  surface: 0.05,
  poses: 0.28,
  modes: 0.02,
  label: 0.15,
  learn: 0.45,
  judges: 0.07,
  evaluate: 0.03,
}

/** Of a stage, the part after which its own pace tells more than what was measured before. */
const PACED = 0.02

export interface Outlook {
  /** Of the whole job, 0 to 1. */
  fraction: number
  /** Of the whole job [s]; undefined where nothing has been measured. */
  secondsLeft: number | undefined
}

export interface JobPlanOptions {
  stages: readonly Stage[]
  counts: Counts
  /** undefined: nothing was measured. */
  costs?: Costs
  done?: Done
  /** Clock [ms], when the job began, and when its budget ends. */
  now: () => number
  began: number
  end?: number
}

export class JobPlan {
  /** What each stage takes: seconds, or shares of the whole if nothing has been measured. */
  readonly #lengths: Map<Stage, number>
  /** When the plan was made. */
  readonly #from: number
  #present: { stage: Stage; time: number; done: number } | undefined

  constructor(private readonly options: JobPlanOptions) {
    const { stages, counts, costs, done, now } = options
    this.#from = now()
    this.#lengths = new Map(
      stages.map((stage) => [stage, costs ? secondsOf(stage, costs, counts, done) : GUESSED[stage]]),
    )
  }

  /** What is known of the whole job when a stage is so far. */
  at(stage: Stage, ofStage: number): Outlook {
    const { now, began, costs, stages } = this.options
    const time = now()
    if (this.#present?.stage !== stage) this.#present = { stage, time, done: ofStage }
    const length = this.#lengths.get(stage) ?? 0
    const later = this.#later(stage)
    // Measured lengths are of what comes after the plan was made; time before it counts as done.
    const spent = costs ? (this.#from - began) / 1000 : 0
    const whole = spent + this.#sum(stages)
    const before = this.#sum(stages.slice(0, stages.indexOf(stage)))
    const fraction = whole > 0 ? (spent + before + length * ofStage) / whole : 1
    return { fraction, secondsLeft: costs && this.#left(length, time, ofStage) + later }
  }

  /** Seconds until a stage has to end; undefined if there is no budget. */
  secondsFor(stage: Stage): number | undefined {
    const { end, began, now, costs, stages } = this.options
    if (end === undefined) return undefined
    const later = this.#later(stage)
    const kept = costs ? later : (later / this.#sum(stages)) * ((end - began) / 1000)
    return (end - now()) / 1000 - kept
  }

  #later(stage: Stage): number {
    const { stages } = this.options
    return this.#sum(stages.slice(stages.indexOf(stage) + 1))
  }

  #sum(stages: readonly Stage[]): number {
    return stages.reduce((sum, stage) => sum + this.#lengths.get(stage)!, 0)
  }

  /** Of the present stage [s]: by its own pace once there is one. */
  #left(length: number, time: number, ofStage: number): number {
    const { done, time: began } = this.#present!
    const since = ofStage - done
    if (since >= PACED) return ((time - began) / 1000 / since) * (1 - ofStage)
    return done < 1 ? (length * (1 - ofStage)) / (1 - done) : 0
  }
}
