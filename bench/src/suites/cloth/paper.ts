/** What the paper itself says of its character and cloth (Zesch et al. sections 4 and 4.2), to stand beside our figures. */
export const PAPER_CLOTH = {
  vertices: 27_999,
  triangles: 17_140,
  clothVertices: 1404,
  clothTriangles: 2580,
  jointAngles: 55,
  trainingPoses: 400,
  samplesPerPose: 10_000,
  network: '8 x 128',
  /** libigl, rebuilt for each pose; points uniform in the box. */
  rival: 'libigl BVH, rebuilt every step',
  /** Fig. 6 gives curves without numbers; the text says up to how many queries their network on the CPU is ahead of the BVH, */
  cpuAheadUpToQueries: 3000,
  /** and that on a GPU it stays ahead. */
  gpuAhead: 'at every number of queries',
} as const
