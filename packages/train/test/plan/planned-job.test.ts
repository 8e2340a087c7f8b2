import { describe, expect, it } from 'vitest'
import { BadInput } from '../../src/input/bad-input.js'
import {
  type JobEstimate,
  type JobOptions,
  type JobProgress,
  type JobRun,
  PlannedJob,
} from '../../src/plan/planned-job.js'
import { type Counts, LEAST, SIMULATED_STAGES, type Stage } from '../../src/plan/stages.js'

const WANTED: Counts = { poses: 1500, steps: 6000, judges: 50 }
/** Seconds to get ready and for each unit; one that is no round number in binary would make sums inexact. */
const COSTS: Record<string, [fixed: number, each: number]> = {
  poses: [0, 0.5],
  label: [2, 0.125],
  learn: [4, 0.0625],
  judges: [0, 1],
  evaluate: [1, 0.25],
}

/** A job on a clock that only work moves. @param pace how much slower it is once it is no rehearsal */
function staged(options: JobOptions = {}, pace = 1, wanted = WANTED, drops = { poses: 16, judges: 6 }) {
  const clock = { now: 5000 }
  const told: (JobProgress & { time: number })[] = []
  const estimates: JobEstimate[] = []
  const runs: { counts: Counts; isRehearsal: boolean; made: Record<string, number> }[] = []
  const kept = { poses: 0, judges: 0 }
  const job = new PlannedJob(SIMULATED_STAGES, wanted, {
    now: () => clock.now,
    onProgress: (progress) => told.push({ ...progress, time: clock.now }),
    onEstimate: (estimate) => estimates.push(estimate),
    ...options,
  })
  const work = async (run: JobRun): Promise<Counts> => {
    const made: Record<string, number> = {}
    runs.push({ counts: run.counts, isRehearsal: run.isRehearsal, made })
    const wait = (seconds: number): void => {
      clock.now += 1000 * seconds * (run.isRehearsal ? 1 : pace)
    }
    /** @param there units that cost nothing any more; no more than `most` are to be had */
    const stage = (name: Stage, count: number, least: number, there = 0, most = count): void => {
      const [fixed, each] = COSTS[name]
      wait(fixed)
      // Learning is silent until some steps are done.
      const every = name === 'learn' ? 20 : 1
      if (every === 1) run.report(name, 0, '')
      let done = 0
      while (done < most && !(done >= least && run.isOver(name))) {
        if (++done > there) wait(each)
        if (done % every === 0 || done === count) run.report(name, done / count, '')
      }
      made[name] = done
    }
    const { counts } = run
    const some = (count: number, most: number): number => (run.isRehearsal ? Math.min(count, most) : count)
    stage('poses', counts.poses, LEAST.poses, run.isRehearsal ? 0 : kept.poses, some(counts.poses, drops.poses))
    run.report('modes', 0, '')
    run.report('modes', 1, '')
    stage('label', made['poses'], 32)
    const seconds = run.secondsFor('learn')
    const steps = seconds === undefined ? counts.steps : Math.floor(seconds / (COSTS['learn'][1] * pace))
    stage('learn', Math.max(1, Math.min(wanted.steps, steps)), Infinity)
    stage('judges', counts.judges, LEAST.judges, run.isRehearsal ? 0 : kept.judges, some(counts.judges, drops.judges))
    stage('evaluate', made['judges'], Infinity)
    if (run.isRehearsal) Object.assign(kept, { poses: made['poses'], judges: made['judges'] })
    return counts
  }
  const began = clock.now
  return {
    told,
    estimates,
    runs,
    took: () => (clock.now - began) / 1000,
    run: (own = work) => job.run(own, {}, ['poses', 'judges']),
  }
}

describe('a planned job', () => {
  it('tells its time before it starts, stage by stage, and takes as long', async () => {
    const { run, estimates, took, runs } = staged()
    expect(await run()).toEqual(WANTED)
    expect(runs.map(({ isRehearsal }) => isRehearsal)).toEqual([true, false])
    expect(estimates).toHaveLength(1)
    const { seconds, stages, budget } = estimates[0]
    expect(budget).toBeUndefined()
    expect(seconds).toBeCloseTo(took(), 6)
    const of = (name: string): number => stages.find(({ stage }) => stage === name)!.seconds
    // Drops of the rehearsal are not made again.
    expect(of('poses')).toBeCloseTo((1500 - 16) * 0.5, 6)
    expect(of('label')).toBeCloseTo(2 + 1500 * 0.125, 6)
    expect(of('learn')).toBeCloseTo(4 + 6000 * 0.0625, 6)
    expect(of('judges')).toBeCloseTo(44, 6)
    expect(stages.reduce((sum, each) => sum + each.seconds, 0)).toBeCloseTo(seconds, 6)
  })

  it('counts what a rehearsal has really made: drops may give fewer poses than were looked for', async () => {
    const { run, estimates, took } = staged({}, 1, WANTED, { poses: 12, judges: 2 })
    await run()
    const of = (name: string): number => estimates[0].stages.find(({ stage }) => stage === name)!.seconds
    expect(of('poses')).toBeCloseTo((1500 - 12) * 0.5, 6)
    expect(of('judges')).toBeCloseTo(48, 6)
    // What was labelled and judged were those, and no more.
    expect(estimates[0].seconds).toBeCloseTo(took(), 6)
  })

  it('says at every word of progress how long the whole job still takes, not the stage', async () => {
    const { run, told, took } = staged()
    await run()
    expect(told.filter(({ stage }) => stage === 'estimate').every(({ secondsLeft }) => secondsLeft === null)).toBe(true)
    const known = told.filter(({ secondsLeft }) => typeof secondsLeft === 'number')
    expect(new Set(known.map(({ stage }) => stage))).toEqual(new Set(SIMULATED_STAGES))
    for (const { stage, ofStage, secondsLeft, time } of known) {
      const left = took() - (time - 5000) / 1000
      // Getting ready for a stage is seen only when it has begun; drops that were there hide the pace of the first others.
      if (!['poses', 'judges'].includes(stage) && ofStage > 0.5) expect(Math.abs(secondsLeft! - left)).toBeLessThan(1)
      else expect(Math.abs(secondsLeft! - left)).toBeLessThan(0.3 * left + 30)
    }
    const fractions = told.map(({ fraction }) => fraction)
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b))
    expect(fractions.at(-1)).toBe(1)
  })

  it.each([3, 5, 10])(
    'keeps to a budget of %d minutes by fewer of everything, learning no less than a third',
    async (minutes) => {
      const { run, took, estimates, runs } = staged({ budgetMinutes: minutes })
      await run()
      expect(took()).toBeLessThanOrEqual(60 * minutes + 2)
      expect(took()).toBeGreaterThan(0.9 * 60 * minutes)
      const { counts, budget } = estimates[0]
      expect(budget).toMatchObject({ given: 60 * minutes, wantedCounts: WANTED })
      expect(budget!.wanted).toBeGreaterThan(60 * minutes)
      for (const name of ['poses', 'steps', 'judges'] as const) expect(counts[name]).toBeLessThanOrEqual(WANTED[name])
      expect(counts.poses).toBeLessThan(WANTED.poses)
      expect(counts.steps).toBeLessThan(WANTED.steps)
      const spent = estimates[0].stages[0].seconds
      expect(runs[1].made['learn'] * 0.0625).toBeGreaterThan((60 * minutes - spent) / 3)
      expect(runs[1].made['poses']).toBe(counts.poses)
    },
  )

  it('keeps to it on a machine that gets slower, too: dropping and labelling end in time to learn', async () => {
    const { run, took, runs } = staged({ budgetMinutes: 6 }, 2)
    await run()
    expect(took()).toBeLessThan(1.15 * 360)
    const { made, counts } = runs[1]
    expect(made['poses']).toBeLessThan(counts.poses)
    expect(made['learn']).toBeGreaterThan(400)
  })

  it('does the least, and says what that takes, if a budget cannot be kept', async () => {
    const warned: string[] = []
    const { run, took, estimates } = staged({ budgetMinutes: 0.5, onWarning: (line) => warned.push(line) })
    expect(await run()).toEqual(LEAST)
    const { least, given } = estimates[0].budget!
    expect(given).toBe(30)
    // Long before the estimate is there.
    expect(warned).toEqual([
      'the budget of 0.5 min will hardly be kept: 0.31 min of it went into a first few poses and steps',
    ])
    expect(least).toBeGreaterThan(30)
    // Learning, told to end at once, took its one step instead of 150.
    expect(took()).toBeLessThanOrEqual(least)
    expect(took()).toBeGreaterThan(least - 10)
  })

  it('is not cut if the budget suffices', async () => {
    const { run, estimates } = staged({ budgetMinutes: 60 })
    expect(await run()).toEqual(WANTED)
    expect(estimates[0].budget!.wanted).toBeLessThan(3600)
  })

  it('is not rehearsed if it is little more than its rehearsal', async () => {
    const { run, runs, estimates } = staged({}, 1, { poses: 100, steps: 300, judges: 60 })
    await run()
    expect(runs.map(({ isRehearsal }) => isRehearsal)).toEqual([false])
    expect(estimates).toEqual([])
  })

  it('divides a budget by guesses if the rehearsal fails, but ends with what nothing can mend', async () => {
    const controller = new AbortController()
    const start = () => staged({ budgetMinutes: 5, signal: controller.signal })
    const failing =
      (error: Error) =>
      async (job: JobRun): Promise<Counts> => {
        if (job.isRehearsal) throw error
        // A third of the time at most is for poses, and some is kept for what comes last.
        expect(job.secondsFor('poses')).toBeGreaterThan(60)
        expect(job.secondsFor('poses')).toBeLessThan(100)
        expect(job.secondsFor('learn')).toBeLessThan(280)
        return job.counts
      }
    expect(await start().run(failing(new Error('no shape')))).toEqual(WANTED)
    await expect(start().run(failing(new BadInput('no body')))).rejects.toThrow('no body')
    controller.abort(new Error('enough'))
    await expect(start().run(failing(new Error('enough')))).rejects.toThrow('enough')
  })
})
