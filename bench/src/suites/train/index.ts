/** The training engine, beside the machine's largest matrix product. */
import { figuresText } from '@pliant/train/unstable/text'
import { NO_INPUTS } from '../../suite/inputs.js'
import type { Suite } from '../../suite/suite.js'
import { trainMarkdown } from './markdown.js'
import type { TrainBenchResult } from './run.js'

export const train: Suite<object, TrainBenchResult> = {
  name: 'train',
  summary: 'whole training steps',
  inputs: NO_INPUTS,
  run: async (options) => (await import('./run.js')).benchTrain(options),
  table: figuresText,
  markdown: trainMarkdown,
}
