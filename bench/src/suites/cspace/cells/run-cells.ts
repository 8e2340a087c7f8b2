/** Trains cells of Table 1 and Figs. 5 and 6, each by what learns its kind. */
import { type CellRun, type CellsRun, runCellsOf } from '../../../cells/run-cells.js'
import { type Cell, nameOfCell } from './cell-name.js'
import type { CellResult } from './cell-result.js'
import { trainNetworkCell } from './train-cell.js'
import { trainGridCell } from './train-grid-cell.js'
import { trainImageCell } from './train-image-cell.js'

/** What trains one; replaced in tests. */
export type TrainCell = (cell: Cell, run: CellRun) => Promise<CellResult>

/** @returns names of the cells that were trained */
export function runCells(cells: readonly Cell[], run: CellsRun, train: TrainCell = trainAny): Promise<string[]> {
  return runCellsOf<Cell, CellResult>({ nameOf: nameOfCell, train }, cells, run)
}

const trainAny: TrainCell = (cell, run) => {
  if (cell.kind === 'network') return trainNetworkCell(cell, run)
  return cell.kind === 'grid' ? trainGridCell(cell, run) : trainImageCell(cell, run)
}
