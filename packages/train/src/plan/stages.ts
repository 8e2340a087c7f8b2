/** What a training consists of, and the three numbers that say how much of it there is to do. */

/** How much is done: poses to train on, steps of learning, poses to judge by. */
export interface Counts {
  /** Poses to train on. */
  poses: number
  /** Steps of learning. */
  steps: number
  /** Poses to evaluate on. */
  judges: number
}

/** Enough to tell what each stage costs; two drops of an elastic body for either purpose. */
export const REHEARSED: Counts = { poses: 16, steps: 40, judges: 6 }
/** Without which a result would be none, whatever the budget. */
export const LEAST: Counts = { poses: 8, steps: 150, judges: 3 }

/** Stages of a training in their order; an object has those that it needs. */
export type Stage = 'surface' | 'poses' | 'modes' | 'label' | 'learn' | 'judges' | 'evaluate'

/** Of an object whose shapes are drawn from the range of its code. */
export const DRAWN_STAGES = ['label', 'learn', 'evaluate'] as const
/** Of an elastic body, whose shapes are simulated, those to train on and those to judge by. */
export const SIMULATED_STAGES = ['poses', 'modes', 'label', 'learn', 'judges', 'evaluate'] as const
/** Of a character, of whose meshes one closed surface is made first. */
export const CHARACTER_STAGES = ['surface', 'label', 'learn', 'evaluate'] as const
/** Of self-contact, whose labels and steps take turns. */
export const CONTACT_STAGES = ['learn', 'evaluate'] as const

/** What a stage goes through one by one; its time grows with the number of these. */
const UNITS: Record<Stage, (counts: Counts) => number> = {
  surface: () => 0,
  poses: ({ poses }) => poses,
  // Some of it grows with their square; but what a few poses take is all start, and its square would be hours.
  modes: ({ poses }) => poses,
  label: ({ poses }) => poses,
  learn: ({ steps }) => steps,
  judges: ({ judges }) => judges,
  evaluate: ({ judges }) => judges,
}

/** Which of the counts decides how long a stage takes; nothing of the first can be left out. */
export const COUNT_OF_STAGE: Record<Stage, keyof Counts | undefined> = {
  surface: undefined,
  poses: 'poses',
  modes: 'poses',
  label: 'poses',
  learn: 'steps',
  judges: 'judges',
  evaluate: 'judges',
}

/** What a stage takes [s]: to get ready, and for each of its units. */
export interface StageCost {
  fixed: number
  each: number
}

export type Costs = ReadonlyMap<Stage, StageCost>

/** Of what a stage goes through, what is there already and need not be made: drops of a rehearsal, steps of a checkpoint. */
export type Done = Partial<Record<Stage, number>>

export function unitsOf(stage: Stage, counts: Counts, done: Done = {}): number {
  return Math.max(0, UNITS[stage](counts) - (done[stage] ?? 0))
}

/** [s] */
export function secondsOf(stage: Stage, costs: Costs, counts: Counts, done: Done = {}): number {
  const { fixed, each } = costs.get(stage) ?? NOTHING
  return fixed + each * unitsOf(stage, counts, done)
}
const NOTHING: StageCost = { fixed: 0, each: 0 }
