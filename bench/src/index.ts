/** The suites behind `pliant bench`, each loaded only when it is asked for. */
import type { Suite } from './suite.js'

export type { Suite, SuiteOptions } from './suite.js'

export const suites: Readonly<Record<string, Suite>> = {
  bar: async (options) => (await import('./bar.js')).benchBar(options),
}
