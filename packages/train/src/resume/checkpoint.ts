/**
 * A training run saved in the middle: parameters and moments of Adam at a step. Batches are drawn from the seed by
 * step, so nothing else is needed to go on to the same bytes.
 */
import { open, rename, rm } from 'node:fs/promises'
import { decodeSafetensors, encodeSafetensors, type StoredTensor } from 'pliant/unstable'
import type { TrainingState } from '../graph/index.js'
import { BadInput } from '../input/bad-input.js'
import { InputFileError, readInputFile } from '../input/input-file.js'

/** A run that can be interrupted and gone on with. */
export interface ResumableRun {
  /** Where it is saved now and then, and when it is aborted. Remove it once the result is safe. */
  checkpointPath?: string
  /** Go on from the checkpoint, if there is one. */
  resume?: boolean
  /** Told once, in one line, if it cannot be saved; the run goes on. */
  onWarning?: (line: string) => void
}

/** Runs what saves a run; undefined if it fails, or did so before. */
export type Saving = <T>(write: () => T) => T | undefined

/**
 * Saves what a run could be resumed from, as long as that works: a full disk must not end hours of learning.
 * @param path  what is written, for the warning
 */
export function savingOrWarning(path: string, onWarning: ResumableRun['onWarning']): Saving {
  let warned = false
  const warn = (error: unknown): undefined => {
    if (!warned) onWarning?.(`cannot write ${path} (${(error as Error).message}); the run goes on without.`)
    warned = true
  }
  return (write) => {
    try {
      const done = write()
      return done instanceof Promise ? (done.catch(warn) as typeof done) : done
    } catch (error) {
      return warn(error)
    }
  }
}

/** Steps that a run to go on with has taken; 0 if there is none that can be read. */
export async function stepsTaken({ checkpointPath, resume }: ResumableRun): Promise<number> {
  if (checkpointPath === undefined || !resume) return 0
  try {
    return decodeCheckpoint(checkpointPath, await readInputFile(checkpointPath)).run.step
  } catch {
    return 0
  }
}

/**
 * The two ends of a run's checkpoint, for `runSteps`.
 * @param specHash  identifies all that the run learns from but the seed
 * @throws BadInput if the checkpoint to go on from belongs to another run
 */
export async function checkpointsOf(
  { checkpointPath, resume, onWarning }: ResumableRun,
  specHash: string,
  seed: number,
): Promise<Checkpoints> {
  if (checkpointPath === undefined) return {}
  const save = savingOrWarning(checkpointPath, onWarning)
  return {
    resume: resume ? await loadCheckpoint(checkpointPath, specHash, seed) : undefined,
    onCheckpoint: async (steps, state, poses) =>
      save(() => saveCheckpoint(checkpointPath, { specHash, seed, steps, state, poses })),
  }
}

export interface Checkpoints {
  resume?: Checkpoint
  onCheckpoint?: (steps: number, state: TrainingState, poses: Checkpoint['poses']) => Promise<void>
}

export interface Checkpoint {
  specHash: string
  seed: number
  /** Steps of the whole run, fixed when it began (a time budget may have set it). */
  steps: number
  state: TrainingState
  /** Made and labelled: fewer than asked for if a time budget ran out. */
  poses?: { made: number; labelled: number }
}

/** Writes beside and renames: a killed process leaves the old checkpoint or the new one, never half of one. */
export async function saveCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  const tensors = new Map<string, StoredTensor>()
  for (const [name, data] of checkpoint.state.tensors) tensors.set(name, { shape: [data.length], data })
  const { specHash, seed, steps, state, poses } = checkpoint
  const run = JSON.stringify({ specHash, seed, steps, step: state.step, poses })
  const metadata = { format: 'pliant-checkpoint', run }
  const beside = `${path}.partial`
  try {
    const file = await open(beside, 'w')
    try {
      await file.writeFile(encodeSafetensors({ metadata, tensors }))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

/**
 * @returns undefined if there is no checkpoint
 * @throws BadInput if it is no checkpoint, or belongs to other inputs or another seed
 */
export async function loadCheckpoint(path: string, specHash: string, seed: number): Promise<Checkpoint | undefined> {
  const found = await readCheckpoint(path)
  if (found && (found.specHash !== specHash || found.seed !== seed)) {
    throw new BadInput(
      `resume: ${path} was made with seed ${found.seed} and inputs ${found.specHash.slice(0, 8)}, not ${seed} and ${specHash.slice(0, 8)}; pass the files and options of that run, or train without --resume to start over.`,
    )
  }
  return found
}

/**
 * Whosever it is.
 * @returns undefined if there is no checkpoint
 * @throws BadInput if it is no checkpoint
 */
export async function readCheckpoint(path: string): Promise<Checkpoint | undefined> {
  let bytes: Uint8Array
  try {
    bytes = await readInputFile(path)
  } catch (error) {
    if (!(error instanceof InputFileError)) throw error
    if (error.code === 'ENOENT') return undefined
    throw new BadInput(`resume: ${error.message}`, { cause: error })
  }
  const { run, tensors } = decodeCheckpoint(path, bytes)
  const { specHash, seed, steps, step, poses } = run
  return { specHash, seed, steps, state: { step, tensors }, poses }
}

function decodeCheckpoint(
  path: string,
  bytes: Uint8Array,
): { run: Omit<Checkpoint, 'state'> & { step: number }; tensors: Map<string, Float32Array> } {
  try {
    const { metadata, tensors } = decodeSafetensors(bytes)
    if (metadata['format'] !== 'pliant-checkpoint') throw new Error('it is of another format')
    const floats = [...tensors].map(([name, { data }]) => [name, data as Float32Array] as const)
    return { run: JSON.parse(metadata['run']), tensors: new Map(floats) }
  } catch (error) {
    throw new BadInput(`resume: ${path} is no whole checkpoint; train without --resume to start over.`, {
      cause: error,
    })
  }
}
