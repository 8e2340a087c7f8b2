/**
 * Solid bodies written down: primitives, operations on them, and expressions to write others with. Each is a field with
 * values, gradients and sound bounds of boxes.
 */
export { CONTOUR_DEFAULTS, type ContourOptions, contourField } from './field/contour.js'
export {
  type Applied,
  abs,
  add,
  type Constant,
  type Coordinate,
  clamp,
  cos,
  div,
  dot,
  type Expression,
  length,
  max,
  min,
  mul,
  neg,
  type Place,
  POINT,
  round,
  select,
  sin,
  sqrt,
  square,
  sub,
  type Term,
} from './field/expression/expression.js'
export { ExpressionField } from './field/expression/expression-field.js'
export type { OperationName } from './field/expression/operations.js'
export {
  difference,
  intersection,
  onion,
  rounded,
  smoothDifference,
  smoothIntersection,
  smoothUnion,
  union,
} from './field/shapes/combine.js'
export { type ShapeDescription, shapeNames, shapeOf } from './field/shapes/described.js'
export { bent, mirrored, type Placement, placed, repeated, twisted } from './field/shapes/place.js'
export { cone, type Polygon, prism, regularPrism } from './field/shapes/polygons.js'
export {
  box,
  boxFrame,
  capsule,
  cylinder,
  ellipsoid,
  halfSpace,
  heart,
  link,
  octahedron,
  roundCone,
  sphere,
  torus,
} from './field/shapes/primitives.js'
export { fieldOf, type Shape, ShapeField } from './field/shapes/shape.js'
export { shapesAsked } from './field/shapes/shapes-asked.js'
