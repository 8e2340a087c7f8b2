/** How well a field knows its own error: over the poses it was judged by, and from ordinary poses to violent ones. */
import type { OwnErrorReport, ViolentReport } from '@pliant/train/unstable'
import { formatNumber, table } from './format.js'

export function ownErrorLine(report: OwnErrorReport): string {
  const { poses, flagged, farOff, farOffFlagged } = report
  return (
    `its own error: rank correlation ${correlation(report)} with the true one over these poses; ` +
    `${flagged} of ${poses} flagged, ${farOffFlagged} of the ${farOff} with three times its error`
  )
}

export function violentTable(report: ViolentReport): string {
  const { kinds, size, ownError, ordinary, farOff, farOffFlagged, ratio } = report
  const percent = (length: number): string => `${formatNumber((100 * length) / size)}%`
  const rows = kinds.map(({ kind, poses, error, expected, flagged }) => [
    kind,
    String(poses),
    percent(error),
    percent(expected),
    share(flagged, poses),
  ])
  return [
    '',
    table(['ordinary to violent', 'poses', 'mean error', 'expected', 'flagged'], rows),
    `rank correlation of expected and true error ${correlation(report)}; expected over true ${formatNumber(ratio)} in the mean`,
    `flagged: ${share(farOffFlagged, farOff)} of the ${farOff} poses with three times the file's own ${percent(ownError)}, ` +
      `${share(ordinary.flagged, ordinary.poses)} of the ${ordinary.poses} ordinary ones`,
    '',
  ].join('\n')
}

function correlation({ rankCorrelation }: OwnErrorReport): string {
  return rankCorrelation.toFixed(3)
}

function share(part: number, whole: number): string {
  return whole > 0 ? `${formatNumber((100 * part) / whole)}%` : 'none'
}
