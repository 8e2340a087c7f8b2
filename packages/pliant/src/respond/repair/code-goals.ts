/** What a repaired code should be like, apart from free: near a code, or with some vertices in some places. */
import type { Evaluate } from '../../math/lbfgs.js'
import { requireNumbers } from '../../math/require.js'
import type { MovedPoints } from '../../model/reduced-model.js'

/** Near the given code. */
export interface CodeGoal {
  /** What each entry's distance weighs, zero or more; left out, one. */
  weights?: ArrayLike<number>
}

/** Some vertices in some places; of all codes that put them there, the one nearest to the given code. */
export interface CartesianGoal {
  /** Who moves the vertices, as `movedPoints` has them. */
  points: MovedPoints
  /** Where they are wanted [m], xyz triples. */
  targets: ArrayLike<number>
  /**
   * What the distance to the given code weighs beside the distance to the targets, above zero (default 0.0001): so much
   * that the answer is one, so little that the targets are met to about as much of the way.
   */
  codeWeight?: number
}
/** Of `codeWeight`. */
export const CODE_WEIGHT = 1e-4

/** Half the squared distance to a code, E = sum w (z - z0)^2 / 2. */
export function codeObjective(wished: Float64Array, { weights }: CodeGoal): Evaluate {
  if (weights) requireWeights(weights, wished.length)
  return (code, gradient) => {
    let sum = 0
    for (let k = 0; k < wished.length; k++) {
      const way = code[k] - wished[k]
      gradient[k] = (weights ? weights[k] : 1) * way
      sum += (gradient[k] * way) / 2
    }
    return sum
  }
}

/**
 * E = mean |x - target|^2 / 2 s^2 + codeWeight |z - z0|^2 / 2, with s [m] how far the code's entries move the points at z0,
 * all together: so that objectives of bodies of all sizes are of one size, which weights of constraints can go by.
 */
export function cartesianObjective(wished: Float64Array, goal: CartesianGoal): Evaluate {
  const { points, targets, codeWeight = CODE_WEIGHT } = goal
  requireNumbers('handle', targets, 'target value', 3 * points.pointCount)
  if (points.codeSize !== wished.length) {
    throw new RangeError(
      `handle: points of ${points.codeSize} code values, the field has ${wished.length}; pass its own.`,
    )
  }
  if (!(codeWeight > 0 && codeWeight < Infinity)) {
    throw new RangeError(`handle: codeWeight is ${codeWeight}; give a positive number.`)
  }
  const at = new Float64Array(targets.length)
  const byPoints = new Float64Array(targets.length)
  const share = 1 / (points.pointCount * squaredReach(points, wished))
  return (code, gradient) => {
    points.positions(code, at)
    let sum = 0
    for (let i = 0; i < at.length; i++) {
      const way = at[i] - targets[i]
      byPoints[i] = share * way
      sum += (byPoints[i] * way) / 2
    }
    points.pullBack(code, byPoints, gradient)
    for (let k = 0; k < wished.length; k++) {
      const way = code[k] - wished[k]
      gradient[k] += codeWeight * way
      sum += (codeWeight * way * way) / 2
    }
    return sum
  }
}

/** Sum over the code's entries of how far each moves the points [m^2 per unit of code squared], mean over points. */
function squaredReach(points: MovedPoints, code: Float64Array): number {
  const cotangents = new Float64Array(3 * points.pointCount)
  const row = new Float64Array(code.length)
  let sum = 0
  for (let i = 0; i < cotangents.length; i++) {
    cotangents[i] = 1
    points.pullBack(code, cotangents, row)
    cotangents[i] = 0
    for (const value of row) sum += value * value
  }
  return sum > 0 ? sum / points.pointCount : 1
}

function requireWeights(weights: ArrayLike<number>, count: number): void {
  requireNumbers('handle', weights, 'weight', count)
  for (let k = 0; k < count; k++) {
    if (weights[k] < 0) throw new RangeError(`handle: weight ${k} is ${weights[k]}; give zero or more.`)
  }
}
