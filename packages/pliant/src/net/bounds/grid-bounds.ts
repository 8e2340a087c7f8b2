/**
 * A trilinear grid over a box: for each channel the plane that fits it best there, and how far the grid leaves it. Between
 * the box's sides and the planes of nodes that it crosses, the grid is trilinear, and so is its difference from a plane;
 * that is largest and least at corners of those pieces, so the strip around the plane is exact, in one cell or many, and
 * where the grid holds its edge's value beyond its box.
 */
import type { GridShape } from '../network-shape.js'
import { gridScale } from '../scalar/grid.js'
import type { AffineForms } from './affine-forms.js'

/** Of the values met, what rounding may take from a plane. */
const DIGITS = 1e-13
/** Beyond so many values, a box is so large that the least and the largest node in it say as much as a plane. */
const MOST_VALUES = 1 << 20

export class GridBounds {
  readonly channels: number
  readonly #shape: GridShape
  readonly #data: Float32Array
  readonly #lower: Float32Array
  readonly #scale: Float32Array
  /** Where pieces begin and end along each axis, in cells. */
  readonly #cuts: number[][] = [[], [], []]
  readonly #slopes: Float64Array
  readonly #bases: Float64Array
  readonly #low: Float64Array
  readonly #high: Float64Array
  #values = new Float64Array(0)

  /** @param data  [nz, ny, nx, channels]; kept, so it may change with the pose */
  constructor(shape: GridShape, data: Float32Array) {
    this.channels = shape.channels
    this.#shape = shape
    this.#data = data
    // In single precision, as every backend has them.
    this.#lower = Float32Array.from(shape.lower)
    this.#scale = gridScale(shape)
    this.#slopes = new Float64Array(3 * shape.channels)
    this.#bases = new Float64Array(shape.channels)
    this.#low = new Float64Array(shape.channels)
    this.#high = new Float64Array(shape.channels)
  }

  /**
   * Channels at the place that forms[at..at+3) say, as forms[to..to+channels) of the same symbols; the strips' spreads as
   * their fresh errors. The target's columns must be empty.
   */
  lookUp(forms: AffineForms, at: number, to: number): void {
    const { size, count, rows, base, error, fresh } = forms
    const place: number[] = []
    for (let axis = 0; axis < 3; axis++) {
      const radius = forms.radius(at + axis)
      // In cells, wherever beyond the grid.
      const middle = (base[at + axis] - this.#lower[axis]) * this.#scale[axis]
      const reach = radius * this.#scale[axis]
      place.push(middle)
      this.#cut(axis, middle - reach, middle + reach)
    }
    this.#fit(place)
    const slopes = this.#slopes
    for (let c = 0; c < this.channels; c++) {
      base[to + c] = this.#bases[c] + (this.#low[c] + this.#high[c]) / 2
      const size = Math.abs(this.#bases[c]) + Math.max(-this.#low[c], this.#high[c])
      fresh[to + c] = (this.#high[c] - this.#low[c]) / 2 + DIGITS * size
      let own = 0
      for (let axis = 0; axis < 3; axis++) {
        const i = at + axis
        own += Math.abs(slopes[3 * c + axis] * this.#scale[axis]) * (error[i] + fresh[i])
      }
      error[to + c] = own
    }
    for (let r = 0; r < count; r++) {
      const row = r * size
      const x = rows[row + at] * this.#scale[0]
      const y = rows[row + at + 1] * this.#scale[1]
      const z = rows[row + at + 2] * this.#scale[2]
      if (x === 0 && y === 0 && z === 0) continue
      for (let c = 0; c < this.channels; c++) {
        rows[row + to + c] = slopes[3 * c] * x + slopes[3 * c + 1] * y + slopes[3 * c + 2] * z
      }
    }
  }

  #cut(axis: number, from: number, to: number): void {
    const cuts = this.#cuts[axis]
    const last = this.#shape.resolution[axis] - 1
    cuts.length = 0
    cuts.push(from)
    // Beyond its ends the grid is level, so that either end is a cut and nothing behind it.
    for (let knot = Math.max(0, Math.floor(from) + 1); knot <= last && knot < to; knot++) cuts.push(knot)
    if (to > from) cuts.push(to)
  }

  /** Plane and strip of every channel; the plane by least squares over the corners, which are a grid: axis by axis. */
  #fit(place: readonly number[]): void {
    const [xs, ys, zs] = this.#cuts
    const { channels } = this
    const corners = xs.length * ys.length * zs.length
    if (corners * channels > MOST_VALUES) {
      this.#level()
      return
    }
    if (this.#values.length < corners * channels) this.#values = new Float64Array(2 * corners * channels)
    const values = this.#values
    let next = 0
    for (const z of zs) for (const y of ys) for (const x of xs) next = this.#read(x, y, z, next)

    const means = this.#cuts.map((cuts) => cuts.reduce((sum, cut) => sum + cut, 0) / cuts.length)
    const squares = this.#cuts.map((cuts, axis) => cuts.reduce((sum, cut) => sum + (cut - means[axis]) ** 2, 0))
    const weights = squares.map((square, axis) => {
      const others = corners / this.#cuts[axis].length
      return square > 0 ? 1 / (square * others) : 0
    })
    const [slopes, bases] = [this.#slopes.fill(0), this.#bases.fill(0)]
    next = 0
    for (const z of zs) {
      for (const y of ys) {
        for (const x of xs) {
          const wx = (x - means[0]) * weights[0]
          const wy = (y - means[1]) * weights[1]
          const wz = (z - means[2]) * weights[2]
          for (let c = 0; c < channels; c++) {
            const value = values[next++]
            bases[c] += value / corners
            slopes[3 * c] += wx * value
            slopes[3 * c + 1] += wy * value
            slopes[3 * c + 2] += wz * value
          }
        }
      }
    }
    const [low, high] = [this.#low.fill(Infinity), this.#high.fill(-Infinity)]
    // From here on the plane is counted from where the forms have their base.
    for (let c = 0; c < channels; c++) {
      for (let axis = 0; axis < 3; axis++) bases[c] += slopes[3 * c + axis] * (place[axis] - means[axis])
    }
    next = 0
    for (const z of zs) {
      for (const y of ys) {
        for (const x of xs) {
          const [dx, dy, dz] = [x - place[0], y - place[1], z - place[2]]
          for (let c = 0; c < channels; c++) {
            const plane = bases[c] + slopes[3 * c] * dx + slopes[3 * c + 1] * dy + slopes[3 * c + 2] * dz
            const rest = values[next++] - plane
            if (!(rest >= low[c])) low[c] = rest
            if (!(rest <= high[c])) high[c] = rest
          }
        }
      }
    }
  }

  /** A level plane: between the least and the largest of all nodes around the box. */
  #level(): void {
    const { resolution } = this.#shape
    const [nodes, channels, low, high] = [this.#data, this.channels, this.#low, this.#high]
    const ends = this.#cuts.map((cuts, axis) => {
      const within = (cut: number): number => Math.min(Math.max(cut, 0), resolution[axis] - 1)
      return [Math.floor(within(cuts[0])), Math.ceil(within(cuts[cuts.length - 1]))]
    })
    this.#slopes.fill(0)
    this.#bases.fill(0)
    low.fill(Infinity)
    high.fill(-Infinity)
    for (let k = ends[2][0]; k <= ends[2][1]; k++) {
      for (let j = ends[1][0]; j <= ends[1][1]; j++) {
        for (let i = ends[0][0]; i <= ends[0][1]; i++) {
          const at = ((k * resolution[1] + j) * resolution[0] + i) * channels
          for (let c = 0; c < channels; c++) {
            low[c] = Math.min(low[c], nodes[at + c])
            high[c] = Math.max(high[c], nodes[at + c])
          }
        }
      }
    }
  }

  /** The channels at a place in cells, to values[next..). */
  #read(x: number, y: number, z: number, next: number): number {
    const { resolution } = this.#shape
    const { channels } = this
    const data = this.#data
    const u = Math.min(Math.max(x, 0), resolution[0] - 1)
    const v = Math.min(Math.max(y, 0), resolution[1] - 1)
    const w = Math.min(Math.max(z, 0), resolution[2] - 1)
    const i = Math.min(Math.floor(u), resolution[0] - 2)
    const j = Math.min(Math.floor(v), resolution[1] - 2)
    const k = Math.min(Math.floor(w), resolution[2] - 2)
    const [fx, fy, fz] = [u - i, v - j, w - k]
    const up = resolution[0] * channels
    const far = resolution[1] * up
    const at = k * far + j * up + i * channels
    const [values, step] = [this.#values, channels]
    for (let c = 0; c < channels; c++) {
      const n = at + c
      const nearLow = data[n] + fx * (data[n + step] - data[n])
      const nearHigh = data[n + up] + fx * (data[n + up + step] - data[n + up])
      const farLow = data[n + far] + fx * (data[n + far + step] - data[n + far])
      const farHigh = data[n + far + up] + fx * (data[n + far + up + step] - data[n + far + up])
      const near = nearLow + fy * (nearHigh - nearLow)
      values[next + c] = near + fz * (farLow + fy * (farHigh - farLow) - near)
    }
    return next + channels
  }
}
