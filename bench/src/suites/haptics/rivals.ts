/** What the body's field is raced against, and which rivals give as much as ours does. */
export const QUERY_METHODS = [
  'learned',
  'learnedTwoThreads',
  /** Ours with gradients, on our kernels and in onnxruntime. */
  'learnedGradient',
  'learnedOrt',
  /** Ours with the nearest triangle, without and with gradients. */
  'learnedTriangle',
  'learnedGradientTriangle',
  /** The paper's, distances alone, on our kernels and in onnxruntime. */
  'paper',
  'paperOrt',
  /** Our own exact field, distances alone; all others below give distance, normal and triangle in one search. */
  'exactDistance',
  'exact',
  'exactPseudonormal',
  'threeMeshBvh',
  'threeMeshBvhRebuild',
  /** The search ends at the band, where the learned distances do: no normal and no triangle beyond it. */
  'exactStop',
  'threeMeshBvhStop',
] as const
export type QueryMethod = (typeof QUERY_METHODS)[number]

/** Ours by what it gives, and the exact rivals that give as much. */
const EXACT = ['exact', 'exactPseudonormal', 'threeMeshBvh', 'threeMeshBvhRebuild'] as const
const STOPPING = ['exactStop', 'threeMeshBvhStop'] as const
export const EQUAL_OUTPUT = {
  distances: { ours: 'learned', rivals: ['exactDistance', ...EXACT, ...STOPPING] },
  normals: { ours: 'learnedGradient', rivals: [...EXACT, ...STOPPING] },
  // Ours finds the triangle however far it is, so that a search that stops gives less.
  triangles: { ours: 'learnedGradientTriangle', rivals: EXACT },
} as const satisfies Record<string, { ours: QueryMethod; rivals: readonly QueryMethod[] }>
export type Output = keyof typeof EQUAL_OUTPUT
