/**
 * A field in a frame of its own, asked from outside: points go in by the inverse, gradients come back out. Rotation,
 * translation and even scale carry a signed distance over exactly; where axes are scaled unevenly the answer is exact on
 * the surface and to first order beside it, because the planes that touch the level sets carry over exactly.
 */
import { type Box, boxOfPoints } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import { invertAffine, uniformScale } from '../math/mat4.js'
import { requireNumbers, requireQuery, requireState } from '../math/require.js'
import type { FrameState, MovingField, SignedField } from './signed-field.js'

/** Relative difference of the axes up to which a scale counts as even. */
const EVEN = 1e-3

/**
 * A field that is moved, turned or scaled. Rotation, translation and even scale carry a signed distance over exactly;
 * where axes are scaled unevenly the answer is exact on the surface and to first order beside it.
 */
export class TransformedField implements MovingField<FrameState> {
  /** May be exchanged between queries, for example for the exact one. */
  field: SignedField
  /** The field's frame to that of queries, column-major 4x4, as of the last update. */
  readonly frame = new Float64Array(16)
  /** Whether distances inside are those outside but for one factor. */
  isEven = true
  /** Length outside of one metre inside; where it is uneven, the cube root of what a volume grows by. */
  scale = 1
  private spread = 0
  private readonly inverse = new Float64Array(16)
  private readonly taken = new Float64Array(16)
  private readonly corners = new Float64Array(24)
  private local = new Float64Array(0)
  private gradients = new Float64Array(0)

  /** @param frame  see `update`; left out, the field stays where it is */
  constructor(field: SignedField, frame: ArrayLike<number> = IDENTITY) {
    this.field = field
    this.update({ frame })
  }

  /** Moves the field to another frame. @throws RangeError if the frame has a scale of zero or is not finite */
  update(state: FrameState): void {
    requireState('transformed field', state, 'frame')
    const { frame } = state
    requireNumbers('transformed field', frame, 'frame value', 16)
    if (!invertAffine(frame, 0, this.taken, 0)) {
      throw new RangeError('transformed field: the frame has a scale of zero; place the body with another.')
    }
    this.frame.set(frame)
    this.inverse.set(this.taken)
    const { scale, spread } = uniformScale(frame)
    this.scale = scale
    this.spread = spread
    this.isEven = spread <= EVEN
  }

  query(points: Floats, count: number, distances: Floats, gradients?: Floats): void {
    requireQuery(points, count, distances, gradients)
    this.carryIn(points, count)
    if (!this.isEven) {
      // By how much a distance changes depends on the direction of its gradient.
      if (!gradients && this.gradients.length < 3 * count) this.gradients = new Float64Array(3 * count)
      const needed = gradients ?? this.gradients
      this.field.query(this.local, count, distances, needed)
      this.carryOutUnevenly(count, distances, needed)
      return
    }
    this.field.query(this.local, count, distances, gradients)
    if (gradients) this.carryOut(count, distances, gradients)
    else for (let i = 0; i < count; i++) distances[i] *= this.scale
  }

  /** Of the turned box that the field sees, or of the box around that; none where the frame scales unevenly. */
  bounds(box: Box): readonly [number, number] | undefined {
    if (!this.isEven) return undefined
    for (let corner = 0; corner < 8; corner++) {
      for (let axis = 0; axis < 3; axis++) {
        this.corners[3 * corner + axis] = (corner >> axis) & 1 ? box.upper[axis] : box.lower[axis]
      }
    }
    this.carryIn(this.corners, 8)
    const seen = this.local
    // Half edges: from the first corner half way to its neighbours; the middle: half way to the one opposite.
    const inside = this.field.boundsOver
      ? this.field.boundsOver({
          centre: [0, 1, 2].map((axis) => (seen[axis] + seen[21 + axis]) / 2),
          halfEdges: [3, 4, 5, 6, 7, 8, 12, 13, 14].map((at) => (seen[at] - seen[at % 3]) / 2),
        })
      : this.field.bounds(boxOfPoints(seen.subarray(0, 24)))
    if (!inside) return undefined
    // Axes that differ a little still count as even, and move distances by as much.
    const slack = this.spread * Math.max(Math.abs(inside[0]), Math.abs(inside[1]))
    return [(inside[0] - slack) * this.scale, (inside[1] + slack) * this.scale]
  }

  /** L^-1 (point - t): taken from the origin first, so that a body far away loses no digits. */
  private carryIn(points: Floats, count: number): void {
    if (this.local.length < 3 * count) this.local = new Float64Array(3 * count)
    const { local, inverse: m, frame } = this
    const [m0, m1, m2, m4, m5, m6, m8, m9, m10] = [m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]]
    const [tx, ty, tz] = [frame[12], frame[13], frame[14]]
    for (let i = 0; i < 3 * count; i += 3) {
      const x = points[i] - tx
      const y = points[i + 1] - ty
      const z = points[i + 2] - tz
      local[i] = m0 * x + m4 * y + m8 * z
      local[i + 1] = m1 * x + m5 * y + m9 * z
      local[i + 2] = m2 * x + m6 * y + m10 * z
    }
  }

  private carryOut(count: number, distances: Floats, gradients: Floats): void {
    const { frame: r, scale } = this
    const turn = 1 / scale
    const [r0, r1, r2, r4, r5, r6] = [turn * r[0], turn * r[1], turn * r[2], turn * r[4], turn * r[5], turn * r[6]]
    const [r8, r9, r10] = [turn * r[8], turn * r[9], turn * r[10]]
    for (let i = 0; i < count; i++) {
      const x = gradients[3 * i]
      const y = gradients[3 * i + 1]
      const z = gradients[3 * i + 2]
      distances[i] *= scale
      gradients[3 * i] = r0 * x + r4 * y + r8 * z
      gradients[3 * i + 1] = r1 * x + r5 * y + r9 * z
      gradients[3 * i + 2] = r2 * x + r6 * y + r10 * z
    }
  }

  /** Gradients by the inverse transpose, distances by the factor that their length changes by. */
  private carryOutUnevenly(count: number, distances: Floats, gradients: Floats): void {
    const m = this.inverse
    for (let i = 0; i < count; i++) {
      const x = gradients[3 * i]
      const y = gradients[3 * i + 1]
      const z = gradients[3 * i + 2]
      const nx = m[0] * x + m[1] * y + m[2] * z
      const ny = m[4] * x + m[5] * y + m[6] * z
      const nz = m[8] * x + m[9] * y + m[10] * z
      const length = Math.sqrt(nx * nx + ny * ny + nz * nz)
      const factor = length > 0 ? Math.sqrt(x * x + y * y + z * z) / length : this.scale
      distances[i] *= factor
      gradients[3 * i] = factor * nx
      gradients[3 * i + 1] = factor * ny
      gradients[3 * i + 2] = factor * nz
    }
  }
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
