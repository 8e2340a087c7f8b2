/** Parts of exact geometry that Pliant's own packages share: NOT STABLE, may change in any release, patches included. */
export { ASKED, BLOCK, type PointSearch } from './point-search.js'
export { ScalarPoints } from './scalar-points.js'
export {
  BOUNDARY_STEPS,
  type BoundaryPoint,
  findBoundaryPoint,
  makeBoundaryPoint,
} from './self-contact/boundary-point.js'
export type { ContactTest } from './self-contact/contact-test.js'
export { type DomainShares, domainShares, splitDepths } from './self-contact/domain-depths.js'
export { LinearSelfContact, type LinearShape } from './self-contact/linear-self-contact.js'
export { type ClearanceOptions, type NearestOfParts, PartClearances } from './self-contact/part-clearances.js'
export { PosedSelfContact, posedSelfContact } from './self-contact/posed-self-contact.js'
export { TriangleTree } from './triangle-tree.js'
export { trianglesMeet } from './triangle-triangle.js'
export { SimdPoints } from './wasm/simd-points.js'
export { WindingNumber } from './winding-number.js'
