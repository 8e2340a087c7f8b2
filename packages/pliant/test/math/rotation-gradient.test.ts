import { expect, it } from 'vitest'
import { composeMat4 } from '../../src/math/mat4.js'
import { quaternionOfVector } from '../../src/math/quaternion.js'
import { randomStream } from '../../src/math/random.js'
import { pullBackRotationVector } from '../../src/math/rotation-gradient.js'

/** A weighted sum of the entries of the rotation matrix of a vector. */
function sumOf(vector: ArrayLike<number>, weights: number[], matrix = new Float64Array(16)): number {
  const q = new Float64Array(4)
  quaternionOfVector(vector, 0, q, 0)
  composeMat4([0, 0, 0], q, [1, 1, 1], 0, matrix, 0)
  return weights.reduce((sum, weight, i) => sum + weight * matrix[4 * Math.floor(i / 3) + (i % 3)], 0)
}

it('is the derivative of the rotation at zero, near it, next to half a turn and beyond (seed 5)', () => {
  const random = randomStream(5)
  const angles = [0, 1e-9, 1e-4, 0.03, 0.0317, 1, Math.PI - 1e-6, Math.PI, Math.PI + 1e-6, 5]
  for (const angle of angles) {
    const axis = [random.normal(), random.normal(), random.normal()]
    const vector = axis.map((value) => (angle * value) / Math.hypot(...axis))
    const weights = Array.from({ length: 9 }, () => random.normal())
    const matrix = new Float64Array(16)
    sumOf(vector, weights, matrix)
    // M = R^T W, column by column; its skew part is the gradient by turns about the rotated axes.
    const m = (a: number, b: number): number =>
      [0, 1, 2].reduce((sum, row) => sum + matrix[4 * a + row] * weights[3 * b + row], 0)
    const turn = [m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)]
    const gradient = new Float64Array(3)
    pullBackRotationVector(vector, 0, turn, gradient, 0)
    for (let k = 0; k < 3; k++) {
      const at = (by: number) =>
        sumOf(
          vector.map((value, j) => (j === k ? value + by : value)),
          weights,
        )
      expect(gradient[k]).toBeCloseTo((at(1e-5) - at(-1e-5)) / 2e-5, 8)
    }
  }
})
