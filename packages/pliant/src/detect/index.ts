/** Which triangle of a surface that deforms is nearest, for whoever must push it; which codes touch themselves. */
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
