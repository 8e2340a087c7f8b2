/** What `pliant reproduce handler` takes: which cells to train before the page is drawn, and on how much they are judged. */
import { cellOptions, countOf, readCellOptions } from '../../../cells/cell-options.js'
import type { SuiteInputs } from '../../../suite/inputs.js'
import type { HandlerPageGiven } from '../page/reproduce.js'
import { parseCells } from './cell-name.js'

const MOST_CODES = 10_000_000

export const CELL_INPUTS: SuiteInputs<HandlerPageGiven> = {
  options: {
    ...cellOptions(
      'all (Table 2), or such as hand-ours, body (by all four methods), skirt-active-bd-2 (of seed 2), hand-joints-supv-1-20000 (from 20,000 labels, for Figs. 4 to 6)',
      '2',
    ),
    codes: { value: 'N', help: 'unseen codes that cells are judged on (default 100,000)' },
    repairs: { value: 'N', help: 'unseen touching codes that are handled (default 1,000)' },
  },
  async read({ codes, repairs, ...values }, reader) {
    return {
      given: {
        ...readCellOptions(values, parseCells),
        codes: countOf('codes', codes, MOST_CODES),
        repairs: countOf('repairs', repairs, MOST_CODES),
        humanoid: reader.builtIn('humanoid.safetensors'),
      },
    }
  },
}
