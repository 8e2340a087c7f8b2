/**
 * What one bone answers over a box (bone-shape.ts): its distance s and its logit less sharpness times that, as affine forms of
 * the same symbols, so that what bones say can be compared. The way into the bone's box is affine; its clamp, warp grid,
 * static grid and head follow as in network-bounds.ts.
 */
import { type BoneNetworkShape, boneHeadInputs, gridStarts } from '../bones/bone-shape.js'
import type { DenseShape } from '../dense/dense-shape.js'
import type { Tensors } from '../network.js'
import type { GridShape } from '../network-shape.js'
import { AffineForms } from './affine-forms.js'
import { DenseBounds, type Symbols } from './dense-bounds.js'
import { GridBounds } from './grid-bounds.js'

/** Where things stand among the forms of a place: the point in the bone's box, clamped, warped, and the grids' channels. */
const SEEN = 0
const CLAMPED = 3
const WARP = 6

/** A number by the symbols of the box's edges, and how far the rest may carry it. */
export interface EdgeForm {
  base: number
  edges: Float64Array
  rest: number
}

export class BoneRowBounds {
  /** s [scale], and l - sharpness s: after `over`. */
  readonly distance: EdgeForm = { base: 0, edges: new Float64Array(0), rest: 0 }
  readonly strength: EdgeForm = { base: 0, edges: new Float64Array(0), rest: 0 }
  readonly #shape: BoneNetworkShape
  readonly #bone: number
  readonly #warp: GridBounds
  readonly #grid: GridBounds
  readonly #head: DenseBounds
  readonly #forms: AffineForms

  /** @param warps  the posed grids of all bones, kept: they change with the pose */
  constructor(shape: BoneNetworkShape, tensors: Tensors, warps: Float32Array, bone: number, symbols: Symbols) {
    this.#shape = shape
    this.#bone = bone
    const cube = { lower: [-1, -1, -1], upper: [1, 1, 1] } as const
    const r = shape.warp.resolution
    const warp: GridShape = { ...cube, resolution: [r, r, r], channels: 3 + shape.warp.features }
    const grid: GridShape = { ...cube, resolution: shape.bones[bone].nodes, channels: 2 + shape.grid.features }
    const size = r ** 3 * warp.channels
    const [from, to] = gridStarts(shape.bones).slice(bone, bone + 2)
    this.#warp = new GridBounds(warp, warps.subarray(bone * size, (bone + 1) * size))
    this.#grid = new GridBounds(grid, tensors.get('grid')!.subarray(from * grid.channels, to * grid.channels))
    const inputs = boneHeadInputs(shape)
    const head = new Map([
      ['dense.0.weight', tensors.get('head.0.weight')!],
      ['dense.0.bias', tensors.get('head.0.bias')!.subarray(bone * shape.hidden, (bone + 1) * shape.hidden)],
      ['dense.1.weight', tensors.get('head.1.weight')!],
      ['dense.1.bias', tensors.get('head.1.bias')!],
    ])
    const layers: DenseShape = { inputs, outputs: 2, hidden: [shape.hidden], activation: 'silu', output: 'linear' }
    // Symbols of the inputs must stay where they are, for what goes past the head; there are few.
    this.#head = new DenseBounds(layers, head, symbols === 'fixed' ? 'fixed' : 'all')
    this.#forms = new AffineForms(WARP + warp.channels + inputs)
  }

  /**
   * @param toBox      the way into the bone's box, all bones'
   * @param centre     of the box [m]
   * @param halfEdges  x, y, z of each [m]
   * @returns false if nothing can be promised
   */
  over(toBox: Float64Array, centre: ArrayLike<number>, halfEdges: ArrayLike<number>): boolean {
    const forms = this.#forms
    const edges = halfEdges.length / 3
    const warped = this.#warp.channels
    const grids = this.#grid.channels
    const place = WARP + warped
    const channels = place + warped
    // Symbols: the edges, three of the clamp, one for each channel of either grid.
    forms.reset(edges + 3 + warped + grids)
    const outside = this.#enter(toBox, centre, halfEdges)
    this.#warp.lookUp(forms, SEEN, WARP)
    this.#promote(WARP, warped, edges + 3)
    this.#copy(CLAMPED, place, 3)
    this.#subtract(WARP, place, 3)
    this.#copy(WARP + 3, place + 3, warped - 3)
    this.#grid.lookUp(forms, place, channels)
    this.#promote(channels, grids, edges + 3 + warped)

    const { inputs, outputs } = this.#head
    inputs.reset(forms.count)
    for (let i = 0; i < inputs.size; i++) {
      inputs.base[i] = forms.base[place + i]
      inputs.error[i] = forms.error[place + i]
      for (let r = 0; r < forms.count; r++) inputs.rows[r * inputs.size + i] = forms.rows[r * forms.size + place + i]
    }
    if (!this.#head.forward()) return false
    // s = g0 + r0 + outside, l = g1 + r1.
    this.#sum(outputs, channels, edges, outside)
    return true
  }

  /** The point in the bone's box and clamped to it. @returns least and most distance from the box, in `scale` */
  #enter(toBox: Float64Array, centre: ArrayLike<number>, halfEdges: ArrayLike<number>): [number, number] {
    const { size, base, rows, error } = this.#forms
    const edges = halfEdges.length / 3
    const { half } = this.#shape.bones[this.#bone]
    let [near, far] = [0, 0]
    for (let axis = 0; axis < 3; axis++) {
      const m = 12 * this.#bone + 4 * axis
      const map = (v: ArrayLike<number>, at: number): number =>
        toBox[m] * v[at] + toBox[m + 1] * v[at + 1] + toBox[m + 2] * v[at + 2]
      const middle = map(centre, 0) + toBox[m + 3]
      let reach = 0
      for (let r = 0; r < edges; r++) {
        const along = map(halfEdges, 3 * r)
        rows[r * size + axis] = along
        reach += Math.abs(along)
      }
      base[axis] = middle
      error[axis] = 1e-12 * (Math.abs(middle) + reach + 1)
      const [low, high] = [middle - reach, middle + reach]
      near += (half[axis] * Math.max(0, low - 1, -1 - high)) ** 2
      far += (half[axis] * Math.max(0, high - 1, -1 - low)) ** 2
      this.#clamp(axis, low, high, edges + axis)
    }
    const { scale } = this.#shape
    return [Math.sqrt(near) / scale, Math.sqrt(far) / scale]
  }

  /** The chord of the clamp to [-1, 1], and what it is off by at its kinks. */
  #clamp(axis: number, low: number, high: number, symbol: number): void {
    const { size, count, base, rows, error } = this.#forms
    const clamp = (x: number): number => Math.min(Math.max(x, -1), 1)
    const slope = high > low ? (clamp(high) - clamp(low)) / (high - low) : low >= -1 && low <= 1 ? 1 : 0
    const start = clamp(low) - slope * low
    let [least, most] = [start, start]
    for (const kink of [-1, 1]) {
      if (!(kink > low && kink < high)) continue
      least = Math.min(least, kink - slope * kink)
      most = Math.max(most, kink - slope * kink)
    }
    base[CLAMPED + axis] = slope * base[axis] + (least + most) / 2
    error[CLAMPED + axis] = error[axis]
    for (let r = 0; r < count; r++) rows[r * size + CLAMPED + axis] = slope * rows[r * size + axis]
    rows[symbol * size + CLAMPED + axis] = (most - least) / 2
  }

  /** Fresh errors become symbols, which the grids behind and the head see alike. */
  #promote(at: number, many: number, symbol: number): void {
    const { size, rows, fresh } = this.#forms
    for (let c = 0; c < many; c++) {
      rows[(symbol + c) * size + at + c] = fresh[at + c]
      fresh[at + c] = 0
    }
  }

  #copy(from: number, to: number, many: number): void {
    const { size, count, base, rows, error } = this.#forms
    for (let i = 0; i < many; i++) {
      base[to + i] = base[from + i]
      error[to + i] = error[from + i]
      for (let r = 0; r < count; r++) rows[r * size + to + i] = rows[r * size + from + i]
    }
  }

  #subtract(taken: number, from: number, many: number): void {
    const { size, count, base, rows, error } = this.#forms
    for (let i = 0; i < many; i++) {
      base[from + i] -= base[taken + i]
      error[from + i] += error[taken + i]
      for (let r = 0; r < count; r++) rows[r * size + from + i] -= rows[r * size + taken + i]
    }
  }

  #sum(head: AffineForms, grid: number, edges: number, [near, far]: readonly [number, number]): void {
    const { sharpness } = this.#shape
    const { size, count, base, rows, error } = this.#forms
    const { distance, strength } = this
    const away = (far - near) / 2
    if (distance.edges.length !== edges) {
      distance.edges = new Float64Array(edges)
      strength.edges = new Float64Array(edges)
    }
    distance.base = base[grid] + head.base[0] + (near + far) / 2
    strength.base = base[grid + 1] + head.base[1] - sharpness * distance.base
    const own = [error[grid] + head.error[0] + away, error[grid + 1] + head.error[1]]
    distance.rest = own[0]
    strength.rest = own[1] + sharpness * own[0]
    for (let r = 0; r < head.count; r++) {
      let [s, l] = [head.rows[2 * r], head.rows[2 * r + 1]]
      if (r < count) {
        s += rows[r * size + grid]
        l += rows[r * size + grid + 1]
      }
      l -= sharpness * s
      if (r < edges) {
        distance.edges[r] = s
        strength.edges[r] = l
      } else {
        distance.rest += Math.abs(s)
        strength.rest += Math.abs(l)
      }
    }
  }
}
