/**
 * Rounds on disk: what each has acquired, then what it has learned, block after block of an append-only log. A run that was
 * killed takes up what is there and does the rest again.
 */
import { createHash } from 'node:crypto'
import { decodeSafetensors, encodeSafetensors } from 'pliant/unstable'
import { AppendLog } from '../../resume/append-log.js'
import { type ResumableRun, savingOrWarning } from '../../resume/checkpoint.js'
import type { Columns } from './columns.js'

/** Where the rounds of a run are kept whose checkpoint is there. */
export function roundLogPath(checkpointPath: string): string {
  return `${checkpointPath}-rounds`
}

export class RoundLog {
  private taken = 0
  /** Stands for all that was taken from the log or added so far. */
  private chain: string

  private constructor(
    private readonly log: AppendLog | undefined,
    private readonly save: (write: () => void) => void,
    key: string,
  ) {
    this.chain = key
  }

  /**
   * @param key  a hash of all that the rounds depend on
   * @throws BadInput if the rounds to go on with depend on other things
   */
  static open({ checkpointPath, resume, onWarning }: ResumableRun, key: string): RoundLog {
    if (checkpointPath === undefined) return new RoundLog(undefined, () => undefined, key)
    const path = roundLogPath(checkpointPath)
    const options = { kind: 'rounds', key, resume: resume ?? false, others: 'other inputs or of another seed' }
    return new RoundLog(AppendLog.open(path, options), savingOrWarning(path, onWarning), key)
  }

  /** Whether there is more to take up. */
  get hasMore(): boolean {
    return this.taken < (this.log?.count ?? 0)
  }

  /** A hash of the run up to here: what goes on from here depends on nothing else. */
  get position(): string {
    return this.chain
  }

  /** The next block of the log, or, past its end, what `make` gives, which is added to it. */
  async next<A extends Columns>(make: () => A | Promise<A>): Promise<A> {
    const kept = this.hasMore ? this.log!.read(this.taken) : undefined
    const arrays = kept ? decode<A>(kept) : await make()
    const block = kept ?? encode(arrays)
    if (!kept) {
      this.save(() => {
        // One that could not be written leaves no place for those after it.
        if (this.log?.count !== this.taken) return
        this.log.add(block)
        this.log.sync()
      })
    }
    this.taken++
    this.chain = createHash('sha256').update(this.chain).update(block).digest('hex')
    return arrays
  }

  close(): void {
    this.log?.close()
  }
}

function encode(arrays: Columns): Uint8Array {
  const tensors = new Map(Object.entries(arrays).map(([name, data]) => [name, { shape: [data.length], data }]))
  // Containers order tensors by the width of their type; this is the order they came in.
  return encodeSafetensors({ metadata: { names: JSON.stringify([...tensors.keys()]) }, tensors })
}

function decode<A extends Columns>(block: Uint8Array): A {
  const { metadata, tensors } = decodeSafetensors(block)
  const names = JSON.parse(metadata['names']) as string[]
  return Object.fromEntries(names.map((name) => [name, tensors.get(name)!.data])) as A
}
