/**
 * Where edges come nearest to a field, all of them in step: one batch of points a round. Tangents at both ends of a bracket
 * meet below a convex function and near its least place, which is asked next and becomes an end: 4 queries an edge to 1e-3
 * of its length, where golden section takes 8 to 10 (docs/notes/whole-surface.md).
 */
import type { SignedField } from '../../field/signed-field.js'
import type { Floats } from '../../math/floats.js'

/** Places nearer to an end of the bracket than this part of it tell nothing new. */
const INNER = 0.05
/** Below this cosine between gradient and direction, gradients jump there. */
const KINK = 0.9
/** Bracketing gradients that nearly cancel out have no direction in common. */
const NO_DIRECTION = 0.05

export class EdgeMinima {
  /** Edges being searched: the first so many entries of all arrays. */
  count = 0
  /** Edge of each. */
  readonly edges: Uint32Array
  /** Least value between the ends [m]; infinite where none was found. */
  readonly least: Float64Array
  /** Where: share of the way from the first end to the second. */
  readonly shares: Float64Array
  /** The field's gradient there. */
  readonly gradients: Float64Array
  private readonly limits: Float64Array
  private readonly tolerances: Float64Array
  /** Of each bracket's two ends: share, value, slope along the whole edge, gradient. */
  private readonly brackets: Float64Array
  private readonly isBegun: Uint8Array
  private readonly active: Uint32Array
  private readonly asked: Float64Array
  private readonly points: Float64Array
  private readonly distances: Float64Array
  private readonly answers: Float64Array

  /** @param ends  two vertices an edge */
  constructor(private readonly ends: Uint32Array) {
    const most = ends.length / 2
    this.edges = new Uint32Array(most)
    this.least = new Float64Array(most)
    this.shares = new Float64Array(most)
    this.gradients = new Float64Array(3 * most)
    this.limits = new Float64Array(most)
    this.tolerances = new Float64Array(most)
    this.brackets = new Float64Array(2 * END * most)
    this.isBegun = new Uint8Array(most)
    this.active = new Uint32Array(most)
    this.asked = new Float64Array(most)
    this.points = new Float64Array(3 * most)
    this.distances = new Float64Array(most)
    this.answers = new Float64Array(3 * most)
  }

  /**
   * Takes an edge in, whose ends have been asked.
   * @param limit      what lies further out is of no use [m]
   * @param tolerance  how much deeper there may be [m]
   * @param steepest   most that the field falls by along the edge [m], for ends that have no gradient
   */
  add(
    edge: number,
    x: Floats,
    values: Floats,
    gradients: Floats,
    limit: number,
    tolerance: number,
    steepest: number,
  ): void {
    const k = this.count++
    this.edges[k] = edge
    this.least[k] = Infinity
    this.limits[k] = limit
    this.tolerances[k] = tolerance
    this.isBegun[k] = 0
    const [a, b] = [this.ends[2 * edge], this.ends[2 * edge + 1]]
    for (let side = 0; side < 2; side++) {
      const v = side === 0 ? a : b
      const at = END * (2 * k + side)
      let slope = 0
      for (let axis = 0; axis < 3; axis++) {
        this.brackets[at + 3 + axis] = gradients[3 * v + axis]
        slope += gradients[3 * v + axis] * (x[3 * b + axis] - x[3 * a + axis])
      }
      this.brackets[at] = side
      this.brackets[at + 1] = values[v]
      this.brackets[at + 2] = Number.isFinite(slope) ? slope : side === 0 ? -steepest : steepest
    }
  }

  /** @param queries  most rounds @returns points asked */
  search(field: SignedField, x: Floats, queries: number): number {
    const { active, points, distances, answers } = this
    let running = this.count
    let total = 0
    for (let k = 0; k < running; k++) active[k] = k
    for (let round = 0; round < queries && running > 0; round++) {
      running = this.choosePlaces(x, running)
      if (running === 0) break
      field.query(points, running, distances, answers)
      total += running
      for (let i = 0; i < running; i++) this.take(active[i], x, i)
    }
    return total
  }

  /** Where each is asked next; those that are done leave. @returns how many are left */
  private choosePlaces(x: Floats, running: number): number {
    const { active, brackets, asked, points, ends, edges } = this
    let left = 0
    for (let i = 0; i < running; i++) {
      const k = active[i]
      const at = 2 * END * k
      const [low, lowValue, lowSlope] = [brackets[at], brackets[at + 1], brackets[at + 2]]
      const [high, highValue, highSlope] = [brackets[at + END], brackets[at + END + 1], brackets[at + END + 2]]
      const isValley = lowSlope < 0 && highSlope > 0
      let place = (low + high) / 2
      if (isValley) {
        const meet = (highValue - lowValue + lowSlope * low - highSlope * high) / (lowSlope - highSlope)
        const margin = INNER * (high - low)
        place = Math.min(high - margin, Math.max(low + margin, meet))
      }
      // The first place is asked whatever the tangents say: they know nothing of a spike between the ends.
      if (this.isBegun[k] === 1) {
        const floor = isValley ? lowValue + lowSlope * (place - low) : Math.min(lowValue, highValue)
        const least = Math.min(this.least[k], lowValue, highValue)
        if (!(floor < least - this.tolerances[k]) || floor > this.limits[k]) continue
      }
      const a = 3 * ends[2 * edges[k]]
      const b = 3 * ends[2 * edges[k] + 1]
      for (let axis = 0; axis < 3; axis++) {
        points[3 * left + axis] = x[a + axis] + place * (x[b + axis] - x[a + axis])
      }
      asked[left] = place
      active[left++] = k
    }
    return left
  }

  /** An answer becomes an end of the bracket. */
  private take(k: number, x: Floats, i: number): void {
    const { brackets, answers, ends, edges } = this
    const value = this.distances[i]
    const a = 3 * ends[2 * edges[k]]
    const b = 3 * ends[2 * edges[k] + 1]
    let slope = 0
    for (let axis = 0; axis < 3; axis++) slope += answers[3 * i + axis] * (x[b + axis] - x[a + axis])
    this.isBegun[k] = 1
    if (value < this.least[k]) {
      this.least[k] = value
      this.shares[k] = this.asked[i]
      for (let axis = 0; axis < 3; axis++) this.gradients[3 * k + axis] = answers[3 * i + axis]
    }
    const at = END * (2 * k + (slope < 0 ? 0 : 1))
    brackets[at] = this.asked[i]
    brackets[at + 1] = value
    // Without a direction there is nothing to go on by: an end that says that the other is no lower.
    brackets[at + 2] = Number.isFinite(slope) ? slope : 0
    for (let axis = 0; axis < 3; axis++) brackets[at + 3 + axis] = answers[3 * i + axis]
  }

  /**
   * The direction out of the field, across the edge: the mixture of both bracketing gradients that has no slope along it. Where
   * gradients jump, as on the axis of a spike, that near the jump may point anywhere; there those at the edge's ends tell more.
   * @param ofVertices  gradients at all vertices
   * @returns false if there is none
   */
  normal(k: number, x: Floats, ofVertices: Floats, out: Float64Array, o: number): boolean {
    const { brackets, gradients, ends, edges } = this
    const low = 2 * END * k
    const high = low + END
    let isFound = mix(brackets, low + 3, brackets[low + 2], brackets, high + 3, brackets[high + 2], out, o)
    if (isFound && this.cosine(k, out, o) > KINK) return true
    const a = 3 * ends[2 * edges[k]]
    const b = 3 * ends[2 * edges[k] + 1]
    let [slopeA, slopeB] = [0, 0]
    for (let axis = 0; axis < 3; axis++) {
      slopeA += ofVertices[a + axis] * (x[b + axis] - x[a + axis])
      slopeB += ofVertices[b + axis] * (x[b + axis] - x[a + axis])
    }
    isFound = mix(ofVertices, a, slopeA, ofVertices, b, slopeB, out, o)
    return isFound || mix(gradients, 3 * k, -1, gradients, 3 * k, 1, out, o)
  }

  /** Of the field's gradient at the least place with a unit vector. */
  cosine(k: number, normals: Float64Array, o: number): number {
    const { gradients: g } = this
    return g[3 * k] * normals[o] + g[3 * k + 1] * normals[o + 1] + g[3 * k + 2] * normals[o + 2]
  }
}

/** Numbers of an end of a bracket. */
const END = 6

/** The unit vector along the mixture of p and q whose slopes cancel out. @returns false if there is none */
function mix(
  p: Floats,
  i: number,
  slopeP: number,
  q: Floats,
  j: number,
  slopeQ: number,
  out: Float64Array,
  o: number,
): boolean {
  const share = slopeQ - slopeP > 0 ? Math.min(1, Math.max(0, slopeQ / (slopeQ - slopeP))) : Number.NaN
  for (let axis = 0; axis < 3; axis++) out[o + axis] = share * p[i + axis] + (1 - share) * q[j + axis]
  const length = Math.sqrt(out[o] ** 2 + out[o + 1] ** 2 + out[o + 2] ** 2)
  for (let axis = 0; axis < 3; axis++) out[o + axis] /= length
  return length > NO_DIRECTION && length < Infinity
}
