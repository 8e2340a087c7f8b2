/** Joint ranges as people read them: how many joints move, and how it is known how far. */
import { type RangeMotion, UNKNOWN_CONE } from '@pliant/train/unstable/poses'
import { formatCount } from './format.js'

export function rangeCountsText({ counts: { told, known, unknown } }: Pick<RangeMotion, 'counts'>): string {
  return [
    ...(told > 0 ? [`${formatCount(told)} joints as told`] : []),
    ...(known > 0 ? [`${formatCount(known)} by what they are of a body`] : []),
    ...(unknown > 0 ? [`${formatCount(unknown)} of which nothing is known by up to ${UNKNOWN_CONE} degrees`] : []),
  ].join(', ')
}
