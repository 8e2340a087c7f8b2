/** Shapes that run into themselves: detected, repaired, and the paper's methods beside ours. */
import type { Suite, SuiteCells } from '../../suite/suite.js'
import { CELL_INPUTS } from './cells/inputs.js'
import { cellsMarkdown } from './cells/markdown.js'
import { HANDLER_PARTS, type HandlerGiven, readHandlerInputs } from './inputs.js'
import { handlerMarkdown } from './markdown.js'
import type { HandlerBenchResult } from './run.js'
import { handlerTable } from './table.js'

export const handler: Suite<HandlerGiven, HandlerBenchResult> = {
  name: 'handler',
  summary: 'self-contact detected and repaired, learned against exact',
  inputs: {
    options: {
      parts: { value: 'NAMES', help: `what to measure, comma-separated (default all): ${HANDLER_PARTS.join(', ')}` },
    },
    read: readHandlerInputs,
  },
  run: async (options) => (await import('./run.js')).benchHandler(options),
  table: handlerTable,
  markdown: handlerMarkdown,
  parts: HANDLER_PARTS,
  cells: { markdown: cellsMarkdown } as SuiteCells,
  page: {
    summary: 'a neural collision handler, cell by cell',
    inputs: CELL_INPUTS,
    run: async (options) => (await import('./page/reproduce.js')).reproduceHandler(options),
  },
}
