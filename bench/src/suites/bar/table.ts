/** What suite bar found, for a newcomer: how good the learned field is and how fast against the exact rivals. */

import { formatCount, formatNumber, qualityTable, table } from '@pliant/train/unstable/text'
import { gainText } from '../../report/rival-names.js'
import type { BarBenchResult } from './run.js'

export function barTable({ quality, error, rows, triangles, backend }: BarBenchResult): string {
  const heading = [
    ...['points', 'queries', 'learned', 'on two threads', 'our exact', 'stopping'],
    ...['three-mesh-bvh', 'stopping', 'gain over the fastest'],
  ]
  const lines = rows.map(({ points, count, microseconds: us, best }) => [
    points === 'near' ? 'near the surface' : 'anywhere',
    formatCount(count),
    ...[us.learned, us.learnedTwoThreads, us.exact, us.exactStop, us.threeMeshBvh, us.threeMeshBvhStop].map(
      formatNumber,
    ),
    gainText(best),
  ])
  const percent = (length: number): string => `${formatNumber((100 * length) / quality.size)}%`
  return [
    qualityTable(quality),
    `Mean error over ${error.seeds.length} seeds: ${percent(error.mean)} of the diagonal, 95% interval ${percent(error.low)} to ${percent(error.high)}.`,
    `Microseconds per frame: a new shape of ${formatCount(triangles)} triangles (a pose, or a refit of the tree), then all\n` +
      `queries with sign and normal; learned is ${backend}, our exact field SIMD, three-mesh-bvh JavaScript; stopping: they\n` +
      "search no further than the band, where the learned field's distances end.",
    table(heading, lines),
  ].join('\n\n')
}
