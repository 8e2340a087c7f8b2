/** What a cell of the tables was measured to be: one committed file each, made one at a time. */
import { join } from 'node:path'
import type { SelfContactQuality } from 'pliant'
import { type Measured, readCellFiles } from '../../../cells/cell-files.js'
import type { LearnedImage } from '../images/learn-image.js'
import type { GridCell, ImageCell, NetworkCell } from './cell-name.js'
import type { CodeSlice } from './slice.js'

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
  /** The seed that is shown, and how many were tried until one was not stuck; of older cells one, of seed 1. */
  seed?: number
  tries?: number
}

export interface ImageResult extends ImageCell, Measured, LearnedImage {}

export type CellResult = NetworkResult | GridResult | ImageResult

/** Below the folder that the command runs in. */
export const CELLS_FOLDER = join('bench', 'cells', 'cspace')

/** All cells of a folder, in the order of their names; none if there is no folder. */
export function readCells(folder: string): Promise<CellResult[]> {
  return readCellFiles(folder)
}
