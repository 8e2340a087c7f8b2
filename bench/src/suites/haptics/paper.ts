/** What the paper itself says of its bunny (Zesch et al. sections 4 and 4.1), and what native libraries take, to stand beside our figures. */
import type { PointKind } from '../../queries/query-points.js'

export const PAPER_HAPTICS = {
  nodes: 1883,
  triangles: 3122,
  tetrahedra: 6726,
  toolNodes: 582,
  toolTriangles: 1000,
  modes: 128,
  trainingPoses: 1000,
  samplesPerPose: 10_000,
  network: '8 x 128',
  /** Rebuilt for each pose; points uniform in the box. */
  rival: 'libigl BVH, rebuilt every step',
  /** Fig. 4 gives curves without numbers; the text says up to how many queries their network is ahead of the BVH, */
  cpuAheadUpToQueries: 300,
  gpuAheadUpToQueries: 10_000,
  /** and with the triangle found by a scan on the CPU and the network on a GPU: Table 1, in ms. */
  table1: {
    queries: [128, 256, 512, 1024, 2048],
    bvh: [4.88, 6.46, 7.25, 10.55, 17.18],
    neural: [2.64, 4.21, 5.49, 12.81, 23.03],
  },
  /** Of the material in training; Poisson's ratio as it is. */
  runTimeMaterial: { density: 1 / 6, poisson: 0.4, young: 1 / 10, damping: 1 / 10 },
  /** Between the level sets of Fig. 3, in half-sizes of the normalised domain. */
  levelSpacing: 0.05,
} as const

export interface NativeMark {
  name: string
  /** Once per step [ms]. */
  update: number
  /** Per query [microseconds]. */
  query: Record<PointKind, number>
}

/**
 * References, not part of the run: one thread, a bunny of 3,040 triangles, distance, normal and triangle in one search,
 * measured beside ours in shuffled turns on a busy machine of two cores (docs/notes/haptics-bench.md has the table that
 * these lines are drawn through). "Stop": the search ends where our distances do. Embree's scene must be of LOW quality,
 * or its refit is a rebuild of .84 ms; an earlier mark of .27 ms here was wrong.
 */
export const NATIVE_MARKS: readonly NativeMark[] = [
  { name: 'Embree 3.13, refit', update: 0.017, query: { uniform: 3.6, near: 1.5 } },
  { name: 'Embree 3.13, refit, stop', update: 0.02, query: { uniform: 1.25, near: 1.4 } },
  { name: 'FCPW, refit', update: 0.08, query: { uniform: 1.6, near: 0.9 } },
  { name: 'FCPW, refit, stop', update: 0.08, query: { uniform: 0.8, near: 0.85 } },
  { name: 'libigl 2.6, rebuild', update: 3.8, query: { uniform: 5.2, near: 1.7 } },
]

/** @returns a whole step of so many queries [ms] */
export function nativeTime({ update, query }: NativeMark, kind: PointKind, count: number): number {
  return update + (query[kind] * count) / 1000
}
