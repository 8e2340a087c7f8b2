/** An elastic body that is touched: what we claim of it, and the paper's section 4.1. */
import { PAPER_OPTION } from '../../inputs/options.js'
import type { Suite } from '../../suite/suite.js'
import type { HapticsGiven } from './inputs.js'
import { readHapticsInputs } from './inputs.js'
import { hapticsHeadline, hapticsMarkdown } from './markdown.js'
import type { HapticsBenchResult } from './run.js'
import { hapticsTables } from './table.js'

export const haptics: Suite<HapticsGiven, HapticsBenchResult> = {
  name: 'haptics',
  summary: 'an elastic body that is touched',
  inputs: {
    options: {
      file: { value: 'FILE', help: 'the trained elastic body (default: the built-in bunny)' },
      paper: PAPER_OPTION,
    },
    read: readHapticsInputs,
  },
  run: async (options) => (await import('./run.js')).benchHaptics(options),
  table: hapticsTables,
  markdown: hapticsMarkdown,
  headline: hapticsHeadline,
  page: {
    summary: 'an elastic body, by modes',
    run: async (options) => (await import('./page.js')).reproduceHaptics(options),
  },
}
