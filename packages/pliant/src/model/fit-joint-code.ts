/**
 * The code whose shape is nearest to given vertices, in the least squares sense. Joints are first turned one by one, from
 * the root outwards, so that the vertices that are mostly theirs fit (angles from zero on would end in wrong minima for
 * arms that are up); then all together, by Levenberg-Marquardt with derivatives by differences. A thousand vertices
 * spread over the body say as much about a few dozen angles as all of them.
 */
import type { Floats } from '../math/floats.js'
import { decomposeMat4 } from '../math/mat4.js'
import { conjugateQuaternion, multiplyQuaternions, normaliseQuaternion } from '../math/quaternion.js'
import type { SkinnedCharacter } from './skinned-character.js'
import { skinMatrices } from './skinned-surface.js'
import { skinLinear } from './skinning.js'

const MOST_VERTICES = 1000
const MOST_STEPS = 60
/** A start for the refinement is all that is needed. */
const POWER_STEPS = 200
/** Step of the differences [1/pi rad]: far above rounding, far below where angles bend. */
const DIFFERENCE = 1e-5
/** Stop when a step lowers the sum of squares by less than this share. */
const SMALLEST_GAIN = 1e-12

export function fitJointCode(
  model: Pick<SkinnedCharacter, 'codeSize' | 'bounds' | 'vertexCount' | 'positions' | 'surface' | 'code'>,
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
  const code = turnJointByJoint(model, target)
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
      for (let i = 0; i < size; i++) tried[i] = Math.min(1, Math.max(-1, code[i] - change[i]))
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

/** The vertices of a joint are those that it moves by more than half. */
function turnJointByJoint(
  model: Pick<SkinnedCharacter, 'surface' | 'code' | 'codeSize'>,
  target: Floats,
): Float64Array {
  const { surface, code } = model
  const skeleton = code.carried
  const { influenceStarts, influenceBones, influenceWeights, bones, bound } = surface
  const owned = skeleton.names.map(() => [] as number[])
  for (let vertex = 0; vertex < bound.length / 3; vertex++) {
    const heaviest = influenceStarts[vertex]
    if (influenceWeights[heaviest] > 0.5) owned[bones.joints[influenceBones[heaviest]]].push(vertex)
  }
  const fitted = new Float64Array(model.codeSize)
  const pose = skeleton.createPose()
  const posed = new Float64Array(bound.length)
  const matrices = new Float64Array(16 * skeleton.jointCount)
  const skin = new Float64Array(16 * bones.joints.length)
  code.encodeCarried(code.carriedFixed, fitted)
  code.decodeCarried(fitted, pose)
  const turn = new Float64Array(4)
  const frame = new Float64Array(4)
  const scale = new Float64Array(3)
  for (const joint of skeleton.order.filter((one) => code.joints.includes(one))) {
    if (owned[joint].length < 3) continue
    skeleton.matrices(pose, matrices)
    skinMatrices(bones, matrices, skin)
    skinLinear(surface, skin, bound, posed)
    bestTurn(posed, target, owned[joint], matrices.subarray(16 * joint + 12, 16 * joint + 15), turn)
    // The turn is in the root frame; the joint's rotation is in its parent's: local' = P^-1 turn P local.
    decomposeMat4(matrices, 16 * skeleton.parents[joint], frame, 0, scale, 0)
    multiplyQuaternions(turn, 0, frame, 0, turn, 0)
    conjugateQuaternion(frame, 0, frame, 0)
    multiplyQuaternions(frame, 0, turn, 0, turn, 0)
    multiplyQuaternions(turn, 0, pose.rotations, 4 * joint, pose.rotations, 4 * joint)
  }
  code.encodeCarried(pose, fitted)
  return fitted
}

/**
 * The rotation about `centre` that best carries some of the points `from` onto `to` (Horn 1987): the eigenvector of a
 * symmetric 4x4 matrix to its largest eigenvalue, by power iteration on the matrix shifted to be positive.
 */
export function bestTurn(
  from: Floats,
  to: Floats,
  points: readonly number[],
  centre: ArrayLike<number>,
  out: Float64Array,
): void {
  const s = new Float64Array(9)
  let size = 0
  for (const point of points) {
    for (let a = 0; a < 3; a++) {
      const x = from[3 * point + a] - centre[a]
      for (let b = 0; b < 3; b++) {
        const y = to[3 * point + b] - centre[b]
        s[3 * a + b] += x * y
        if (a === b) size += x * x + y * y
      }
    }
  }
  // biome-ignore format: a matrix, rows x, y, z, w
  const k = [
    s[0] - s[4] - s[8] + size, s[1] + s[3], s[2] + s[6], s[5] - s[7],
    s[1] + s[3], s[4] - s[0] - s[8] + size, s[5] + s[7], s[6] - s[2],
    s[2] + s[6], s[5] + s[7], s[8] - s[0] - s[4] + size, s[1] - s[3],
    s[5] - s[7], s[6] - s[2], s[1] - s[3], s[0] + s[4] + s[8] + size,
  ]
  out.set([0.1, 0.1, 0.1, 1])
  const next = new Float64Array(4)
  for (let step = 0; step < POWER_STEPS; step++) {
    for (let row = 0; row < 4; row++) {
      next[row] = k[4 * row] * out[0] + k[4 * row + 1] * out[1] + k[4 * row + 2] * out[2] + k[4 * row + 3] * out[3]
    }
    normaliseQuaternion(next, 0)
    out.set(next)
  }
}
