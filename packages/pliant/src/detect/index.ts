/**
 * Which triangle of a surface that deforms is nearest, for whoever must push it; which codes touch themselves; where two
 * fields overlap.
 */
export { OVERLAP_DEFAULTS, type Overlap, type OverlapOptions, overlapCells } from './fields/overlap-cells.js'
export {
  type BoxedConfigurationField,
  chooseTau,
  falseNegativeBound,
  type HybridOptions,
  type HybridQuality,
  HybridSelfContact,
  PROMISE_CONFIDENCE,
} from './hybrid-self-contact.js'
export { type NearestResults, NO_TRIANGLE } from './nearest-results.js'
export {
  NEAREST_TRIANGLES_DEFAULTS,
  type NearestHints,
  NearestTriangles,
  type NearestTrianglesOptions,
} from './nearest-triangles.js'
