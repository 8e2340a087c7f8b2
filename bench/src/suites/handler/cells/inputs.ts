/** What `pliant reproduce handler` takes: which cells to train before the page is drawn, and on how much they are judged. */
import type { SuiteInputs } from '../../../suite/inputs.js'
import type { HandlerPageGiven } from '../page/reproduce.js'
import { parseCells } from './cell-name.js'

const MOST_THREADS = 256
const MOST_CODES = 10_000_000

export const CELL_INPUTS: SuiteInputs<HandlerPageGiven> = {
  options: {
    cells: {
      value: 'NAMES',
      help: 'cells to train that have no result yet, comma-separated: all (Table 2), or such as hand-ours, body (by all four methods), skirt-active-bd-2 (of seed 2), hand-joints-supv-1-20000 (from 20,000 labels, for Figs. 4 to 6)',
    },
    again: { help: 'train cells that have a result, too' },
    threads: { value: 'N', help: 'threads to train with (default 2; another number rounds differently)' },
    codes: { value: 'N', help: 'unseen codes that cells are judged on (default 100,000)' },
    repairs: { value: 'N', help: 'unseen touching codes that are handled (default 1,000)' },
  },
  async read({ cells, again, threads, codes, repairs }, reader) {
    if (again !== undefined && cells === undefined) {
      throw new Error('reproduce: --again is given without --cells; name the cells to train again.')
    }
    return {
      given: {
        cells: cells === undefined ? undefined : parseCells(cells),
        again: again !== undefined,
        threads: countOf('threads', threads, MOST_THREADS),
        codes: countOf('codes', codes, MOST_CODES),
        repairs: countOf('repairs', repairs, MOST_CODES),
        humanoid: reader.builtIn('humanoid.safetensors'),
      },
    }
  },
}

function countOf(name: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= most) return count
  throw new Error(`reproduce: --${name} is '${text}'; pass a whole number from 1 to ${most}.`)
}
