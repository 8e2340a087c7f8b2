/**
 * A capsule on each bone as a field: what game engines dress characters in, and the cheapest rival of a network.
 * The distance is exact for the union outside it, and 1-Lipschitz everywhere.
 */
import { type Box, boxCentre, boxDiagonal } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import { requireQuery, requireState } from '../math/require.js'
import type { BoneBox } from './bone-grids.js'
import { type BoneSegment, PosedSegments, requireBones, requireJointMatrices, SEGMENT_SIZE } from './bone-segments.js'
import { fitCapsules } from './fit-capsules.js'
import { answerNotFinite } from './not-finite.js'
import type { MatrixState, MovingField, SignedField } from './signed-field.js'

export class BoneCapsulesField implements MovingField<MatrixState> {
  readonly bones: readonly BoneSegment[]
  readonly #segments: PosedSegments
  readonly #normal = new Float64Array(3)

  /** Capsules as given, in the pose where all joint frames are the root frame; `update` sets another. */
  constructor(bones: readonly BoneSegment[]) {
    requireBones('bone capsules', bones)
    this.bones = bones
    this.#segments = new PosedSegments(bones)
    const joints = bones.reduce((most, { joint }) => Math.max(most, joint), 0) + 1
    this.update({ matrices: Float64Array.from({ length: 16 * joints }, (_, i) => ((i % 16) % 5 === 0 ? 1 : 0)) })
  }

  /**
   * Capsules moved and resized until their union is as near as it can be to the body at rest.
   * @param restField     the body at rest, in the root frame
   * @param restMatrices  joint to root frame at rest, column-major 4x4 per joint
   */
  static fit(bones: readonly BoneBox[], restField: SignedField, restMatrices: ArrayLike<number>): BoneCapsulesField {
    requireJointMatrices('bone capsules', bones, restMatrices)
    const field = new BoneCapsulesField(fitCapsules(bones, restField, restMatrices))
    field.update({ matrices: restMatrices })
    return field
  }

  /** @param matrices  joint to root frame, column-major 4x4 per joint; rotation with uniform scale */
  update(state: MatrixState): void {
    requireState('update', state, 'matrices')
    const { matrices } = state
    requireJointMatrices('bone capsules', this.bones, matrices)
    this.#segments.pose(matrices)
  }

  query(points: Floats, count: number, distances: Floats, gradients?: Floats): void {
    requireQuery(points, count, distances, gradients)
    const normal = this.#normal
    for (let i = 0; i < count; i++) {
      if (answerNotFinite(points, i, distances, gradients)) continue
      distances[i] = this.#at(points[3 * i], points[3 * i + 1], points[3 * i + 2], gradients !== undefined)
      if (gradients) for (let axis = 0; axis < 3; axis++) gradients[3 * i + axis] = normal[axis]
    }
  }

  bounds(box: Box): readonly [number, number] {
    const distance = this.#at(...boxCentre(box), false)
    const reach = boxDiagonal(box) / 2
    return [distance - reach, distance + reach]
  }

  #at(x: number, y: number, z: number, wantNormal: boolean): number {
    const { values } = this.#segments
    let best = Infinity
    let nearest = 0
    let nx = 0
    let ny = 0
    let nz = 0
    for (let o = 0; o < values.length; o += SEGMENT_SIZE) {
      const px = x - values[o]
      const py = y - values[o + 1]
      const pz = z - values[o + 2]
      const along = (px * values[o + 3] + py * values[o + 4] + pz * values[o + 5]) * values[o + 6]
      const t = Math.min(Math.max(along, 0), 1)
      const ex = px - t * values[o + 3]
      const ey = py - t * values[o + 4]
      const ez = pz - t * values[o + 5]
      const squared = ex * ex + ey * ey + ez * ez
      // Most bones are far: told apart without a square root.
      const limit = best + values[o + 7]
      if (limit <= 0 || squared >= limit * limit) continue
      nearest = Math.sqrt(squared)
      best = nearest - values[o + 7]
      nx = ex
      ny = ey
      nz = ez
    }
    if (wantNormal) {
      // On a segment every way out is as short: +y.
      const normal = this.#normal
      normal[0] = nearest > 0 ? nx / nearest : 0
      normal[1] = nearest > 0 ? ny / nearest : 1
      normal[2] = nearest > 0 ? nz / nearest : 0
    }
    return best
  }
}
