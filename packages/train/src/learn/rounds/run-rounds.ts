/**
 * Active learning: rounds that each acquire samples, chosen by what was learned before, and learn from all samples so far
 * (Cai et al. 2022 and Tan et al. 2021 in docs/papers.md). Data and weights of every round are kept on disk, and steps within one in a checkpoint:
 * a run that is killed anywhere resumes to the same bytes. For that, what `acquire` and `learn` do may depend on
 * nothing but what they are given.
 */
import { createHash } from 'node:crypto'
import type { Random } from 'pliant'
import type { OnProgress } from 'pliant/unstable'
import { type ResumableRun, readCheckpoint, saveCheckpoint, savingOrWarning } from '../../resume/checkpoint.js'
import { STREAMS, streamOf } from '../../streams/random-streams.js'
import type { RunStepsOptions } from '../run-steps.js'
import { type Columns, RoundData, type Widths } from './columns.js'
import { RoundLog } from './round-log.js'

export type Weights = ReadonlyMap<string, Float32Array>

/** What is known when a round begins, or ends. */
export interface RoundState<C extends Columns> {
  data: RoundData<C>
  /** Learned in the round before; undefined in the first. */
  weights: Weights | undefined
}

/** One stream for each chunk of work: whatever is done side by side draws the same, in whatever order. */
export type RoundRandom = (index?: number) => Random

export interface Acquiring {
  signal?: AbortSignal
  onProgress: OnProgress
}

export interface LearningRound {
  /** Draws the batch of a step. */
  random: RoundRandom
  /** For `runSteps`: where to go on from, whom to tell, where to save. */
  steps: RunStepsOptions
}

/** Samples first, then learning from all of them; or both at once, where samples depend on what the round itself learns. */
export type RoundWork<C extends Columns> =
  | {
      /** New samples, any number of them. */
      acquire(round: number, state: RoundState<C>, random: RoundRandom, acquiring: Acquiring): C | Promise<C>
      /** @param start  weights of the round before, to start from; undefined in the first */
      learn(round: number, data: RoundData<C>, start: Weights | undefined, learning: LearningRound): Promise<Weights>
    }
  | {
      /** A round that is stopped is done again from its beginning: rounds should be short. */
      advance(round: number, state: RoundState<C>, random: RoundRandom, acquiring: Acquiring): Promise<Advanced<C>>
    }

export interface Advanced<C extends Columns> {
  added: C
  weights: Weights
}

export interface Effort {
  acquire: number
  learn: number
}

export type RoundsOptions<C extends Columns> = RoundsSettings<C> & RoundWork<C>

export interface RoundsSettings<C extends Columns> extends ResumableRun {
  /** Most rounds. */
  rounds: number
  seed: number
  /** A hash of all that samples and weights depend on but the seed; rounds of another one are not resumed. */
  specHash: string
  /** Values of each sample in each column. */
  widths: Widths<keyof C & string>
  /** Asked after every round whether what is learned will do: an accuracy that no longer rises, a time that is up. */
  isEnough?: (round: number, state: RoundState<C> & { weights: Weights }) => boolean | Promise<boolean>
  /** Stops; a round that learns by `runSteps` is saved where it is. */
  signal?: AbortSignal
  /** Told which part of the rounds is done; the stage is the round. */
  onProgress?: OnProgress
  /** About how long both parts of a round take beside those of others, in any unit; by default all take the same. */
  effort?: (round: number) => Effort
  /** Seconds between checkpoints within a round. */
  checkpointSeconds?: number
}

export interface LearnedRounds<C extends Columns> {
  data: RoundData<C>
  weights: Weights
  /** Rounds that were done. */
  rounds: number
}

/** Each round's own share of a use of random streams. */
const STREAMS_PER_ROUND = 1_000_000
const MOST_ROUNDS = STREAMS.roundSamples[1] / STREAMS_PER_ROUND

/**
 * @throws RangeError if an option or a column does not fit; BadInput if the rounds to resume are of other inputs; the
 *         signal's reason if it is aborted
 */
export async function runRounds<C extends Columns>(options: RoundsOptions<C>): Promise<LearnedRounds<C>> {
  const { rounds, signal } = options
  if (!(Number.isInteger(rounds) && rounds > 0 && rounds <= MOST_ROUNDS)) {
    throw new RangeError(`rounds: ${rounds} of them; give a whole number from 1 to ${MOST_ROUNDS}.`)
  }
  let data = RoundData.empty<C>(options.widths)
  let weights: Weights | undefined
  const log = RoundLog.open(options, keyOf(options))
  try {
    for (let round = 0; round < rounds; round++) {
      signal?.throwIfAborted()
      ;({ data, weights } = await doRound(round, { data, weights }, log, options))
      roundProgress(round, 'both', options)({ fraction: 1, stage: 'done' })
      // Of rounds that others follow it was asked before.
      if (!log.hasMore && (await options.isEnough?.(round, { data, weights }))) break
    }
  } finally {
    log.close()
  }
  return { data, weights: weights!, rounds: data.rounds }
}

async function doRound<C extends Columns>(
  round: number,
  { data: before, weights: start }: RoundState<C>,
  log: RoundLog,
  options: RoundsOptions<C>,
): Promise<RoundState<C> & { weights: Weights }> {
  if ('advance' in options) {
    const both = await log.next(async () =>
      joined(await advanceRound(round, { data: before, weights: start }, options)),
    )
    const { added, weights } = parted<C>(both)
    return { data: before.with(added), weights }
  }
  const work = options
  const data = before.with(await log.next(() => acquireRound(round, { data: before, weights: start }, work)))
  options.signal?.throwIfAborted()
  const learned = await log.next(async () =>
    Object.fromEntries(await learnRound(round, { data, weights: start }, log.position, work)),
  )
  return { data, weights: new Map(Object.entries(learned)) }
}

type Acquired<C extends Columns> = RoundsSettings<C> & Extract<RoundWork<C>, { acquire: unknown }>
type Advancing<C extends Columns> = RoundsSettings<C> & Extract<RoundWork<C>, { advance: unknown }>

async function advanceRound<C extends Columns>(
  round: number,
  state: RoundState<C>,
  options: Advancing<C>,
): Promise<Advanced<C>> {
  const { seed, signal } = options
  const onProgress = roundProgress(round, 'both', options)
  const done = await options.advance(round, state, randomOf('roundSamples', seed, round), { signal, onProgress })
  state.data.with(done.added)
  return done
}

/** Samples and weights as one block of the log: a round has both or neither. */
const WEIGHTS = 'weights.'

function joined<C extends Columns>({ added, weights }: Advanced<C>): Columns {
  return { ...added, ...Object.fromEntries([...weights].map(([name, values]) => [WEIGHTS + name, values])) }
}

function parted<C extends Columns>(both: Columns): Advanced<C> {
  const isWeight = ([name]: [string, unknown]): boolean => name.startsWith(WEIGHTS)
  const entries = Object.entries(both)
  return {
    added: Object.fromEntries(entries.filter((entry) => !isWeight(entry))) as C,
    weights: new Map(
      entries.filter(isWeight).map(([name, values]) => [name.slice(WEIGHTS.length), values as Float32Array]),
    ),
  }
}

async function acquireRound<C extends Columns>(round: number, state: RoundState<C>, options: Acquired<C>): Promise<C> {
  const { seed, signal } = options
  const onProgress = roundProgress(round, 'acquire', options)
  onProgress({ fraction: 0, stage: 'acquire samples' })
  const random = randomOf('roundSamples', seed, round)
  const added = await options.acquire(round, state, random, { signal, onProgress })
  // Says now what is wrong with it: nothing that does not fit must be kept.
  state.data.with(added)
  return added
}

async function learnRound<C extends Columns>(
  round: number,
  { data, weights }: RoundState<C>,
  position: string,
  options: Acquired<C>,
): Promise<Weights> {
  const { seed, signal, checkpointPath, checkpointSeconds, onWarning } = options
  const onProgress = roundProgress(round, 'learn', options)
  onProgress({ fraction: 0, stage: `learn from ${data.rows} samples` })
  const steps: RunStepsOptions = { signal, checkpointSeconds, onProgress }
  if (checkpointPath !== undefined) {
    const found = options.resume ? await readCheckpoint(checkpointPath) : undefined
    // One of a round before is of no more use: what that one has learned is in the log.
    if (found?.specHash === position) steps.resume = found
    const save = savingOrWarning(checkpointPath, onWarning)
    steps.onCheckpoint = async (count, state) =>
      save(() => saveCheckpoint(checkpointPath, { specHash: position, seed, steps: count, state }))
  }
  return options.learn(round, data, weights, { random: randomOf('roundBatches', seed, round), steps })
}

/** @param part  of the round that tells */
function roundProgress<C extends Columns>(
  round: number,
  part: keyof Effort | 'both',
  { rounds, onProgress, effort = () => ({ acquire: 1, learn: 1 }) }: RoundsSettings<C>,
): OnProgress {
  const before = (count: number): number => {
    let sum = 0
    for (let i = 0; i < count; i++) sum += effort(i).acquire + effort(i).learn
    return sum
  }
  const from = before(round) + (part === 'learn' ? effort(round).acquire : 0)
  const to = part === 'acquire' ? from + effort(round).acquire : before(round + 1)
  const all = before(rounds)
  return ({ fraction, stage, detail = stage }) =>
    onProgress?.({
      fraction: (from + (to - from) * fraction) / all,
      stage: `round ${round + 1}/${rounds}`,
      detail,
    })
}

function randomOf(use: 'roundSamples' | 'roundBatches', seed: number, round: number): RoundRandom {
  return (index = 0) => {
    if (!(Number.isInteger(index) && index >= 0 && index < STREAMS_PER_ROUND)) {
      throw new RangeError(`rounds: ${STREAMS_PER_ROUND} streams in a round, number ${index} is none; ask for fewer.`)
    }
    return streamOf(use, seed, round * STREAMS_PER_ROUND + index)
  }
}

/** More rounds of the same are the same rounds, so their number is left out. */
function keyOf<C extends Columns>({ specHash, seed, widths }: RoundsSettings<C>): string {
  return createHash('sha256').update(JSON.stringify({ specHash, seed, widths })).digest('hex')
}
