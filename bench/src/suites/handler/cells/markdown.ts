/** The paper's Table 2 in docs/benchmarks.md, from the cells that are committed. */
import { markdownTable } from '../../../report/markdown.js'
import { DETECTION, HANDLING, headOf, rowsOf } from '../page/table-2.js'
import { EXCLUSIONS } from '../words.js'
import type { HandlerResult } from './cell-result.js'

export function cellsMarkdown(cells: readonly HandlerResult[]): string {
  return [
    "## Shapes that run into themselves: the paper's Table 2 (`reproduce handler`)",
    `The paper's three methods and ours, all from equally many exact labels, on codes that were never learned from; what the paper prints stands beside. ${EXCLUSIONS}`,
    markdownTable(headOf(DETECTION), rowsOf(cells, DETECTION)),
    "Touching codes handled. Believed: the paper's handler, which asks the network alone; checked: as `pliant repair`, which asks the exact test as well. Less deep is the paper's success; free is by the exact test; the way is in the unit of the code; ms are processor time.",
    markdownTable(headOf(HANDLING), rowsOf(cells, HANDLING)),
    '*`npx pliant reproduce handler --cells all`, [one file for each network](../bench/cells/handler), with date, machine and commit.*',
  ].join('\n\n')
}
