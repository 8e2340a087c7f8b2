/** What the paper itself reports (Liu et al., section 5), to stand beside our figures. */
export const PAPER_SDF = {
  /** Fig. 8: the shortest way between two curves. */
  curves: { error: 1e-17, iterations: 89, lines: { few: 5, milliseconds: 0.005, many: 100, manyMilliseconds: 1.25 } },
  /** Figs. 9 and 10a: the tolerance of a descent; errors are a curve without numbers. */
  cubeSphere: { tolerance: 1e-5 },
  /** Table 1: memory of the whole program [MB]. */
  table1: [
    { scene: 'bunny', triangles: 5880, nodes: 256, step: 0.005, mesh: 468, meshField: 528, voxels: 513, neural: 463 },
    {
      scene: 'armadillo',
      triangles: 9994,
      nodes: 256,
      step: 0.01,
      mesh: 465,
      meshField: 774,
      voxels: 755,
      neural: 468,
    },
  ],
  /** Section 5.4, on a GPU: time of the descents of a frame, and how far both methods lie apart, of a body 5.56 long. */
  shellRock: {
    triangles: { shell: 1_300_000, rock: 620_992 },
    nodes: 1000,
    points: { shell: 484, rock: 384 },
    ours: 0.22,
    meshField: 0.26,
    apart: 0.064 / 5.56,
  },
} as const

/**
 * A reference, not part of the run: Bullet 3.24's GImpact, a bunny of 5,880 triangles against a cone of 64 to 5,888, four
 * points a pair, in contact, measured on a machine of two cores [ms].
 */
export const GIMPACT = { least: 0.2, most: 1.6 } as const
