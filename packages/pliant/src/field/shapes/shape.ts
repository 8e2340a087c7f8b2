/**
 * A shape is a function from a point to its signed distance, both as expressions: so operations on shapes are functions of
 * functions, and whoever writes a shape of their own gets values, gradients and bounds of boxes for nothing.
 */
import type { Box, Vec3 } from '../../math/box.js'
import { requireNumbers, shown } from '../../math/require.js'
import { type Expression, type Place, POINT } from '../expression/expression.js'
import { ExpressionField } from '../expression/expression-field.js'

/** A solid body: where it is, as the sign of a number, about its distance. */
export interface Shape {
  /**
   * Signed distance of a point [m], or at least a number with its sign.
   * @param p  the point, as three expressions [m]
   */
  at(p: Place): Expression
  /**
   * Most that `at` changes by per metre of way: 1 of exact distances, and of all that never overestimates one. Infinity if
   * it is not known; bounds are then looser, and steps towards the surface shorter.
   */
  readonly slope: number
  /** A box that holds it [m]; infinite where the shape is. */
  readonly box: Box
}

/** A shape as a field, compiled. */
export class ShapeField extends ExpressionField {
  /** @throws RangeError if it takes more than a million operations */
  constructor(/** What it is a field of. */ readonly shape: Shape) {
    super(shape.at(POINT), shape.slope)
  }

  /** A box that holds it [m]; infinite where the shape is. */
  get box(): Box {
    return this.shape.box
  }
}

/** A shape as a field that can be asked, and bounded over boxes. */
export function fieldOf(shape: Shape): ShapeField {
  return new ShapeField(shape)
}

/** The box around the origin with these half extents [m]. */
export function boxAround([x, y, z]: Vec3): Box {
  return { lower: [-x, -y, -z], upper: [x, y, z] }
}

/** @throws RangeError if it is no positive finite number */
export function requirePositive(what: string, value: number): void {
  if (typeof value === 'number' && value > 0 && value < Infinity) return
  throw new RangeError(`shape: ${what} is ${shown(value)}; give a positive number.`)
}

/** @throws RangeError if it is not finite */
export function requireNumber(what: string, value: number): void {
  if (typeof value === 'number' && Number.isFinite(value)) return
  throw new RangeError(`shape: ${what} is ${shown(value)}; give a finite number.`)
}

/** @throws RangeError if these are not three finite numbers */
export function requirePlace(what: string, place: Vec3): void {
  requireNumbers(`shape: ${what}`, place, 'coordinate', 3)
}
