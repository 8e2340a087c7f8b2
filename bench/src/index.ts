/** The suites behind `pliant bench`, each loaded only when it is asked for. */
import type { ReproduceOptions, Suite } from './suite.js'

export type { BarBenchResult } from './bar.js'
export type { ClothBenchResult } from './cloth.js'
export { describeCommit } from './commit.js'
export type { HapticsBenchResult } from './haptics.js'
export { describeMachine, type Machine } from './machine.js'
export type { ClothReproduction } from './reproduce/cloth.js'
export type { HapticsReproduction } from './reproduce/haptics.js'
export type { Suite, SuiteOptions } from './suite.js'
export type { WindBenchResult } from './wind.js'

export const suites: Readonly<Record<string, Suite>> = {
  exact: async (options) => (await import('./exact.js')).benchExact(options),
  train: async (options) => (await import('./train.js')).benchTrain(options),
  kernels: async (options) => (await import('./kernels.js')).benchKernels(options),
  bar: async (options) => (await import('./bar.js')).benchBar(options),
  cloth: async (options) => (await import('./cloth.js')).benchCloth(options),
  haptics: async (options) => (await import('./haptics.js')).benchHaptics(options),
  wind: async (options) => (await import('./wind.js')).benchWind(options),
}

/** The papers behind `pliant reproduce`. */
export const reproductions = {
  cloth: async (options: ReproduceOptions) => (await import('./reproduce/cloth.js')).reproduceCloth(options),
  haptics: async (options: ReproduceOptions) => (await import('./reproduce/haptics.js')).reproduceHaptics(options),
} as const
