/** What suite wind found: how deep the garment got before, in and after the gusts. */

import { formatCount, formatNumber, table } from '@pliant/train/unstable/text'
import type { WindBenchResult } from './run.js'

export function windTable({ character, garment, clothVertices, seconds, rows }: WindBenchResult): string {
  const { calm, gusts, settling, after } = seconds
  return [
    `A ${garment} of ${formatCount(clothVertices)} vertices on ${character}: ${calm} s of calm, ${gusts} s of gusts from the front, ` +
      `${settling} s to settle, ${after} s after.\nDeepest vertex in the exact body, % of the height, and vertices times frames deeper than 1%:`,
    table(
      ['clip', 'wind, m/s', 'field', 'calm', 'gusts', 'deep', 'after', 'deep'],
      rows.map(({ clip, wind, field, ...stages }) => [
        clip,
        formatNumber(wind),
        field,
        formatNumber(stages.calm.deepest),
        formatNumber(stages.gusts.deepest),
        formatCount(stages.gusts.deepVertexFrames),
        formatNumber(stages.after.deepest),
        formatCount(stages.after.deepVertexFrames),
      ]),
    ),
  ].join('\n')
}
