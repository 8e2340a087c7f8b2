/** The section of docs/benchmarks.md. */
import { formatCount, formatNumber } from '@pliant/train/unstable/text'
import { markdownTable } from '../../report/markdown.js'
import type { CspaceResult } from './run.js'
import { QUALITY_HEADING, qualityCells, SIMULATION_HEADING, simulationCells } from './words.js'

export function cspaceMarkdown(result: CspaceResult): string {
  const { name, triangles, modes, labels, quality, paper, answers } = result
  return [
    '## Self-contact in the space of codes (`bench cspace`)',
    `${name}, ${formatCount(triangles)} triangles, ${modes} modes: ${formatNumber(100 * quality.touchingShare)}% of ${formatCount(quality.codes)} codes, drawn evenly from the box and never trained on, touch themselves. Distances and slopes in the unit of the code; "within 0.1": of codes no further than that from the boundary; "with 5% exact": if the 5% of codes of which the field is least sure go to the exact test.`,
    markdownTable(
      ['method', 'labels', ...QUALITY_HEADING],
      [
        ['ours', formatCount(labels), ...qualityCells(quality)],
        ...(paper ? [['paper', formatCount(paper.labels), ...qualityCells(paper.quality)]] : []),
      ],
    ),
    'Whether a code touches itself, microseconds for one; learned with its gradient; exact by our best test, which knows beforehand what cannot meet in the box of codes, and by a tree that is refitted; both end at the first pair; on finer and finer meshes:',
    markdownTable(
      ['triangles', 'codes at once', 'learned', 'exact', 'gain', 'exact by refit', 'gain'],
      answers.map((row) => [
        formatCount(row.triangles),
        formatCount(row.codes),
        formatNumber(row.microseconds.learned),
        formatNumber(row.microseconds.exact),
        `${formatNumber(row.gain)}x`,
        formatNumber(row.microseconds.refit),
        `${formatNumber(row.gainOverRefit)}x`,
      ]),
    ),
    'Pulled about on a table for 30 s, 60 frames a second, the same pulls for each way; frames in which the body meets itself by exact geometry, and deeper than 1% of its size:',
    markdownTable(SIMULATION_HEADING, simulationCells(result)),
  ].join('\n\n')
}
