import type { BarBenchResult } from '@pliant/bench'
import { expect, it } from 'vitest'
import { barTable } from '../src/bar-table.js'

it('the table of suite bar shows every row, and the ratio against three-mesh-bvh', () => {
  const row = { count: 1024, learned: 10, learnedTwoThreads: 6, exact: 50, threeMeshBvh: 125, ratio: 12.5 }
  const result: BarBenchResult = {
    triangles: 3008,
    artifactBytes: 1,
    backend: 'simd',
    multiplications: 1,
    quality: {
      poses: 2,
      points: 20,
      diagonal: 2,
      bandError: { mean: 0.01, p50: 0.01, p95: 0.02, p99: 0.03, max: 0.04 },
      surfaceError: { mean: 0.01, p95: 0.02, max: 0.03 },
      signAccuracy: 0.995,
      normalError: { p50: 1, p95: 2 },
      worstPoses: [],
      safetyMargin: 0.02,
    },
    rows: [
      { points: 'uniform', ...row },
      { points: 'near', ...row },
    ],
  }
  const text = barTable(result)
  expect(text).toMatch(/distance error, mean +0\.01 m +0\.5%/)
  expect(text).toMatch(/right sign +99\.5%/)
  expect(text).toMatch(/^anywhere +1,024 +10 +6 +50 +125 +12\.5x$/m)
  expect(text).toMatch(/^near the surface +1,024 +10 +6 +50 +125 +12\.5x$/m)
})
