/** What a cell of Table 2 was measured to be: one committed file each, made one at a time. */
import { join } from 'node:path'
import type { SelfContactQuality } from 'pliant'
import { type Measured, readCellFiles } from '../../../cells/cell-files.js'
import type { HandlerCell } from './cell-name.js'
import type { Handling } from './handling.js'

export interface HandlerResult extends HandlerCell, Measured {
  vertices: number
  codeSize: number
  /** Steps of learning. */
  steps: number
  quality: SelfContactQuality
  /** Share of codes that are called what they are if the line is drawn where 2% of contacts are missed (equal-misses.ts). */
  atEqualMisses: number
  handling: Handling
}

/** Below the folder that the command runs in. */
export const CELLS_FOLDER = join('bench', 'cells', 'handler')
/** Where trained files of cells, their checkpoints and labels are left. */
export const WORK_FOLDER = join('out', 'handler')

/** All cells of a folder, in the order of their names; none if there is no folder. */
export function readCells(folder: string): Promise<HandlerResult[]> {
  return readCellFiles(folder)
}
