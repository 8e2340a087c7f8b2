/**
 * What a budget has time for when self-contact is learned: labels and steps take turns in rounds, so a few rounds of little
 * are done first with a stopwatch, which says what a label, a step and a code to evaluate on cost on this machine. What
 * is settled then is kept beside the checkpoint: a run that is resumed goes on with it, whatever the time.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Random } from 'pliant'
import { referenceDistances } from '../evaluate/reference-distances.js'
import { BadInput } from '../input/bad-input.js'
import type { ContactLabels } from '../label/contact-labels.js'
import type { ContactPool } from '../label/contact-pool.js'
import type { ContactOptions } from '../learn/self-contact/contact-options.js'
import { GapSight } from '../learn/self-contact/gap-sight.js'
import { learnContact } from '../learn/self-contact/learn-contact.js'
import type { ContactRun } from '../learn/self-contact/learned-contact.js'
import { fitToBudget } from '../plan/fit-budget.js'
import type { JobEstimate } from '../plan/planned-job.js'
import { type Costs, type Counts, LEAST, type Stage, secondsOf } from '../plan/stages.js'
import { type ResumableRun, savingOrWarning } from '../resume/checkpoint.js'
import { streamOf } from '../streams/random-streams.js'
import type { ContactBody } from '../subjects/contact-body.js'

/** How much is done: labels, steps, codes to evaluate on, and how many of these have their distance looked up. */
export interface ContactCounts extends Counts {
  distances: number
}

/** Rounds before the one of distances, labels of each gap and at least, steps and distances of the rehearsal. */
const REHEARSED = { rounds: 3, labelsOfGap: 64, labels: 4000, steps: 80, distances: 2000 } as const
/** Codes whose distance is looked up in it, and points of the boundary that they start from. */
const LOOKED_UP = { codes: 16, points: 64 } as const
/** Points of the boundary that an evaluation finds for each distance it looks up (evaluate/self-contact.ts). */
const POINTS_PER_DISTANCE = 12

/** Without which a result would be none, whatever the budget. */
const LEAST_COUNTS: Counts = { poses: 4000, steps: LEAST.steps, judges: 1000 }
/** Of the time that is left: later rounds look harder for the boundary than those of a rehearsal. */
const KEPT_TO = 0.9

export interface ContactBudget extends Pick<ResumableRun, 'checkpointPath' | 'resume' | 'onWarning'> {
  specHash: string
  seed: number
  threads: number
  signal?: AbortSignal
  /** Told what is being measured. */
  onProgress?: ContactRun['onProgress']
  /** That are left for all of it, and that were given; undefined: all it takes. */
  seconds?: number
  given?: number
  onEstimate?: (estimate: JobEstimate) => void
}

/** Where the counts of a run with a budget are kept whose checkpoint is there. */
export function contactCountsPath(checkpointPath: string): string {
  return `${checkpointPath}-counts`
}

/**
 * @param wanted  without a budget
 * @returns what to do: as settled by the run that is resumed, by a budget, or all of it
 * @throws BadInput if counts to go on with are of another run, or a budget has nothing to measure by
 */
export async function settleContact(
  body: ContactBody,
  pool: ContactPool,
  options: ContactOptions,
  wanted: ContactCounts,
  budget: ContactBudget,
): Promise<ContactCounts> {
  const { checkpointPath, resume, seconds, onWarning } = budget
  const path = checkpointPath === undefined ? undefined : contactCountsPath(checkpointPath)
  if (path !== undefined && existsSync(path)) {
    if (resume) return readCounts(path, budget)
    rmSync(path)
  }
  if (seconds === undefined || wanted.poses <= 2 * rehearsedLabels(options)) return wanted
  const counts = await countsInTime(body, pool, options, wanted, seconds, budget)
  if (path !== undefined) {
    const { specHash, seed } = budget
    savingOrWarning(path, onWarning)(() => writeFileSync(path, JSON.stringify({ specHash, seed, counts })))
  }
  return counts
}

function readCounts(path: string, { specHash, seed }: ContactBudget): ContactCounts {
  const kept = JSON.parse(readFileSync(path, 'utf8')) as { specHash: string; seed: number; counts: ContactCounts }
  if (kept.specHash === specHash && kept.seed === seed) return kept.counts
  throw new BadInput(
    `resume: ${path} is of other inputs or of another seed; pass those of that run, or train without --resume to start over.`,
  )
}

async function countsInTime(
  body: ContactBody,
  pool: ContactPool,
  options: ContactOptions,
  wanted: ContactCounts,
  seconds: number,
  budget: ContactBudget,
): Promise<ContactCounts> {
  const began = performance.now()
  const costs = await rehearse(body, pool, options, wanted, budget)
  const taken = (performance.now() - began) / 1000
  const least = { ...LEAST_COUNTS }
  for (const name of ['poses', 'steps', 'judges'] as const) least[name] = Math.min(least[name], wanted[name])
  const stages: readonly Stage[] = ['label', 'learn', 'evaluate']
  const fitted = fitToBudget(stages, costs, wanted, least, KEPT_TO * (seconds - taken))
  const { poses, steps, judges } = fitted.counts
  const given = budget.given ?? seconds
  const before = given - seconds + taken
  const parts = stages.map((stage) => ({ stage, seconds: secondsOf(stage, costs, fitted.counts) }))
  budget.onEstimate?.({
    seconds: before + parts.reduce((sum, part) => sum + part.seconds, 0),
    stages: [{ stage: 'before', seconds: before }, ...parts],
    counts: { poses, steps, judges },
    budget: {
      given,
      wanted: before + fitted.wanted / KEPT_TO,
      least: before + fitted.least / KEPT_TO,
      wantedCounts: { poses: wanted.poses, steps: wanted.steps, judges: wanted.judges },
    },
  })
  return { poses, steps, judges, distances: Math.ceil((wanted.distances * judges) / wanted.judges) }
}

function rehearsedLabels({ gaps }: ContactOptions): number {
  return Math.max(REHEARSED.labels, REHEARSED.labelsOfGap * gaps)
}

/** @returns what a label, a step and a code to evaluate on take, and what comes once */
async function rehearse(
  { model }: ContactBody,
  pool: ContactPool,
  options: ContactOptions,
  wanted: ContactCounts,
  { seed, threads, signal, onProgress }: ContactBudget,
): Promise<Costs> {
  const codes = pool.draw(LOOKED_UP.codes, streamOf('referenceCodes', seed))
  const readySeconds = await timed(() => pool.signs(codes))
  const labels = new TimedLabels(pool)
  const few = { ...options, ...REHEARSED, labels: rehearsedLabels(options) }
  const began = performance.now()
  const { spent } = await learnContact(labels, new GapSight(pool.codeSize, model, few), few, {
    seed,
    specHash: 'rehearsal',
    threads,
    signal,
    onProgress: (progress) => onProgress?.({ ...progress, fraction: 0, stage: 'estimate' }),
  }).catch((error) => {
    if (!(error instanceof BadInput)) throw error
    throw new BadInput(
      `self-contact: a budget is measured by a few codes, and ${error.message.replace(/^[^:]*: /, '')}`,
    )
  })
  const all = (performance.now() - began) / 1000
  const overhead = Math.max(0, all - labels.seconds - spent.steps - spent.distances) / (few.rounds + 1)
  const looked = await timed(() => referenceDistances(pool, codes, { seed, points: LOOKED_UP.points }))
  const point = labels.each('between')
  const distance = Math.max(0, looked - LOOKED_UP.points * (point + labels.each('signs'))) / LOOKED_UP.codes
  const judged = labels.each('signs') + (wanted.distances / wanted.judges) * (POINTS_PER_DISTANCE * point + distance)
  const slide = spent.distances / few.distances
  return new Map([
    ['label', { fixed: 0, each: labels.seconds / few.labels + (slide * options.distances) / options.labels }],
    ['learn', { fixed: overhead * (options.rounds + 1), each: spent.steps / few.steps }],
    ['evaluate', { fixed: readySeconds, each: judged }],
  ])
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

/** Labels with a stopwatch: how long each kind took, and for how many codes. */
class TimedLabels implements ContactLabels {
  readonly codeSize: number
  readonly bounds: ContactLabels['bounds']
  readonly testsPerPoint: ContactLabels['testsPerPoint']
  readonly #spent = { signs: [0, 0], between: [0, 0], along: [0, 0] }

  constructor(private readonly labels: ContactLabels) {
    this.codeSize = labels.codeSize
    this.bounds = labels.bounds
    this.testsPerPoint = labels.testsPerPoint
  }

  /** Of all of them [s]. */
  get seconds(): number {
    return Object.values(this.#spent).reduce((sum, [seconds]) => sum + seconds, 0)
  }

  /** Of one code [s]. */
  each(kind: 'signs' | 'between' | 'along'): number {
    const [seconds, count] = this.#spent[kind]
    return count > 0 ? seconds / count : 0
  }

  draw(count: number, random: Random) {
    return this.labels.draw(count, random)
  }

  signs(codes: Float32Array) {
    return this.#time('signs', codes, () => this.labels.signs(codes))
  }

  between(free: Float32Array, touching: Float32Array) {
    return this.#time('between', free, () => this.labels.between(free, touching))
  }

  along(codes: Float32Array, directions: Float32Array) {
    return this.#time('along', codes, () => this.labels.along(codes, directions))
  }

  async #time<T>(kind: 'signs' | 'between' | 'along', codes: Float32Array, work: () => Promise<T>): Promise<T> {
    const began = performance.now()
    const result = await work()
    this.#spent[kind][0] += (performance.now() - began) / 1000
    this.#spent[kind][1] += codes.length / this.codeSize
    return result
  }
}
