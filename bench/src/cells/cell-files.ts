/** Results that are made one at a time, each a committed file of its name: bench/cells/SUITE/NAME.json. */
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Machine } from '../origin/machine.js'

/** Where and when a cell was made. */
export interface CellOrigin {
  /** ISO 8601. */
  date: string
  machine: Machine
  /** As `describeCommit` has it. */
  commit: string | null
  /** Told to learn with, where not the default: sums round differently then. */
  threads?: number
}

/** What every cell tells of how it was learned. */
export interface Measured extends CellOrigin {
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
}

/** All cells of a folder, in the order of their names; none if there is no folder. */
export async function readCellFiles<Result>(folder: string): Promise<Result[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort()
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))))
}

export async function writeCellFile(folder: string, name: string, cell: object): Promise<void> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, `${name}.json`)
  await writeFile(`${path}.part`, cellText(cell))
  await rename(`${path}.part`, path)
}

/** Lists of numbers on a line of their own: some cells have thousands of them. */
function cellText(cell: object): string {
  const text = JSON.stringify(cell, null, 2)
  return `${text.replace(/\[\s+([-+\d.e,\s]+?)\s+\]/g, (_, numbers: string) => `[${numbers.replace(/\s+/g, ' ')}]`)}\n`
}
