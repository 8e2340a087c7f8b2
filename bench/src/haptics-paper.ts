/** What the paper itself says of its bunny (Zesch et al. sections 4 and 4.1), and what native libraries take, to stand beside our figures. */
import type { PointKind } from './query-points.js'

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
  /** Built anew for each pose; points uniform in the box. */
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
  /** Per query [microseconds]; near the surface null where it was not measured. */
  query: Record<PointKind, number | null>
}

/** Measured on a quiet machine of two cores, one thread, a bunny of 3,122 triangles: references, not part of the run. */
export const NATIVE_MARKS: readonly NativeMark[] = [
  { name: 'Embree 3.13, refit', update: 0.27, query: { uniform: 3, near: 1.1 } },
  { name: 'libigl 2.6, rebuild', update: 3.9, query: { uniform: 4.3, near: null } },
]

/** @returns a whole step of so many queries [ms] */
export function nativeTime({ update, query }: NativeMark, kind: PointKind, count: number): number | null {
  const each = query[kind]
  return each === null ? null : update + (each * count) / 1000
}
