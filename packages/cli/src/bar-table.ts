/** What suite bar found, for a newcomer: how good the learned field is and how fast against the exact rivals. */
import type { BarBenchResult } from '@pliant/bench'
import { formatCount, formatNumber, table } from './format.js'
import { qualityTable } from './quality-table.js'

export function barTable({ quality, rows, triangles, backend }: BarBenchResult): string {
  const heading = ['points', 'queries', 'learned', 'on two threads', 'exact', 'three-mesh-bvh', 'faster']
  const lines = rows.map((row) => [
    row.points === 'near' ? 'near the surface' : 'anywhere',
    formatCount(row.count),
    formatNumber(row.learned),
    formatNumber(row.learnedTwoThreads),
    formatNumber(row.exact),
    formatNumber(row.threeMeshBvh),
    `${row.ratio.toFixed(1)}x`,
  ])
  return [
    qualityTable(quality),
    `Microseconds per frame: a new shape of ${formatCount(triangles)} triangles (a pose, or a refit of the tree), then all\n` +
      `queries; learned (${backend}) and exact with sign and normal, three-mesh-bvh with neither.`,
    table(heading, lines),
  ].join('\n\n')
}
