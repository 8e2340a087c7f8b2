/**
 * A voxel grid as a field: trilinear between nodes, its gradient that of the same interpolant. Outside the grid's box
 * the value at the nearest point of the box plus the distance to it, which keeps the field continuous.
 */
import type { Box } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import { requireFinite, requireQuery } from '../math/require.js'
import { answerNotFinite } from './not-finite.js'
import type { SignedField } from './signed-field.js'

/** How finely `VoxelField.sample` samples. */
export interface VoxelOptions {
  /** Nodes along the longest side of the box, 2 or more. */
  resolution?: number
}
/** What `VoxelField.sample` takes where nothing else is said. */
export const VOXEL_DEFAULTS = { resolution: 64 } as const

/**
 * A grid of distances as a field: trilinear between its nodes. Outside its box, the value at the nearest point of the
 * box plus the distance to it.
 */
export class VoxelField implements SignedField {
  /** The box that the grid fills [m]. */
  readonly box: Box
  /** Nodes along x, y, z. */
  readonly size: readonly [number, number, number]
  /** Node values [m], x fastest. */
  readonly values: Float32Array
  readonly #spacing: readonly [number, number, number]

  constructor(box: Box, size: readonly [number, number, number], values: Float32Array) {
    if (size.some((n) => !Number.isInteger(n) || n < 2) || values.length !== size[0] * size[1] * size[2]) {
      throw new RangeError(`voxel field: ${values.length} values for ${size.join(' x ')} nodes; give 2 or more a side.`)
    }
    requireFinite('voxel field', values, 'value')
    this.box = box
    this.size = size
    this.values = values
    this.#spacing = [0, 1, 2].map((axis) => (box.upper[axis] - box.lower[axis]) / (size[axis] - 1)) as never
  }

  /** Samples any field on a grid over a box, with cubic cells as nearly as whole numbers allow. */
  static sample(field: SignedField, box: Box, options: VoxelOptions = {}): VoxelField {
    const resolution = options.resolution ?? VOXEL_DEFAULTS.resolution
    const sides = [0, 1, 2].map((axis) => box.upper[axis] - box.lower[axis])
    const cell = Math.max(...sides) / (resolution - 1)
    const size = sides.map((side) => Math.max(2, Math.round(side / cell) + 1)) as [number, number, number]
    const values = new Float32Array(size[0] * size[1] * size[2])
    const row = new Float64Array(3 * size[0])
    for (let k = 0; k < size[2]; k++) {
      for (let j = 0; j < size[1]; j++) {
        for (let i = 0; i < size[0]; i++) {
          row[3 * i] = box.lower[0] + (i * sides[0]) / (size[0] - 1)
          row[3 * i + 1] = box.lower[1] + (j * sides[1]) / (size[1] - 1)
          row[3 * i + 2] = box.lower[2] + (k * sides[2]) / (size[2] - 1)
        }
        const start = (k * size[1] + j) * size[0]
        field.query(row, size[0], values.subarray(start, start + size[0]))
      }
    }
    return new VoxelField(box, size, values)
  }

  query(points: Floats, count: number, distances: Floats, gradients?: Floats): void {
    requireQuery(points, count, distances, gradients)
    for (let i = 0; i < count; i++) {
      if (answerNotFinite(points, i, distances, gradients)) continue
      distances[i] = this.#at(points, 3 * i, gradients, 3 * i)
    }
  }

  /** Smallest and largest node value of the cells that the box touches; a box that leaves the grid gets no bound. */
  bounds(box: Box): readonly [number, number] | undefined {
    const from = [0, 0, 0]
    const to = [0, 0, 0]
    for (let axis = 0; axis < 3; axis++) {
      if (box.lower[axis] < this.box.lower[axis] || box.upper[axis] > this.box.upper[axis]) return undefined
      from[axis] = this.#cell(axis, box.lower[axis])
      to[axis] = this.#cell(axis, box.upper[axis]) + 1
    }
    let low = Infinity
    let high = -Infinity
    for (let k = from[2]; k <= to[2]; k++) {
      for (let j = from[1]; j <= to[1]; j++) {
        for (let i = from[0]; i <= to[0]; i++) {
          const value = this.values[(k * this.size[1] + j) * this.size[0] + i]
          low = Math.min(low, value)
          high = Math.max(high, value)
        }
      }
    }
    return [low, high]
  }

  #cell(axis: number, coordinate: number): number {
    const cell = Math.floor((coordinate - this.box.lower[axis]) / this.#spacing[axis])
    return Math.min(Math.max(cell, 0), this.size[axis] - 2)
  }

  #at(points: Floats, offset: number, outGradient: Floats | undefined, to: number): number {
    const { box, size, values } = this
    const spacing = this.#spacing
    const x = Math.min(Math.max(points[offset], box.lower[0]), box.upper[0])
    const y = Math.min(Math.max(points[offset + 1], box.lower[1]), box.upper[1])
    const z = Math.min(Math.max(points[offset + 2], box.lower[2]), box.upper[2])
    const i = this.#cell(0, x)
    const j = this.#cell(1, y)
    const k = this.#cell(2, z)
    const u = (x - box.lower[0]) / spacing[0] - i
    const v = (y - box.lower[1]) / spacing[1] - j
    const w = (z - box.lower[2]) / spacing[2] - k
    const n = (k * size[1] + j) * size[0] + i
    const up = n + size[0]
    const far = n + size[0] * size[1]
    const farUp = far + size[0]
    // Along x first: the four edges of the cell, then across y, then z.
    const e00 = values[n] + u * (values[n + 1] - values[n])
    const e10 = values[up] + u * (values[up + 1] - values[up])
    const e01 = values[far] + u * (values[far + 1] - values[far])
    const e11 = values[farUp] + u * (values[farUp + 1] - values[farUp])
    const near = e00 + v * (e10 - e00)
    const back = e01 + v * (e11 - e01)
    const value = near + w * (back - near)
    const ox = points[offset] - x
    const oy = points[offset + 1] - y
    const oz = points[offset + 2] - z
    const outside = Math.hypot(ox, oy, oz)
    if (outGradient) {
      const dx0 = (1 - v) * (values[n + 1] - values[n]) + v * (values[up + 1] - values[up])
      const dx1 = (1 - v) * (values[far + 1] - values[far]) + v * (values[farUp + 1] - values[farUp])
      // Where a coordinate was clamped, only the distance to the box varies with it.
      outGradient[to] = ox === 0 ? (dx0 + w * (dx1 - dx0)) / spacing[0] : ox / outside
      outGradient[to + 1] = oy === 0 ? (e10 - e00 + w * (e11 - e01 - e10 + e00)) / spacing[1] : oy / outside
      outGradient[to + 2] = oz === 0 ? (back - near) / spacing[2] : oz / outside
    }
    return value + outside
  }
}
