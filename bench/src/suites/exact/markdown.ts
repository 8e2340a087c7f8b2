/** Suite exact in documents: each of its parts beside three-mesh-bvh. */
import { markdownTable, round, whole } from '../../report/markdown.js'
import type { ExactBenchResult } from './run.js'

export function exactMarkdown({
  triangles,
  distance,
  pointKernels,
  selfIntersection,
  labels,
}: ExactBenchResult): string {
  const [oneWorker, workers] = [labels.rows[0], labels.rows.at(-1)!]
  const rows = [
    ...distance.map((row) => [
      `signed distance, ${row.points} points, ${whole(triangles)} triangles`,
      `${round(row.signed)} us`,
      `${round(row.threeMeshBvh)} us (three-mesh-bvh, unsigned)`,
    ]),
    ...(pointKernels ?? []).map((row) => [
      `${row.does}, ${whole(row.triangles)} triangles`,
      `${round(row.kernels)} us`,
      `${round(row.plain)} us (plain code)${row.threeMeshBvh ? `, ${round(row.threeMeshBvh)} us (three-mesh-bvh)` : ''}`,
    ]),
    ...selfIntersection.map((row) => [
      `self-intersection, all pairs, ${row.shape} shape`,
      `${round(row.all)} ms`,
      `${round(row.bvhcastRanges)} ms (bvhcast, ranges), ${round(row.bvhcastTriangles)} ms (bvhcast, triangles)`,
    ]),
    [
      `exact labels a second, ${workers.threads} workers`,
      whole(workers.labelsPerSecond),
      `${whole(oneWorker.labelsPerSecond)} with ${oneWorker.threads} worker`,
    ],
  ]
  return `## Exact geometry\n${markdownTable(['', 'ours', 'beside it, same run'], rows)}`
}
