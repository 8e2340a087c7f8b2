/** Self-contact of codes: a learned field beside the paper's method and the exact test. */
import type { Suite, SuiteCells } from '../../suite/suite.js'
import { CELL_INPUTS } from './cells/inputs.js'
import { cellsMarkdown } from './cells/markdown.js'
import { type CspaceGiven, readCspaceInputs } from './inputs.js'
import { cspaceMarkdown } from './markdown.js'
import type { CspaceResult } from './run.js'
import { cspaceTable } from './table.js'

export const cspace: Suite<CspaceGiven, CspaceResult> = {
  name: 'cspace',
  summary: 'self-contact of codes, learned against exact',
  inputs: {
    options: {
      file: { value: 'FILE', help: 'the trained body (default: all built-in ones, the bracelet in full)' },
      paper: { value: 'FILE', help: "the paper's network of it, from train --method paper" },
    },
    read: readCspaceInputs,
  },
  run: async (options) => (await import('./run.js')).benchCspace(options),
  table: cspaceTable,
  markdown: cspaceMarkdown,
  cells: { markdown: cellsMarkdown } as SuiteCells,
  page: {
    summary: 'self-contact in the space of codes, cell by cell',
    inputs: CELL_INPUTS,
    run: async (options) => (await import('./page/reproduce.js')).reproduceCspace(options),
  },
}
