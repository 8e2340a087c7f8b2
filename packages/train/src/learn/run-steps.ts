/**
 * The loop of every training: batches drawn from the seed by step, a learning rate that ends with the last step, a time
 * budget, checkpoints, Ctrl-C. A resumed run sees what an unbroken one would have seen.
 */
import type { OnProgress } from 'pliant/unstable'
import type { Feeds, TrainingState, TrainingStep } from '../graph/index.js'
import { LEAST } from '../plan/stages.js'

export interface RunStepsOptions {
  /** Where to go on from. */
  resume?: { steps: number; state: TrainingState }
  /** Fewer steps than planned are done if this many seconds would not suffice, though no fewer than the least. */
  budgetSeconds?: number
  signal?: AbortSignal
  onProgress?: OnProgress
  /** Called now and then, when aborted and at the end, to save the state. */
  onCheckpoint?: (steps: number, state: TrainingState) => Promise<void>
  /** Seconds between checkpoints. */
  checkpointSeconds?: number
}
export const RUN_STEPS_DEFAULTS = { checkpointSeconds: 20 } as const

export interface StepPlan {
  /** Steps of the whole run. */
  steps: number
  /** The batch of a step; must depend on nothing else. */
  draw(step: number): Feeds
  /** Learning rate of a step among so many. */
  rate(step: number, steps: number): number
}

export interface Learned {
  tensors: Map<string, Float32Array>
  steps: number
  /** Smoothed loss at the end. */
  loss: number
}

/** Steps after which a budget decides, again each time, how many there will be: machines are busy now and idle then. */
const TIMED_STEPS = 40
/** Steps between two words of progress, or fewer if they take longer [ms]. */
const REPORTED_STEPS = 20
const REPORTED_EVERY = 2000

/**
 * Frees the step at the end.
 * @throws the signal's reason when aborted, with the state handed to `onCheckpoint`
 */
export async function runSteps(step: TrainingStep, plan: StepPlan, options: RunStepsOptions): Promise<Learned> {
  const { resume, signal, onCheckpoint } = options
  try {
    if (resume) step.restore(resume.state)
    let steps = resume?.steps ?? plan.steps
    let done = resume?.state.step ?? 0
    const budget = resume ? undefined : options.budgetSeconds
    // Until a budget has settled the number of steps there is nothing to go on with.
    let settled = budget === undefined
    let loss = Number.NaN
    const checkpointEvery = 1000 * (options.checkpointSeconds ?? RUN_STEPS_DEFAULTS.checkpointSeconds)
    const began = performance.now()
    const first = done
    let saved = began
    let reported = began
    while (done < steps) {
      if (signal?.aborted) {
        if (settled) await onCheckpoint?.(steps, step.state())
        signal.throwIfAborted()
      }
      const result = await step.run(plan.draw(done), { learningRate: plan.rate(done, steps) })
      loss = Number.isNaN(loss) ? result.loss : 0.98 * loss + 0.02 * result.loss
      done++
      if (budget !== undefined && done % TIMED_STEPS === 0) {
        const spent = (performance.now() - began) / 1000
        const inTime = Math.max(LEAST.steps, Math.floor((budget * done) / spent))
        steps = Math.max(done, Math.min(plan.steps, inTime))
        settled = true
      }
      if (done % REPORTED_STEPS === 0 || done === steps || performance.now() - reported > REPORTED_EVERY) {
        reported = performance.now()
        const perSecond = (1000 * (done - first)) / (performance.now() - began)
        const percent = (100 * loss).toFixed(3)
        options.onProgress?.({
          fraction: done / steps,
          stage: 'learning',
          detail: `step ${done}/${steps}, loss ${percent}%, ${perSecond.toFixed(0)} steps/s`,
        })
        // The run of a step blocks the event loop; this lets Ctrl-C in.
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
      if (onCheckpoint && settled && performance.now() - saved > checkpointEvery && done < steps) {
        await onCheckpoint(steps, step.state())
        saved = performance.now()
      }
    }
    // What comes after may be stopped too, and learning must not have been in vain.
    if (settled && done > first) await onCheckpoint?.(steps, step.state())
    return { tensors: step.parameters(), steps, loss }
  } finally {
    await step.dispose()
  }
}
