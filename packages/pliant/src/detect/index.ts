/**
 * Which triangle of a surface that deforms is nearest, for whoever must push it; which codes touch themselves; where two
 * fields, or two bodies that deform, touch, and the boxes that hold a field's parts; where a surface comes nearest to a field
 * between its vertices.
 */
export { boxHolds, boxVolume, type OrientedBox } from './fields/boxes/oriented-box.js'
export {
  ORIENTED_BOXES_DEFAULTS,
  type OrientedBoxesOptions,
  orientedBoxes,
  type SurfacePoints,
} from './fields/boxes/oriented-boxes.js'
export { BroadPhase } from './fields/broad-phase.js'
export { COLLIDE_DEFAULTS, type CollideOptions, SolidPair } from './fields/collide.js'
export { type BoxedBody, type CollideFieldsOptions, collide } from './fields/collide-fields.js'
export { bodyOfCode, bodyOfNodes, type DeformingBody, type MovingBody } from './fields/deforming-body.js'
export { DEFORMING_PAIR_DEFAULTS, DeformingPair, type DeformingPairOptions } from './fields/deforming-pair.js'
export { carryBox } from './fields/frames.js'
export { OVERLAP_DEFAULTS, type Overlap, type OverlapOptions, overlapCells } from './fields/overlap-cells.js'
export { protrusions } from './fields/paper/detection-points.js'
export { PAPER_DEFAULTS, type PaperOptions, PaperPair, type PaperSolid } from './fields/paper/paper-pair.js'
export { SOLID_DEFAULTS, type Solid, type SolidOptions, solidOf } from './fields/solid.js'
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
export { SURFACE_MINIMA_DEFAULTS, SurfaceMinima, type SurfaceMinimaOptions } from './surface/surface-minima.js'
export type { MeetsAt } from './surface/surface-places.js'
