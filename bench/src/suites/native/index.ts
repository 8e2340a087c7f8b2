/** Ours beside native libraries, in one run. */
import type { Suite } from '../../suite/suite.js'
import { type NativeGiven, readNativeInputs } from './inputs.js'
import { nativeMarkdown } from './markdown.js'
import type { NativeBenchResult } from './run.js'
import { nativeTables } from './table.js'

export const native: Suite<NativeGiven, NativeBenchResult> = {
  name: 'native',
  summary: 'ours beside native libraries, where g++ and their packages are',
  inputs: { options: {}, read: (_values, reader) => readNativeInputs(reader) },
  run: async (options) => (await import('./run.js')).benchNative(options),
  table: nativeTables,
  markdown: nativeMarkdown,
}
