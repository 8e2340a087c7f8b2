/**
 * Rigid signed-distance grids on bones as a field: the strongest rival of a network in bone frames that learns nothing
 * (docs/notes/prototypes.md). Each bone carries a grid of distances to its part of the rest body, in its own box; a posed point
 * asks the nearest bones' grids and takes the smallest answer, or a soft minimum of them. What rigid parts cannot show
 * is skin that stretches over a bent joint.
 *
 * A bone's part is where its segment, less its radius, is the nearest of all. With c the surface point nearest to q, and
 * e_b the distance to a segment less radius, bone b's value at rest is
 *   d(q) + max(0, e_b(c) - min over other bones e(c)),
 * the body's own distance near the part, and more the further another part is the reason for it. Grids of the whole
 * body, which carry pieces of the neighbours along, were tried: error .465% of height instead of .168 on a human's
 * unseen clip. Parts cut out by max(d, cut) have false walls inside: .33.
 */
import type { Box, Vec3 } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import { invertAffine } from '../math/mat4.js'
import { requireFinite, requireQuery, requireState } from '../math/require.js'
import { type BoneSegment, jointScale, PosedSegments, requireBones, requireJointMatrices } from './bone-segments.js'
import { answerNotFinite } from './not-finite.js'
import type { MatrixState, MovingField, SignedField } from './signed-field.js'

/** A bone with the box that its grid fills, in the joint's frame. `BoneFrame`s are such bones. */
export interface BoneBox extends BoneSegment {
  /** [m] */
  readonly centre: Vec3
  /** Half extents [m], positive. */
  readonly half: Vec3
}

export interface BoneGridsOptions {
  /** How many bones answer a point. */
  nearest?: number
  /**
   * 0 for the hard minimum. Else the distance [m] over which a farther surface gives way to a nearer one: the mean of
   * the answers weighted by exp(-answer / softness), which agrees with them wherever they agree with each other.
   */
  softness?: number
}

export interface SampleBoneGridsOptions extends BoneGridsOptions {
  /** Nodes along each side of a box, 2 or more. */
  resolution?: number
}
export const BONE_GRIDS_DEFAULTS = { nearest: 4, softness: 0, resolution: 24 } as const

export class BoneGridsField implements MovingField<MatrixState> {
  readonly bones: readonly BoneBox[]
  readonly resolution: number
  /** Distances in joint frames [m], bone by bone, x fastest. */
  readonly values: Float32Array
  readonly nearest: number
  readonly softness: number
  readonly #segments: PosedSegments
  /** Per bone: three rows of the map from root frame to node units, lengths of a cell's sides and scale in root frame. */
  readonly #places: Float64Array
  /** Smallest value of each grid, in the joint's frame. */
  readonly #lowest: Float64Array
  readonly #chosen: Int32Array
  readonly #answers: Float64Array
  readonly #slopes: Float64Array

  /** A field in the pose where all joint frames are the root frame; `update` sets another. */
  constructor(
    bones: readonly BoneBox[],
    resolution: number,
    values: Float32Array,
    { nearest = BONE_GRIDS_DEFAULTS.nearest, softness = BONE_GRIDS_DEFAULTS.softness }: BoneGridsOptions = {},
  ) {
    requireBones('bone grids', bones)
    if (!Number.isInteger(resolution) || resolution < 2 || values.length !== bones.length * resolution ** 3) {
      throw new RangeError(
        `bone grids: ${values.length} values for ${bones.length} grids of ${resolution} nodes a side; give 2 or more a side.`,
      )
    }
    if (!Number.isInteger(nearest) || nearest < 1 || !(softness >= 0)) {
      throw new RangeError(
        `bone grids: nearest ${nearest}, softness ${softness}; give 1 or more bones and 0 m or more.`,
      )
    }
    requireFinite('bone grids', values, 'value')
    this.bones = bones
    this.resolution = resolution
    this.values = values
    this.nearest = Math.min(nearest, bones.length)
    this.softness = softness
    this.#segments = new PosedSegments(bones)
    this.#places = new Float64Array(16 * bones.length)
    const size = resolution ** 3
    this.#lowest = Float64Array.from(bones, (_, b) => {
      return values.subarray(b * size, (b + 1) * size).reduce((low, value) => Math.min(low, value), Infinity)
    })
    this.#chosen = new Int32Array(this.nearest)
    this.#answers = new Float64Array(this.nearest)
    this.#slopes = new Float64Array(3 * this.nearest)
    const joints = bones.reduce((most, { joint }) => Math.max(most, joint), 0) + 1
    this.update({ matrices: Float64Array.from({ length: 16 * joints }, (_, i) => ((i % 16) % 5 === 0 ? 1 : 0)) })
  }

  /**
   * @param restField     the body at rest, in the root frame; its gradient points away from the nearest surface point
   * @param restMatrices  joint to root frame at rest, column-major 4x4 per joint
   */
  static sample(
    bones: readonly BoneBox[],
    restField: SignedField,
    restMatrices: ArrayLike<number>,
    options: SampleBoneGridsOptions = {},
  ): BoneGridsField {
    requireJointMatrices('bone grids', bones, restMatrices)
    const r = options.resolution ?? BONE_GRIDS_DEFAULTS.resolution
    const values = new Float32Array(bones.length * r ** 3)
    const row = new Float64Array(3 * r)
    const distances = new Float64Array(r)
    const normals = new Float64Array(3 * r)
    const segments = new PosedSegments(bones)
    segments.pose(restMatrices)
    bones.forEach(({ joint, centre, half }, b) => {
      const m = 16 * joint
      const scale = jointScale(restMatrices, joint)
      const size = r ** 3
      for (let line = 0; line < r * r; line++) {
        const y = nodePlace(centre[1], half[1], line % r, r)
        const z = nodePlace(centre[2], half[2], Math.floor(line / r), r)
        for (let i = 0; i < r; i++) {
          const x = nodePlace(centre[0], half[0], i, r)
          for (let axis = 0; axis < 3; axis++) {
            row[3 * i + axis] =
              restMatrices[m + axis] * x +
              restMatrices[m + 4 + axis] * y +
              restMatrices[m + 8 + axis] * z +
              restMatrices[m + 12 + axis]
          }
        }
        restField.query(row, r, distances, normals)
        for (let i = 0; i < r; i++) {
          const d = distances[i]
          const x = row[3 * i] - d * normals[3 * i]
          const y = row[3 * i + 1] - d * normals[3 * i + 1]
          const z = row[3 * i + 2] - d * normals[3 * i + 2]
          values[b * size + line * r + i] = (d + segments.excess(b, x, y, z)) / scale
        }
      }
    })
    const field = new BoneGridsField(bones, r, values, options)
    field.update({ matrices: restMatrices })
    return field
  }

  /** @param matrices  joint frame to root frame, column-major 4x4 per joint */
  update(state: MatrixState): void {
    requireState('update', state, 'matrices')
    const { matrices } = state
    requireJointMatrices('bone grids', this.bones, matrices)
    this.#segments.pose(matrices)
    const places = this.#places
    for (let b = 0; b < this.bones.length; b++) {
      const { joint, centre, half } = this.bones[b]
      const o = 16 * b
      const scale = jointScale(matrices, joint)
      if (!invertAffine(matrices, 16 * joint, inverse, 0)) inverse.fill(0)
      for (let row = 0; row < 3; row++) {
        const perMetre = (this.resolution - 1) / (2 * half[row])
        for (let column = 0; column < 3; column++) places[o + 4 * row + column] = inverse[4 * column + row] * perMetre
        places[o + 4 * row + 3] = (inverse[12 + row] + half[row] - centre[row]) * perMetre
        places[o + 12 + row] = scale / perMetre
      }
      places[o + 15] = scale
    }
  }

  query(points: Floats, count: number, distances: Floats, gradients?: Floats): void {
    requireQuery(points, count, distances, gradients)
    for (let i = 0; i < count; i++) {
      if (answerNotFinite(points, i, distances, gradients)) continue
      distances[i] = this.#at(points[3 * i], points[3 * i + 1], points[3 * i + 2], gradients, 3 * i)
    }
  }

  /**
   * How the answer at a point hangs on the grids' values, to fit them by: the nodes that it is made of, eight for each of
   * the nearest bones, and its derivative by the value of each.
   * @param outNodes  receives indices into `values`, 8 * nearest
   * @returns the answer [m]
   */
  stencil(x: number, y: number, z: number, outNodes: Int32Array, outSlopes: Float64Array): number {
    const { nearest, softness, resolution: r } = this
    const places = this.#places
    const last = r - 1
    const answer = this.#at(x, y, z, undefined, 0)
    for (let k = 0; k < nearest; k++) {
      const own = this.#answers[k]
      const share = softness > 0 ? this.#share(k, answer) : own === answer ? 1 : 0
      const bone = this.#chosen[k]
      const o = 16 * bone
      const at = (row: number): number =>
        Math.min(
          Math.max(places[o + row] * x + places[o + row + 1] * y + places[o + row + 2] * z + places[o + row + 3], 0),
          last,
        )
      const [cu, cv, cw] = [at(0), at(4), at(8)]
      const [i, j, l] = [
        Math.min(Math.trunc(cu), last - 1),
        Math.min(Math.trunc(cv), last - 1),
        Math.min(Math.trunc(cw), last - 1),
      ]
      for (let corner = 0; corner < 8; corner++) {
        const [di, dj, dl] = [corner & 1, (corner >> 1) & 1, corner >> 2]
        outNodes[8 * k + corner] = ((bone * r + l + dl) * r + j + dj) * r + i + di
        const weight = (di ? cu - i : 1 - cu + i) * (dj ? cv - j : 1 - cv + j) * (dl ? cw - l : 1 - cw + l)
        outSlopes[8 * k + corner] = share * places[o + 15] * weight
      }
    }
    return answer
  }

  /** Derivative of the soft minimum by the k-th answer. */
  #share(k: number, mean: number): number {
    const answers = this.#answers
    let sum = 0
    for (let other = 0; other < this.nearest; other++) sum += Math.exp((answers[k] - answers[other]) / this.softness)
    return (1 - (answers[k] - mean) / this.softness) / sum
  }

  /** None: the answer jumps where another bone becomes one of the nearest. */
  bounds(_box: Box): undefined {
    return undefined
  }

  #at(x: number, y: number, z: number, outGradient: Floats | undefined, to: number): number {
    const { nearest } = this
    const answers = this.#answers
    const slopes = this.#slopes
    this.#segments.nearest(x, y, z, nearest, this.#chosen)
    const soft = this.softness > 0
    let best = Infinity
    let winner = 0
    for (let k = 0; k < nearest; k++) {
      // A grid that cannot win need not be read; in a soft minimum every answer counts.
      const answer = this.#ask(this.#chosen[k], x, y, z, soft ? Infinity : best, outGradient !== undefined, 3 * k)
      answers[k] = answer
      if (!(answer >= best)) {
        best = answer
        winner = k
      }
    }
    if (soft) return this.#blend(best, outGradient, to)
    if (outGradient) for (let axis = 0; axis < 3; axis++) outGradient[to + axis] = slopes[3 * winner + axis]
    return best
  }

  #blend(best: number, outGradient: Floats | undefined, to: number): number {
    const { nearest, softness } = this
    const answers = this.#answers
    const slopes = this.#slopes
    let sum = 0
    let mean = 0
    for (let k = 0; k < nearest; k++) {
      const weight = Math.exp((best - answers[k]) / softness)
      sum += weight
      mean += weight * answers[k]
    }
    mean /= sum
    if (outGradient) {
      let gx = 0
      let gy = 0
      let gz = 0
      for (let k = 0; k < nearest; k++) {
        const share = (Math.exp((best - answers[k]) / softness) / sum) * (1 - (answers[k] - mean) / softness)
        gx += share * slopes[3 * k]
        gy += share * slopes[3 * k + 1]
        gz += share * slopes[3 * k + 2]
      }
      outGradient[to] = gx
      outGradient[to + 1] = gy
      outGradient[to + 2] = gz
    }
    return mean
  }

  /** One grid's answer in the root frame, or Infinity if it is sure not to be below `limit`; writes its slope. */
  #ask(bone: number, x: number, y: number, z: number, limit: number, wantSlope: boolean, to: number): number {
    const places = this.#places
    const o = 16 * bone
    const last = this.resolution - 1
    const u = places[o] * x + places[o + 1] * y + places[o + 2] * z + places[o + 3]
    const v = places[o + 4] * x + places[o + 5] * y + places[o + 6] * z + places[o + 7]
    const w = places[o + 8] * x + places[o + 9] * y + places[o + 10] * z + places[o + 11]
    const cu = Math.min(Math.max(u, 0), last)
    const cv = Math.min(Math.max(v, 0), last)
    const cw = Math.min(Math.max(w, 0), last)
    const ox = (u - cu) * places[o + 12]
    const oy = (v - cv) * places[o + 13]
    const oz = (w - cw) * places[o + 14]
    const scale = places[o + 15]
    const outside = Math.sqrt(ox * ox + oy * oy + oz * oz)
    if (outside + scale * this.#lowest[bone] >= limit) return Infinity

    const { resolution: r, values: g } = this
    const i = cu < last ? Math.trunc(cu) : last - 1
    const j = cv < last ? Math.trunc(cv) : last - 1
    const k = cw < last ? Math.trunc(cw) : last - 1
    const fu = cu - i
    const fv = cv - j
    const n = ((bone * r + k) * r + j) * r + i
    const up = n + r
    const far = n + r * r
    const farUp = far + r
    // Along x first: the four edges of the cell, then across y, then z.
    const d00 = g[n + 1] - g[n]
    const d10 = g[up + 1] - g[up]
    const d01 = g[far + 1] - g[far]
    const d11 = g[farUp + 1] - g[farUp]
    const e00 = g[n] + fu * d00
    const e10 = g[up] + fu * d10
    const e01 = g[far] + fu * d01
    const e11 = g[farUp] + fu * d11
    const near = e00 + fv * (e10 - e00)
    const back = e01 + fv * (e11 - e01)
    const fw = cw - k
    if (wantSlope) {
      const dx0 = d00 + fv * (d10 - d00)
      const dx1 = d01 + fv * (d11 - d01)
      const dy0 = e10 - e00
      // Per node unit; where a coordinate was clamped, only the distance to the box varies with it.
      const su = ox === 0 ? scale * (dx0 + fw * (dx1 - dx0)) : (ox / outside) * places[o + 12]
      const sv = oy === 0 ? scale * (dy0 + fw * (e11 - e01 - dy0)) : (oy / outside) * places[o + 13]
      const sw = oz === 0 ? scale * (back - near) : (oz / outside) * places[o + 14]
      const slopes = this.#slopes
      for (let axis = 0; axis < 3; axis++) {
        slopes[to + axis] = su * places[o + axis] + sv * places[o + 4 + axis] + sw * places[o + 8 + axis]
      }
    }
    return scale * (near + fw * (back - near)) + outside
  }
}

const inverse = new Float64Array(16)

function nodePlace(centre: number, half: number, node: number, resolution: number): number {
  return centre + half * ((2 * node) / (resolution - 1) - 1)
}
