import { expect, test } from 'vitest'
import { benchExact } from '../../../src/suites/exact/run.js'

test('the quick suite measures every part, ours and theirs, and reports progress', async () => {
  const details: string[] = []
  const result = await benchExact({ quick: true, onProgress: ({ detail }) => details.push(detail ?? '') })
  expect(result.triangles).toBe(5880)
  expect(result.distance.map((row) => row.points)).toEqual(['uniform', 'near'])
  expect(result.pointKernels!.map((row) => row.triangles)).toEqual([...Array(5).fill(3040), ...Array(5).fill(5880)])
  expect(result.selfIntersection.map((row) => row.pairs > 0)).toEqual([false, true])
  expect(result.labels.rows.map((row) => row.threads)).toEqual([1, 2])
  const figures = [
    ...result.distance.flatMap((row) => [row.signed, row.signedByPseudonormal, row.threeMeshBvh, row.ratio]),
    ...result.pointKernels!.flatMap((row) => [row.kernels, row.plain]),
    ...Object.values(result.refit),
    ...result.selfIntersection.flatMap((row) => [row.any, row.all, row.bvhcastRanges, row.bvhcastTriangles]),
    ...result.labels.rows.map((row) => row.labelsPerSecond),
    result.labels.scaling,
  ]
  expect(figures.every((figure) => figure > 0 && Number.isFinite(figure))).toBe(true)
  expect(details).toContain('refit')
})

test('an aborted suite stops with the reason', async () => {
  const reason = new Error('enough')
  await expect(benchExact({ quick: true, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})
