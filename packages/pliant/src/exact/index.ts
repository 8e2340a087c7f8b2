/**
 * Exact distance to triangle meshes, and where a mesh meets itself. Needs three, three-mesh-bvh and robust-predicates
 * beside it: `npm install three three-mesh-bvh robust-predicates`.
 */
export { exactSelfContact } from './exact-self-contact.js'
export { type DistanceResults, ExactMeshField, type ExactMeshFieldOptions } from './mesh-distance.js'
export type { LinearShape } from './self-contact/linear-self-contact.js'
export {
  NEIGHBOUR_DEFAULTS,
  type NeighbourOptions,
  NeighbourRule,
  type SurfaceParts,
} from './self-contact/neighbour-rule.js'
export type { BendingShape, PosedPoints, PosedShape } from './self-contact/posed-self-contact.js'
export { SurfaceContact } from './self-contact/surface-contact.js'
export {
  type IntersectingPairs,
  type PairRule,
  type PairsOptions,
  SelfIntersection,
  type SelfIntersectionOptions,
} from './self-intersection.js'
