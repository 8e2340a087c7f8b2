/** Active learning in rounds that can be resumed. */
export { type Columns, RoundData, type Widths } from './columns.js'
export { roundLogPath } from './round-log.js'
export {
  type Acquiring,
  type Advanced,
  type Effort,
  type LearnedRounds,
  type LearningRound,
  type RoundRandom,
  type RoundState,
  type RoundsOptions,
  type RoundsSettings,
  type RoundWork,
  runRounds,
  type Weights,
} from './run-rounds.js'
