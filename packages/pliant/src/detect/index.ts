/** Which triangle of a surface that deforms is nearest: for whoever must push it. */
export { type NearestResults, NO_TRIANGLE } from './nearest-results.js'
export * from './nearest-triangles.js'
export * from './scan-nearest-triangle.js'
