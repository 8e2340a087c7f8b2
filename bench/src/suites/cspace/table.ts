/** What suite cspace found, for a terminal. */
import { formatCount, formatNumber, table } from '@pliant/train/unstable/text'
import type { SelfContactQuality } from 'pliant'
import type { CspaceResult } from './run.js'
import { KEEPING, QUALITY_HEADING, qualityCells } from './words.js'

export function cspaceTable({
  name,
  triangles,
  modes,
  labels,
  quality,
  paper,
  answers,
  simulation,
}: CspaceResult): string {
  const row = (method: string, tests: number, of: SelfContactQuality): string[] => [
    method,
    formatCount(tests),
    ...qualityCells(of),
  ]
  return [
    `${name}: ${formatCount(triangles)} triangles, ${modes} modes, ${formatNumber(100 * quality.touchingShare)}% of ${formatCount(quality.codes)} codes touch themselves.`,
    table(
      ['method', 'labels', ...QUALITY_HEADING],
      [row('ours', labels, quality), ...(paper ? [row('paper', paper.labels, paper.quality)] : [])],
    ),
    'Microseconds for one code: whether it touches itself; learned with the gradient, on meshes of the bracelet.',
    table(
      ['triangles', 'codes at once', 'learned', 'exact', 'gain'],
      answers.map(({ triangles, codes, microseconds, gain }) => [
        formatCount(triangles),
        formatCount(codes),
        formatNumber(microseconds.learned),
        formatNumber(microseconds.exact),
        `${formatNumber(gain)}x`,
      ]),
    ),
    'Pulled about on a table, 60 frames a second; frames that meet themselves by exact geometry:',
    table(
      ['kept apart by', 'meeting', 'deeper than 1%', 'deepest', 'times real time', 'exact tests a frame'],
      simulation.map(({ keeping, meeting, deep, deepest, realTime, tests }) => [
        KEEPING[keeping],
        ...[meeting, deep, deepest].map((share) => `${formatNumber(100 * share)}%`),
        formatNumber(realTime),
        formatNumber(tests),
      ]),
    ),
  ].join('\n\n')
}
