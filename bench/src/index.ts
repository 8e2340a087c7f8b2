/** The suites behind `pliant bench` and `pliant reproduce`, and the documents that are made of what they saved. */
import type { Suite } from './suite/suite.js'
import * as registered from './suites/index.js'

export { describeCommit } from './origin/commit.js'
export { describeMachine, type Machine } from './origin/machine.js'
export { benchmarksPage } from './report/benchmarks-page.js'
export { headlineTable } from './report/headline-table.js'
export type { ReadCells, ReadResult, ResultFile, RunOrigin } from './report/result-file.js'
export { savedRun } from './report/saved-run.js'
export type { InputReader, OptionValues, PlayedMotion, ReadInputs, ReadMotion, SuiteOption } from './suite/inputs.js'
export type {
  Headline,
  ReproduceOptions,
  Reproduction,
  RunOptions,
  Suite,
  SuiteCells,
  SuitePage,
} from './suite/suite.js'

/** By name, in the order of the alphabet. */
export const suites: readonly Suite[] = Object.values(registered)
