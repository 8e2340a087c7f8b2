/**
 * A job of several stages that knows before it starts how long it will take: it is rehearsed with a few poses and steps,
 * which says what each stage costs on this machine, and cut down if a budget asks for it. What a rehearsal does is known
 * to nobody but the clock, so that results do not depend on it.
 */
import type { Progress } from 'pliant'
import { BadInput } from '../input/bad-input.js'
import { fitToBudget } from './fit-budget.js'
import { JobPlan } from './job-plan.js'
import { type Counts, type Done, LEAST, REHEARSED, type Stage, secondsOf } from './stages.js'
import { Stopwatch } from './stopwatch.js'

/** How far a long job has come. */
export interface JobProgress extends Progress {
  /** 'estimate': the rehearsal. */
  stage: Stage | 'estimate'
  /** Of the present stage, 0 to 1. */
  ofStage: number
  /** What is being done, for people. */
  detail: string
  /** Of the whole job [s]; null until it has been rehearsed, undefined if it is too short for that. */
  secondsLeft?: number | null
}

/** What a job is going to take, told before it starts. */
export interface JobEstimate {
  /** From its beginning to its end [s]. */
  seconds: number
  /** What comes first is what it has taken up to now. */
  stages: { stage: Stage | 'before'; seconds: number }[]
  /** Poses, steps and poses to evaluate on that it is going to do. */
  counts: Counts
  /** Where a budget was given: what was wanted, and what there is time for. */
  budget?: {
    /** [s] */
    given: number
    /** What all of it would take, and the least that can be done [s]. */
    wanted: number
    least: number
    wantedCounts: Counts
  }
}

/** A long job's budget, and who is told of it. */
export interface JobOptions {
  /** About so long it may take [minutes]; the result then depends on the machine's speed. */
  budgetMinutes?: number
  /** When the job began that has this budget, on the same clock [ms]; default: now. */
  began?: number
  /** Told once, before the long work. */
  onEstimate?: (estimate: JobEstimate) => void
  /** Told now and then how far it has come. */
  onProgress?: (progress: JobProgress) => void
  /** Told in one line what the estimate comes too late for. */
  onWarning?: (line: string) => void
  /** Stops the job; a checkpoint is saved first. */
  signal?: AbortSignal
  /** Whether a few poses and steps tell how long all of it takes; true if not given. */
  isRehearsed?: boolean
  /** Clock [ms]; replaced in tests. */
  now?: () => number
}

/** What the stages of a job are told and asked while it runs. */
export interface JobRun {
  readonly counts: Counts
  /** Nothing of it will be kept. */
  readonly isRehearsal: boolean
  /** @param ofStage part of the stage that is done, 0 to 1 */
  report(stage: Stage, ofStage: number, detail: string): void
  /** Whether a budget leaves a stage no more time. */
  isOver(stage: Stage): boolean
  /** Seconds that a budget leaves for a stage, at least one; undefined: all it takes. */
  secondsFor(stage: Stage): number | undefined
}

/** A job is rehearsed if it has this many times as many poses or steps. */
const WORTHWHILE = 8
/** Share of a budget after which a rehearsal says that it takes too much of it. */
const HASTY = 0.6

export class PlannedJob {
  readonly #now: () => number
  readonly #began: number
  readonly #end: number | undefined
  readonly #few: Counts
  /** The time left as long as there is no better: null if it will be known. */
  #unknown: null | undefined
  #warned = false
  #fraction = 0
  #plan: JobPlan

  constructor(
    private readonly stages: readonly Stage[],
    private readonly wanted: Counts,
    private readonly options: JobOptions,
  ) {
    const { budgetMinutes, now = () => performance.now() } = options
    this.#now = now
    this.#began = options.began ?? now()
    this.#end = budgetMinutes === undefined ? undefined : this.#began + 60_000 * budgetMinutes
    this.#plan = this.#planOf(wanted)
    this.#few = each((name) => Math.min(REHEARSED[name], wanted[name]))
    const isLong =
      options.isRehearsed !== false &&
      (['poses', 'steps'] as const).some((name) => wanted[name] >= WORTHWHILE * this.#few[name])
    this.#unknown = isLong ? null : undefined
  }

  report(stage: Stage, ofStage: number, detail: string): void {
    const { fraction, secondsLeft } = this.#plan.at(stage, ofStage)
    this.#tell({ fraction, stage, ofStage, detail, secondsLeft: secondsLeft ?? this.#unknown })
  }

  /**
   * @param work  the stages one after the other, for whatever counts; first of all with a few
   * @param done  what is there already
   * @param kept  stages of which a rehearsal's units are kept and need not be made again
   */
  async run<T>(work: (run: JobRun) => Promise<T>, done: Done = {}, kept: readonly Stage[] = []): Promise<T> {
    const counts = await this.#settle(work, done, kept)
    return work({
      counts,
      isRehearsal: false,
      report: (stage, ofStage, detail) => this.report(stage, ofStage, detail),
      isOver: (stage) => (this.#plan.secondsFor(stage) ?? 1) <= 0,
      secondsFor: (stage) => {
        const seconds = this.#plan.secondsFor(stage)
        return seconds === undefined ? undefined : Math.max(1, seconds)
      },
    })
  }

  /** Measures and plans. @returns the counts that there is time for */
  async #settle(work: (run: JobRun) => Promise<unknown>, done: Done, kept: readonly Stage[]): Promise<Counts> {
    const { stages, wanted, options } = this
    if (this.#unknown === undefined) return wanted
    const few = this.#few
    const watch = await this.#rehearse(work, few)
    this.#unknown = undefined
    if (!watch) return wanted
    const costs = watch.costs(few)
    const there = { ...done }
    for (const stage of kept) there[stage] = Math.max(there[stage] ?? 0, watch.done(stage, few))
    const spent = (this.#now() - this.#began) / 1000
    const room = this.#end === undefined ? Infinity : (this.#end - this.#now()) / 1000
    const least = each((name) => Math.min(LEAST[name], wanted[name]))
    const left = stages.filter((stage) => costs.has(stage))
    const fitted = fitToBudget(left, costs, wanted, least, room, there)
    this.#plan = this.#planOf(fitted.counts, costs, there)
    const parts = left.map((stage) => ({ stage, seconds: secondsOf(stage, costs, fitted.counts, there) }))
    options.onEstimate?.({
      seconds: spent + parts.reduce((sum, { seconds }) => sum + seconds, 0),
      stages: [{ stage: 'before', seconds: spent }, ...parts],
      counts: fitted.counts,
      ...(options.budgetMinutes === undefined
        ? {}
        : {
            budget: {
              given: 60 * options.budgetMinutes,
              wanted: spent + fitted.wanted,
              least: spent + fitted.least,
              wantedCounts: wanted,
            },
          }),
    })
    return fitted.counts
  }

  /** @returns what it took, or undefined if it failed: then the job itself will say why, or not fail at all */
  async #rehearse(work: (run: JobRun) => Promise<unknown>, counts: Counts): Promise<Stopwatch | undefined> {
    const watch = new Stopwatch(this.#now)
    let failed = false
    await work({
      counts,
      isRehearsal: true,
      report: (stage, ofStage, detail) => {
        watch.hear(stage, ofStage)
        this.#warnIfSlow()
        const told = (this.stages.indexOf(stage) + ofStage) / this.stages.length
        this.#tell({ fraction: this.#fraction, stage: 'estimate', ofStage: told, detail, secondsLeft: null })
      },
      isOver: () => false,
      secondsFor: () => undefined,
    }).catch((error) => {
      if (this.options.signal?.aborted || error instanceof BadInput) throw error
      failed = true
    })
    return failed ? undefined : watch
  }

  /** A body whose first drops take most of a budget: the estimate would come when it is over. */
  #warnIfSlow(): void {
    const { budgetMinutes = Infinity, onWarning } = this.options
    const minutes = (this.#now() - this.#began) / 60_000
    if (this.#warned || minutes < HASTY * budgetMinutes) return
    this.#warned = true
    const [spent, given] = [minutes, budgetMinutes].map((each) => `${Number(each.toPrecision(2))} min`)
    onWarning?.(`the budget of ${given} will hardly be kept: ${spent} of it went into a first few poses and steps`)
  }

  #planOf(counts: Counts, costs?: JobPlan['options']['costs'], done?: Done): JobPlan {
    return new JobPlan({
      stages: this.stages,
      counts,
      costs,
      done,
      now: this.#now,
      began: this.#began,
      end: this.#end,
    })
  }

  /** A plan that changes must not take back what was said. */
  #tell(progress: JobProgress): void {
    this.#fraction = Math.min(1, Math.max(this.#fraction, progress.fraction))
    this.options.onProgress?.({ ...progress, fraction: this.#fraction })
  }
}

function each(count: (name: keyof Counts) => number): Counts {
  return { poses: count('poses'), steps: count('steps'), judges: count('judges') }
}
