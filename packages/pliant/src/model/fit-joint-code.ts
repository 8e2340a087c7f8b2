/**
 * The code whose shape is nearest to given vertices, in the least squares sense: Levenberg-Marquardt with derivatives by
 * differences. A thousand vertices spread over the body say as much about a few dozen angles as all of them.
 */
import type { Floats } from '../math/floats.js'
import type { ReducedModel } from './reduced-model.js'

const MOST_VERTICES = 1000
const MOST_STEPS = 60
/** Step of the differences [1/pi rad]: far above rounding, far below where angles bend. */
const DIFFERENCE = 1e-5
/** Stop when a step lowers the sum of squares by less than this share. */
const SMALLEST_GAIN = 1e-12

export function fitJointCode(
  model: Pick<ReducedModel, 'codeSize' | 'bounds' | 'vertexCount' | 'positions'>,
  target: Floats,
  out: Floats,
): void {
  const { codeSize: size, vertexCount } = model
  const stride = Math.max(1, Math.floor(vertexCount / MOST_VERTICES))
  const chosen = Uint32Array.from({ length: Math.ceil(vertexCount / stride) }, (_, i) => i * stride)
  const rows = 3 * chosen.length
  const shape = new Float64Array(3 * vertexCount)
  const residualAt = (code: Float64Array, residual: Float64Array): number => {
    model.positions(code, shape)
    let sum = 0
    chosen.forEach((vertex, i) => {
      for (let axis = 0; axis < 3; axis++) {
        const difference = shape[3 * vertex + axis] - target[3 * vertex + axis]
        residual[3 * i + axis] = difference
        sum += difference * difference
      }
    })
    return sum
  }
  const code = Float64Array.from(model.bounds.lower, (low, i) => clamp(0, low, model.bounds.upper[i]))
  const tried = new Float64Array(size)
  const residual = new Float64Array(rows)
  const other = new Float64Array(rows)
  const jacobian = new Float64Array(size * rows)
  let error = residualAt(code, residual)
  let damping = 1e-3
  for (let step = 0; step < MOST_STEPS && error > 0; step++) {
    for (let entry = 0; entry < size; entry++) {
      tried.set(code)
      tried[entry] += DIFFERENCE
      residualAt(tried, other)
      for (let row = 0; row < rows; row++) jacobian[entry * rows + row] = (other[row] - residual[row]) / DIFFERENCE
    }
    let better = error
    for (; damping < 1e9; damping *= 8) {
      const change = dampedStep(jacobian, residual, size, damping)
      for (let i = 0; i < size; i++) tried[i] = clamp(code[i] - change[i], -1, 1)
      better = residualAt(tried, other)
      if (better < error) break
    }
    if (!(better < error)) break
    const gain = (error - better) / error
    code.set(tried)
    residual.set(other)
    error = better
    damping = Math.max(1e-9, damping / 20)
    if (gain < SMALLEST_GAIN) break
  }
  out.set(code)
}

/** Solves (J^T J + damping diag(J^T J)) x = J^T r by Cholesky; entries that move nothing stay. */
function dampedStep(jacobian: Float64Array, residual: Float64Array, size: number, damping: number): Float64Array {
  const rows = residual.length
  const normal = new Float64Array(size * size)
  const x = new Float64Array(size)
  for (let a = 0; a < size; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = 0
      for (let row = 0; row < rows; row++) sum += jacobian[a * rows + row] * jacobian[b * rows + row]
      normal[a * size + b] = sum
    }
    for (let row = 0; row < rows; row++) x[a] += jacobian[a * rows + row] * residual[row]
    normal[a * size + a] = normal[a * size + a] * (1 + damping) + 1e-30
  }
  for (let a = 0; a < size; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = normal[a * size + b]
      for (let k = 0; k < b; k++) sum -= normal[a * size + k] * normal[b * size + k]
      normal[a * size + b] = a === b ? Math.sqrt(Math.max(sum, 1e-30)) : sum / normal[b * size + b]
    }
    let sum = x[a]
    for (let k = 0; k < a; k++) sum -= normal[a * size + k] * x[k]
    x[a] = sum / normal[a * size + a]
  }
  for (let a = size - 1; a >= 0; a--) {
    let sum = x[a]
    for (let k = a + 1; k < size; k++) sum -= normal[k * size + a] * x[k]
    x[a] = sum / normal[a * size + a]
  }
  return x
}

function clamp(value: number, lower: number, upper: number): number {
  return Math.min(upper, Math.max(lower, value))
}
