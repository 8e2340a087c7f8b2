/** The built-in bar, bent in every frame: learned distances against exact ones. */
import type { Suite } from '../../suite/suite.js'
import { barHeadline, barMarkdown } from './markdown.js'
import type { BarBenchResult, BarGiven } from './run.js'
import { barTable } from './table.js'

export const bar: Suite<BarGiven, BarBenchResult> = {
  name: 'bar',
  summary: 'an object with modes, learned against exact',
  inputs: {
    options: { file: { value: 'FILE', help: 'the trained object (default: the built-in one)' } },
    async read({ file }, reader) {
      return {
        given: { artifact: (await reader.ofKind(file ?? reader.builtIn('bar.safetensors'), 'linear-modes')).bytes },
      }
    },
  },
  run: async (options) => (await import('./run.js')).benchBar(options),
  table: barTable,
  markdown: barMarkdown,
  headline: barHeadline,
}
