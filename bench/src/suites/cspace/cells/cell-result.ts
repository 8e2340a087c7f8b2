/** What a cell of the tables was measured to be: one committed file each, made one at a time. */
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SelfContactQuality } from 'pliant'
import type { Machine } from '../../../origin/machine.js'
import type { LearnedImage } from '../images/learn-image.js'
import { type Cell, type GridCell, type ImageCell, type NetworkCell, nameOfCell } from './cell-name.js'
import type { CodeSlice } from './slice.js'

export interface Measured {
  /** Exact tests that it was learned from. */
  labels: number
  /**
   * Learning, with its labels and without the evaluation; of all threads, over all parts of a run that was interrupted
   * [s]. null: not measured.
   */
  processorSeconds: number | null
  /** Share of the codes it was evaluated on that touch themselves. */
  touchingShare: number
  /** Identifies body and settings, as in the trained file. */
  specHash: string
  /** ISO 8601. */
  date: string
  machine: Machine
  /** As `describeCommit` has it. */
  commit: string | null
}

export interface NetworkResult extends NetworkCell, Measured {
  quality: SelfContactQuality
  /** Why it must not be trusted, if anything is wrong with it. */
  fault: string | null
  /** What Fig. 7 is drawn from. */
  slice: CodeSlice
}

export interface GridResult extends GridCell, Measured {
  /** Iterations of the paper's first pass; there is no second. */
  iterations: number
  /** Codes it was evaluated on, and the share of them whose sign is right. */
  codes: number
  signAccuracy: number
}

export interface ImageResult extends ImageCell, Measured, LearnedImage {}

export type CellResult = NetworkResult | GridResult | ImageResult

/** Below the folder that the command runs in. */
export const CELLS_FOLDER = join('bench', 'cells', 'cspace')

/** All cells of a folder, in the order of their names; none if there is no folder. */
export async function readCells(folder: string): Promise<CellResult[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort()
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))))
}

export async function writeCell(folder: string, cell: CellResult): Promise<void> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, cellFile(cell))
  await writeFile(`${path}.part`, cellText(cell))
  await rename(`${path}.part`, path)
}

export function cellFile(cell: Cell): string {
  return `${nameOfCell(cell)}.json`
}

/** Lists of numbers on a line of their own: a slice has thousands of them. */
function cellText(cell: CellResult): string {
  const text = JSON.stringify(cell, null, 2)
  return `${text.replace(/\[\s+([-+\d.e,\s]+?)\s+\]/g, (_, numbers: string) => `[${numbers.replace(/\s+/g, ' ')}]`)}\n`
}
