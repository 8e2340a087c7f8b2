/** Trains cells one after the other, each kept in its file as soon as it is done; those that have one are left alone. */
import { type OnProgress, progressWithin } from 'pliant/unstable'
import { describeCommit } from '../origin/commit.js'
import { describeMachine } from '../origin/machine.js'
import { type CellOrigin, readCellFiles, writeCellFile } from './cell-files.js'

/** What the training of one cell is told. */
export interface CellRun {
  /** Where checkpoints and trained files go. */
  work: string
  origin: CellOrigin
  /** A tiny training, to see that all of it works. */
  quick?: boolean
  threads?: number
  signal?: AbortSignal
  onProgress?: OnProgress
  onWarning?: (line: string) => void
}

export interface CellsRun extends Omit<CellRun, 'origin'> {
  /** Where results are. */
  results: string
  /** Trains those that have a result, too. */
  again?: boolean
}

/** What a suite knows of its cells. */
export interface CellKind<Cell, Result extends Cell & object> {
  nameOf(cell: Cell): string
  train(cell: Cell, run: CellRun): Promise<Result>
}

/** @returns names of the cells that were trained */
export async function runCellsOf<Cell, Result extends Cell & object>(
  { nameOf, train }: CellKind<Cell, Result>,
  cells: readonly Cell[],
  { results, again = false, ...run }: CellsRun,
): Promise<string[]> {
  const there = new Set((await readCellFiles<Result>(results)).map(nameOf))
  const due = cells.filter((cell) => again || !there.has(nameOf(cell)))
  for (const [i, cell] of due.entries()) {
    run.signal?.throwIfAborted()
    const name = nameOf(cell)
    const within = progressWithin(run.onProgress, i / due.length, (i + 1) / due.length)
    const stage = `cell ${i + 1} of ${due.length}, ${name}`
    within?.({ fraction: 0, stage })
    const origin: CellOrigin = {
      ...{ date: new Date().toISOString(), machine: describeMachine(), commit: describeCommit() },
      ...(run.threads !== undefined && { threads: run.threads }),
    }
    const training = train(cell, {
      ...run,
      origin,
      onProgress: ({ fraction, stage: part, detail = '' }) =>
        within?.({ fraction, stage, detail: `${part}: ${detail}` }),
      onWarning: (line) => run.onWarning?.(`${name}: ${line}`),
    })
    const result = await training.catch((error) => {
      throw run.signal?.aborted ? stoppedAt(name) : error
    })
    await writeCellFile(results, name, result)
  }
  return due.map(nameOf)
}

/** Told apart from a failure by its name, as what a signal throws. */
function stoppedAt(name: string): Error {
  const message = `reproduce: interrupted in ${name}; the same command goes on there.`
  return Object.assign(new Error(message), { name: 'AbortError' })
}
