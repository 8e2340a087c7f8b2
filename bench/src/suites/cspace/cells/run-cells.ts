/** Trains cells one after the other, each kept in its file as soon as it is done; those that have one are left alone. */
import { progressWithin } from 'pliant/unstable'
import { describeCommit } from '../../../origin/commit.js'
import { describeMachine } from '../../../origin/machine.js'
import { type Cell, nameOfCell } from './cell-name.js'
import { type CellResult, readCells, writeCell } from './cell-result.js'
import { type CellRun, trainNetworkCell } from './train-cell.js'
import { trainGridCell } from './train-grid-cell.js'
import { trainImageCell } from './train-image-cell.js'

export interface CellsRun extends Omit<CellRun, 'origin'> {
  /** Where results are. */
  results: string
  /** Trains those that have a result, too. */
  again?: boolean
}

/** What trains one; replaced in tests. */
export type TrainCell = (cell: Cell, run: CellRun) => Promise<CellResult>

/** @returns names of the cells that were trained */
export async function runCells(
  cells: readonly Cell[],
  { results, again = false, ...run }: CellsRun,
  trainCell: TrainCell = trainAny,
): Promise<string[]> {
  const there = new Set((await readCells(results)).map(nameOfCell))
  const due = cells.filter((cell) => again || !there.has(nameOfCell(cell)))
  for (const [i, cell] of due.entries()) {
    run.signal?.throwIfAborted()
    const name = nameOfCell(cell)
    const within = progressWithin(run.onProgress, i / due.length, (i + 1) / due.length)
    const stage = `cell ${i + 1} of ${due.length}, ${name}`
    within?.({ fraction: 0, stage })
    const origin = { date: new Date().toISOString(), machine: describeMachine(), commit: describeCommit() }
    const training = trainCell(cell, {
      ...run,
      origin,
      onProgress: ({ fraction, stage: part, detail = '' }) =>
        within?.({ fraction, stage, detail: `${part}: ${detail}` }),
      onWarning: (line) => run.onWarning?.(`${name}: ${line}`),
    })
    const result = await training.catch((error) => {
      throw run.signal?.aborted ? stoppedAt(name) : error
    })
    await writeCell(results, result)
  }
  return due.map(nameOfCell)
}

/** Told apart from a failure by its name, as what a signal throws. */
function stoppedAt(name: string): Error {
  const message = `reproduce: interrupted in ${name}; the same command goes on there.`
  return Object.assign(new Error(message), { name: 'AbortError' })
}

const trainAny: TrainCell = (cell, run) => {
  if (cell.kind === 'network') return trainNetworkCell(cell, run)
  return cell.kind === 'grid' ? trainGridCell(cell, run) : trainImageCell(cell, run)
}
