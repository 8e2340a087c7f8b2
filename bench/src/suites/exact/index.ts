/** Exact geometry against three-mesh-bvh's own queries. */
import { figuresText } from '@pliant/train/unstable/text'
import { NO_INPUTS } from '../../suite/inputs.js'
import type { Suite } from '../../suite/suite.js'
import { exactMarkdown } from './markdown.js'
import type { ExactBenchResult } from './run.js'

export const exact: Suite<object, ExactBenchResult> = {
  name: 'exact',
  summary: 'exact distance, self-intersection and labels',
  inputs: NO_INPUTS,
  run: async (options) => (await import('./run.js')).benchExact(options),
  table: figuresText,
  markdown: exactMarkdown,
}
