/** How good a file that tells self-contact was measured to be, as tables. */
import type { SelfContactQuality } from 'pliant'
import { formatCount, formatNumber, table } from './format.js'

/** Rows of the hybrid that are shown: the first, then each that is wrong in half as many codes as the last one shown. */
const HALF = 0.5

export function selfContactTable(quality: SelfContactQuality): string {
  const percent = (share: number): string => `${formatNumber(100 * share)}%`
  const { distanceError } = quality
  const rows = [
    ['right sign', percent(quality.signAccuracy)],
    ['  mean over touching and free', percent(quality.balancedAccuracy)],
    ['  within 0.1 of the boundary', percent(quality.nearAccuracy)],
    ['touching codes called free', percent(quality.falseNegatives)],
    ['free codes called touching', percent(quality.falsePositives)],
    ...(distanceError
      ? [
          ['distance error, mean', formatNumber(distanceError.mean)],
          ['distance error, 95% below', formatNumber(distanceError.p95)],
          ['distance error, largest', formatNumber(distanceError.max)],
        ]
      : []),
    ['length of the gradient, mean error', formatNumber(quality.gradientError)],
    ['length of the gradient, standard deviation', formatNumber(quality.gradientSpread)],
  ]
  const basis = `${formatCount(quality.codes)} codes never trained on, ${percent(quality.touchingShare)} of them touching`
  const hybrid = shownRows(quality.hybrid).map(({ tau, exactShare, accuracy, falseNegatives }) => [
    formatNumber(tau),
    percent(exactShare),
    percent(accuracy),
    percent(falseNegatives),
  ])
  return [
    `${table(['against the exact test', ''], rows)}\n(${basis})`,
    ...(hybrid.length > 0
      ? [table(['exact test where |f| <', 'codes tested', 'right sign', 'touching called free'], hybrid)]
      : []),
  ].join('\n\n')
}

/** The whole table is in the file; a screen has the rows that make a difference. */
function shownRows(rows: SelfContactQuality['hybrid']): SelfContactQuality['hybrid'] {
  let last = Infinity
  return rows.filter(({ accuracy }) => {
    const missed = 1 - accuracy
    if (!(missed < last && missed <= HALF * last)) return false
    last = missed
    return true
  })
}
