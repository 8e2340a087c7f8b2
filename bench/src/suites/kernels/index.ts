/** The inference kernels, and onnxruntime's. */
import { figuresText } from '@pliant/train/unstable/text'
import { NO_INPUTS } from '../../suite/inputs.js'
import type { Suite } from '../../suite/suite.js'
import { kernelsMarkdown } from './markdown.js'
import type { KernelBenchResult } from './run.js'

export const kernels: Suite<object, KernelBenchResult> = {
  name: 'kernels',
  summary: 'inference, every backend',
  inputs: NO_INPUTS,
  run: async (options) => (await import('./run.js')).benchKernels(options),
  table: figuresText,
  markdown: kernelsMarkdown,
}
