/** Exact geometry of triangle meshes: entry 'pliant/exact', needs three, three-mesh-bvh and robust-predicates. */
export { type DistanceResults, ExactMeshField, type ExactMeshFieldOptions } from './mesh-distance.js'
export { type IntersectingPairs, SelfIntersection, type SelfIntersectionOptions } from './self-intersection.js'
export { TriangleTree } from './triangle-tree.js'
export { trianglesMeet } from './triangle-triangle.js'
export { WindingNumber } from './winding-number.js'
