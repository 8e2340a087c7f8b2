/** What suite cspace found, for a terminal. */
import { formatCount, formatNumber, table } from '@pliant/train/unstable/text'
import type { SelfContactQuality } from 'pliant'
import type { CspaceResult } from './run.js'
import { QUALITY_HEADING, qualityCells, SIMULATION_HEADING, simulationCells } from './words.js'

export function cspaceTable(result: CspaceResult): string {
  const { name, triangles, modes, labels, quality, paper, answers } = result
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
      ['triangles', 'codes at once', 'learned', 'exact', 'gain', 'exact by refit', 'gain'],
      answers.map(({ triangles, codes, microseconds, gain, gainOverRefit }) => [
        formatCount(triangles),
        formatCount(codes),
        formatNumber(microseconds.learned),
        formatNumber(microseconds.exact),
        `${formatNumber(gain)}x`,
        formatNumber(microseconds.refit),
        `${formatNumber(gainOverRefit)}x`,
      ]),
    ),
    'Pulled about on a table, 60 frames a second; frames that meet themselves by exact geometry:',
    table(SIMULATION_HEADING, simulationCells(result)),
  ].join('\n\n')
}
