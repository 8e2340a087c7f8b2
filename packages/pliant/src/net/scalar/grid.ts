/**
 * Trilinear grid lookup and its reverse-mode gradient, one point at a time. The cell and the fraction are computed in
 * single precision in the order that the SIMD kernels use, so that all backends agree on the cell a point lies in.
 */
import type { GridShape } from '../network-shape.js'

const { fround } = Math

export class ScalarGrid {
  readonly #shape: GridShape
  readonly #data: Float32Array
  readonly #lower: Float32Array
  /** Nodes per unit length along each axis. */
  readonly #scale: Float32Array
  // The cell of the last locate(): offset of its first corner, fraction and derivative of the fraction per axis.
  #corner = 0
  readonly #fraction = new Float64Array(3)
  readonly #slope = new Float64Array(3)
  readonly #strides: readonly [number, number, number]
  readonly #corners = new Float64Array(8)

  constructor(shape: GridShape, data: Float32Array) {
    this.#shape = shape
    this.#data = data
    this.#lower = Float32Array.from(shape.lower)
    this.#scale = gridScale(shape)
    const [nx, ny] = shape.resolution
    this.#strides = [shape.channels, nx * shape.channels, nx * ny * shape.channels]
  }

  /** Writes the channels at the point position[at..at+3) to out[outAt..). */
  sample(position: Float64Array, at: number, out: Float64Array, outAt: number): void {
    this.#locate(position, at)
    const [fx, fy, fz] = this.#fraction
    for (let c = 0; c < this.#shape.channels; c++) {
      const v = this.#gather(c)
      const low = mix(mix(v[0], v[1], fx), mix(v[2], v[3], fx), fy)
      const high = mix(mix(v[4], v[5], fx), mix(v[6], v[7], fx), fy)
      out[outAt + c] = mix(low, high, fz)
    }
  }

  /** Adds the transposed Jacobian times upstream[upstreamAt..) to gradient[0..3). */
  pullBack(
    position: Float64Array,
    at: number,
    upstream: Float64Array,
    upstreamAt: number,
    gradient: Float64Array,
    gradientAt: number,
  ): void {
    this.#locate(position, at)
    const [fx, fy, fz] = this.#fraction
    for (let c = 0; c < this.#shape.channels; c++) {
      const g = upstream[upstreamAt + c]
      const v = this.#gather(c)
      const dx = mix(mix(v[1] - v[0], v[3] - v[2], fy), mix(v[5] - v[4], v[7] - v[6], fy), fz)
      const dy = mix(mix(v[2] - v[0], v[3] - v[1], fx), mix(v[6] - v[4], v[7] - v[5], fx), fz)
      const dz = mix(mix(v[4] - v[0], v[5] - v[1], fx), mix(v[6] - v[2], v[7] - v[3], fx), fy)
      gradient[gradientAt] += g * dx * this.#slope[0]
      gradient[gradientAt + 1] += g * dy * this.#slope[1]
      gradient[gradientAt + 2] += g * dz * this.#slope[2]
    }
  }

  #locate(position: Float64Array, at: number): void {
    this.#corner = 0
    for (let axis = 0; axis < 3; axis++) {
      const last = this.#shape.resolution[axis] - 1
      const t = fround(fround(fround(position[at + axis]) - this.#lower[axis]) * this.#scale[axis])
      const clamped = Math.min(Math.max(t, 0), last)
      // `| 0` sends NaN to cell 0; the fraction stays NaN and shows in the output.
      const cell = Math.min(clamped | 0, last - 1)
      this.#corner += cell * this.#strides[axis]
      this.#fraction[axis] = fround(clamped - cell)
      this.#slope[axis] = t >= 0 && t <= last ? this.#scale[axis] : 0
    }
  }

  /** Values of channel c at the cell's corners; corner bit 0 is +x, bit 1 +y, bit 2 +z. */
  #gather(c: number): Float64Array {
    const [sx, sy, sz] = this.#strides
    for (let corner = 0; corner < 8; corner++) {
      const offset = (corner & 1 ? sx : 0) + (corner & 2 ? sy : 0) + (corner & 4 ? sz : 0)
      this.#corners[corner] = this.#data[this.#corner + c + offset]
    }
    return this.#corners
  }
}

/** Nodes per unit length along x, y, z, in the single precision that every backend uses. */
export function gridScale(shape: GridShape): Float32Array {
  return Float32Array.from([0, 1, 2], (axis) => (shape.resolution[axis] - 1) / (shape.upper[axis] - shape.lower[axis]))
}

function mix(a: number, b: number, t: number): number {
  return a + t * (b - a)
}
