/** What `pliant reproduce cspace` takes: which cells to train before the page is drawn. */
import type { SuiteInputs } from '../../../suite/inputs.js'
import type { CspacePageGiven } from '../page/reproduce.js'
import { parseCells } from './cell-name.js'

const MOST_THREADS = 256

export const CELL_INPUTS: SuiteInputs<CspacePageGiven> = {
  options: {
    cells: {
      value: 'NAMES',
      help: 'cells to train that have no result yet, comma-separated: all, or such as bracelet-7-paper, snake-3 (by both methods), bunny-5-ours-2 (of seed 2), grid-snake-5-2x70; cut short: all that begin so',
    },
    again: { help: 'train cells that have a result, too' },
    threads: { value: 'N', help: 'threads to train with (default 2; another number rounds differently)' },
  },
  async read({ cells, again, threads }) {
    if (again !== undefined && cells === undefined) {
      throw new Error('reproduce: --again is given without --cells; name the cells to train again.')
    }
    return {
      given: {
        cells: cells === undefined ? undefined : parseCells(cells),
        again: again !== undefined,
        threads: threads === undefined ? undefined : threadsOf(threads),
      },
    }
  },
}

function threadsOf(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= MOST_THREADS) return count
  throw new Error(`reproduce: --threads is '${text}'; pass a whole number from 1 to ${MOST_THREADS}.`)
}
