/** How well fields know their own error: what they said of it, pose by pose, beside what it was. */
import { rankCorrelation } from './rank-correlation.js'
import type { PoseError } from './tally.js'

/** A pose this many times the file's own error off is to be told. */
export const FAR_OFF = 3

export interface OwnErrorReport {
  poses: number
  /** Spearman's, of the expected and the true error of poses; NaN of fewer than two. */
  rankCorrelation: number
  /** Mean over the poses of expected over true error, as powers: 1 if as often too large as too small. */
  ratio: number
  /** Poses that the field does not trust itself at. */
  flagged: number
  /** Those that are off by `FAR_OFF` times the file's own error or more, */
  farOff: number
  /** and how many of them are flagged. */
  farOffFlagged: number
}

/** @param ownError mean error that the file says it has [m] */
export function ownErrorReport(told: readonly PoseError[], ownError: number): OwnErrorReport {
  const farOff = told.filter(({ error }) => error >= FAR_OFF * ownError)
  const isFlagged = ({ trusted }: PoseError): boolean => !trusted
  const logs = told.reduce((sum, { expected, error }) => sum + Math.log(expected / error), 0)
  return {
    poses: told.length,
    rankCorrelation: rankCorrelation(
      told.map(({ expected }) => expected),
      told.map(({ error }) => error),
    ),
    ratio: Math.exp(logs / told.length),
    flagged: told.filter(isFlagged).length,
    farOff: farOff.length,
    farOffFlagged: farOff.filter(isFlagged).length,
  }
}
