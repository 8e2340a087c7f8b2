/**
 * What a network in bone frames (bone-shape.ts) can be over a box. Each bone that may answer somewhere in it says what it
 * answers (bone-row-bounds.ts); the mean of these is bounded by what their weights can be: windows by how far bones can be,
 * and strengths by their difference from one of them, so that what all have in common cancels. In exact arithmetic; see
 * bounded-bones.ts.
 */
import { makePosedBones, poseBones } from '../bones/bone-choice.js'
import { type BoneNetworkShape, LEAST_SQUARE } from '../bones/bone-shape.js'
import { poseWarps } from '../bones/scalar-bone-pose.js'
import type { Tensors } from '../network.js'
import { BoneRowBounds, type EdgeForm } from './bone-row-bounds.js'
import type { Symbols } from './dense-bounds.js'
import { mixtureBounds, type Share } from './mixture.js'

/**
 * How much nearer or further bones may be taken to be than they are, relatively: kernels write a bone's number into the last
 * bits of its distance (wasm/choose.ts), 1e-5 of it.
 */
const CHOICE_SLACK = 1e-4
/** The nearest bone's window is never less. */
const LEAST_WINDOW = 1e-6

export class BoneBounds {
  readonly #shape: BoneNetworkShape
  readonly #tensors: Tensors
  readonly #posed
  readonly #warps: Float32Array
  readonly #rows: BoneRowBounds[]
  readonly #distances: Float64Array
  readonly #sorted: Float64Array

  constructor(shape: BoneNetworkShape, tensors: Tensors, symbols: Symbols) {
    this.#shape = shape
    this.#tensors = tensors
    this.#posed = makePosedBones(shape.bones.length)
    this.#warps = new Float32Array(tensors.get('warp.base')!.length)
    this.#rows = shape.bones.map((_, b) => new BoneRowBounds(shape, tensors, this.#warps, b, symbols))
    this.#distances = new Float64Array(shape.bones.length)
    this.#sorted = new Float64Array(shape.bones.length)
  }

  pose(matrices: ArrayLike<number>, drivers: ArrayLike<number>): void {
    poseBones(this.#shape, matrices, this.#posed)
    poseWarps(this.#shape, this.#tensors, drivers, this.#warps)
  }

  /** Where bones begin, and how far they go, six numbers each [m]. */
  get segments(): Float64Array {
    return this.#posed.segments
  }

  /**
   * Over the centre plus and minus each half edge [m].
   * @param halfEdges  x, y, z of each, one after the other
   * @param out        receives the lower and the upper bound [m]
   * @returns false if nothing can be promised
   */
  of(centre: ArrayLike<number>, halfEdges: ArrayLike<number>, out: Float64Array): boolean {
    const { nearest, scale } = this.#shape
    const distances = this.#distances
    const reach = reachOf(halfEdges)
    this.#measure(centre[0], centre[1], centre[2])
    const sorted = this.#sorted
    sorted.set(distances)
    sorted.sort()
    const isLimited = distances.length > nearest
    // No segment's distance changes by more than the way.
    const limit = isLimited ? sorted[nearest] : Infinity
    const far = isLimited ? Math.max(Math.abs(limit), Math.abs(sorted[0])) + reach : 0
    const slack = reach + CHOICE_SLACK * (far + scale / 100)
    const answering: number[] = []
    for (let b = 0; b < distances.length; b++) {
      if (isLimited && distances[b] - slack > limit + slack) continue
      if (!this.#rows[b].over(this.#posed.toBox, centre, halfEdges)) return false
      answering.push(b)
    }
    const [low, high] = this.#mean(answering, limit, slack)
    // Strengths beyond what floats hold.
    if (!(high - low < Infinity)) return false
    out[0] = scale * low
    out[1] = scale * high
    return true
  }

  /** Bounds of the mean, in `scale`. */
  #mean(answering: readonly number[], limit: number, slack: number): [number, number] {
    const rows = this.#rows
    const windows = answering.map((b) => this.#window(limit - this.#distances[b], 2 * slack))
    // Compared with the one that is likely to have most of the weight.
    let leader = answering[0]
    let most = -Infinity
    answering.forEach((b, i) => {
      const weight = rows[b].strength.base + Math.log(windows[i][0] + 1e-3 * windows[i][1])
      if (weight > most) [most, leader] = [weight, b]
    })
    const first = rows[leader]
    const plain: Share[] = []
    const beside: Share[] = []
    answering.forEach((b, i) => {
      const { distance, strength } = rows[b]
      const strengths = b === leader ? 0 : difference(strength, first.strength).radius
      const middle = strength.base - first.strength.base
      const least = windows[i][0] * Math.exp(middle - strengths)
      // What stays below the largest float: beyond, it has all the weight anyway.
      const weighs = { least, most: windows[i][1] * Math.exp(Math.min(middle + strengths, 600)) }
      const own = difference(distance, undefined)
      plain.push({ low: own.base - own.radius, high: own.base + own.radius, ...weighs })
      const other = b === leader ? { base: 0, radius: 0 } : difference(distance, first.distance)
      beside.push({ low: other.base - other.radius, high: other.base + other.radius, ...weighs })
    })
    const [low, high] = mixtureBounds(plain)
    const [less, more] = mixtureBounds(beside)
    const own = difference(first.distance, undefined)
    return [Math.max(low, own.base - own.radius + less), Math.min(high, own.base + own.radius + more)]
  }

  /** Least and largest window of a bone that is `room` nearer than the limit, give or take. */
  #window(room: number, slack: number): [number, number] {
    const window = (room: number): number => {
      const t = Math.min(Math.max(room / this.#shape.fade, 0), 1)
      return t * t * (3 - 2 * t)
    }
    return [window(room - slack), Math.max(LEAST_WINDOW, window(room + slack))]
  }

  /** Distance of a place from each bone's segment, less its radius. */
  #measure(x: number, y: number, z: number): void {
    const { segments } = this.#posed
    this.#shape.bones.forEach(({ radius }, b) => {
      const [sx, sy, sz, dx, dy, dz] = segments.subarray(6 * b, 6 * b + 6)
      const along = (x - sx) * dx + (y - sy) * dy + (z - sz) * dz
      const t = Math.min(Math.max(along / (dx * dx + dy * dy + dz * dz + LEAST_SQUARE), 0), 1)
      this.#distances[b] = Math.hypot(x - sx - t * dx, y - sy - t * dy, z - sz - t * dz) - radius
    })
  }
}

/** A number less another, or by itself: its middle, and how far it may be from that. */
function difference(a: EdgeForm, b: EdgeForm | undefined): { base: number; radius: number } {
  let radius = a.rest + (b?.rest ?? 0)
  for (let r = 0; r < a.edges.length; r++) radius += Math.abs(a.edges[r] - (b?.edges[r] ?? 0))
  return { base: a.base - (b?.base ?? 0), radius }
}

/** How far the box reaches from its middle: to a corner if it has few edges, else no further than all of them together. */
function reachOf(halfEdges: ArrayLike<number>): number {
  const edges = halfEdges.length / 3
  let sum = 0
  for (let r = 0; r < edges; r++) sum += Math.hypot(halfEdges[3 * r], halfEdges[3 * r + 1], halfEdges[3 * r + 2])
  if (edges > 6) return sum
  let most = 0
  for (let corner = 0; corner < 2 ** edges; corner++) {
    const at = [0, 0, 0]
    for (let r = 0; r < edges; r++) {
      const sign = (corner >> r) & 1 ? 1 : -1
      for (let axis = 0; axis < 3; axis++) at[axis] += sign * halfEdges[3 * r + axis]
    }
    most = Math.max(most, Math.hypot(at[0], at[1], at[2]))
  }
  return most
}
