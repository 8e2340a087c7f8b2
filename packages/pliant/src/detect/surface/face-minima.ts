/**
 * Where triangles come nearest to a field, all of them in step: one batch of points a round. The tangent planes of all places
 * asked so far bound a convex function from below; the lowest place of their largest is asked next. 3 to 7 queries a triangle
 * to 1e-3 of its size, where Frank-Wolfe is at 1e-2 after 32 and projected gradient after 16 (docs/notes/whole-surface.md).
 */
import type { SignedField } from '../../field/signed-field.js'
import type { Floats } from '../../math/floats.js'
import { lowestOfPlanes, PLANE_SIZE } from './lowest-of-planes.js'

/** Below this cosine between gradient and normal of a triangle, the side is told by all gradients together. */
const ASKEW = 0.05

export class FaceMinima {
  /** Faces being searched: the first so many entries of all arrays. */
  count = 0
  /** Face of each. */
  readonly faces: Uint32Array
  /** Least value off the corners [m]; infinite where none was found. */
  readonly least: Float64Array
  /** Where: weights of the second corner and of the third. */
  readonly shares: Float64Array
  private readonly limits: Float64Array
  private readonly tolerances: Float64Array
  /** Least known value of its corners and edges. */
  private readonly known: Float64Array
  /** Where the lowest plane of all stands: least value anywhere, its u and v. */
  private readonly lowest: Float64Array
  private readonly planes: Float64Array
  private readonly planeCounts: Uint8Array
  /** Parts of gradients along the triangle's normal: at the least place, and of all. */
  private readonly sides: Float64Array
  private readonly isBegun: Uint8Array
  private readonly active: Uint32Array
  private readonly asked: Float64Array
  private readonly points: Float64Array
  private readonly distances: Float64Array
  private readonly answers: Float64Array
  private readonly frame = new Float64Array(9)
  private readonly place = new Float64Array(3)
  private readonly stride: number

  /** @param queries  most rounds of a search */
  constructor(
    private readonly triangles: Uint32Array,
    private readonly queries: number,
  ) {
    const most = triangles.length / 3
    this.stride = PLANE_SIZE * (3 + queries)
    this.faces = new Uint32Array(most)
    this.least = new Float64Array(most)
    this.shares = new Float64Array(2 * most)
    this.limits = new Float64Array(most)
    this.tolerances = new Float64Array(most)
    this.known = new Float64Array(most)
    this.lowest = new Float64Array(3 * most)
    this.planes = new Float64Array(this.stride * most)
    this.planeCounts = new Uint8Array(most)
    this.sides = new Float64Array(2 * most)
    this.isBegun = new Uint8Array(most)
    this.active = new Uint32Array(most)
    this.asked = new Float64Array(2 * most)
    this.points = new Float64Array(3 * most)
    this.distances = new Float64Array(most)
    this.answers = new Float64Array(3 * most)
  }

  /**
   * Takes a triangle in, whose corners have been asked.
   * @param limit      what lies further out is of no use [m]
   * @param tolerance  how much deeper there may be [m]
   * @param edges      least known value of its edges [m]
   */
  add(
    face: number,
    x: Floats,
    values: Floats,
    gradients: Floats,
    limit: number,
    tolerance: number,
    edges: number,
  ): void {
    const k = this.count++
    this.faces[k] = face
    this.least[k] = Infinity
    this.limits[k] = limit
    this.tolerances[k] = tolerance
    this.planeCounts[k] = 0
    this.sides[2 * k + 1] = 0
    this.isBegun[k] = 0
    this.lowest[3 * k] = Infinity
    this.setFrame(face, x)
    for (let corner = 0; corner < 3; corner++) {
      const v = this.triangles[3 * face + corner]
      this.addPlane(k, values[v], gradients, 3 * v, corner === 1 ? 1 : 0, corner === 2 ? 1 : 0)
    }
    this.known[k] = Math.min(edges, this.lowest[3 * k])
  }

  /** @returns points asked */
  search(field: SignedField, x: Floats): number {
    const { active, points, distances, answers, asked, faces, queries } = this
    let running = this.count
    let total = 0
    for (let k = 0; k < running; k++) active[k] = k
    for (let round = 0; round < queries && running > 0; round++) {
      running = this.choosePlaces(x, running)
      if (running === 0) break
      field.query(points, running, distances, answers)
      total += running
      for (let i = 0; i < running; i++) {
        const k = active[i]
        this.isBegun[k] = 1
        this.setFrame(faces[k], x)
        const side = this.addPlane(k, distances[i], answers, 3 * i, asked[2 * i], asked[2 * i + 1])
        if (!(distances[i] < this.least[k])) continue
        this.least[k] = distances[i]
        this.shares[2 * k] = asked[2 * i]
        this.shares[2 * k + 1] = asked[2 * i + 1]
        this.sides[2 * k] = side
      }
    }
    return total
  }

  /** Where each is asked next; those that are done leave. @returns how many are left */
  private choosePlaces(x: Floats, running: number): number {
    const { active, asked, points, place, planes, planeCounts, stride } = this
    let left = 0
    for (let i = 0; i < running; i++) {
      const k = active[i]
      // The middle is asked whatever the tangents say: they know nothing of a spike between the corners.
      place[0] = 1 / 3
      place[1] = 1 / 3
      const o = 3 * this.triangles[3 * this.faces[k]]
      this.setFrame(this.faces[k], x)
      if (this.isBegun[k] === 1) {
        if (!lowestOfPlanes(planes, stride * k, planeCounts[k], place)) continue
        const least = Math.min(this.least[k], this.known[k])
        if (!(place[2] < least - this.tolerances[k]) || place[2] > this.limits[k]) continue
      }
      for (let axis = 0; axis < 3; axis++) {
        points[3 * left + axis] = x[o + axis] + place[0] * this.frame[axis] + place[1] * this.frame[3 + axis]
      }
      asked[2 * left] = place[0]
      asked[2 * left + 1] = place[1]
      active[left++] = k
    }
    return left
  }

  /**
   * The tangent plane of a place; none without a gradient. Where the field is not convex, tangents may lie above what has been
   * seen: all are lowered to the least place, or the bound would end the search.
   * @returns the part of the gradient along the triangle's normal
   */
  private addPlane(k: number, value: number, gradients: Floats, g: number, u: number, v: number): number {
    const { planes, planeCounts, lowest, frame, stride } = this
    let [alongU, alongV, side] = [0, 0, 0]
    for (let axis = 0; axis < 3; axis++) {
      alongU += gradients[g + axis] * frame[axis]
      alongV += gradients[g + axis] * frame[3 + axis]
      side += gradients[g + axis] * frame[6 + axis]
    }
    if (value < lowest[3 * k]) {
      lowest[3 * k] = value
      lowest[3 * k + 1] = u
      lowest[3 * k + 2] = v
    }
    if (!(Number.isFinite(value) && Number.isFinite(alongU + alongV))) return 0
    const at = stride * k + PLANE_SIZE * planeCounts[k]++
    planes[at] = value - alongU * u - alongV * v
    planes[at + 1] = alongU
    planes[at + 2] = alongV
    this.sides[2 * k + 1] += side
    for (let p = stride * k; p <= at; p += PLANE_SIZE) {
      const above = planes[p] + planes[p + 1] * lowest[3 * k + 1] + planes[p + 2] * lowest[3 * k + 2] - lowest[3 * k]
      if (above > 0) planes[p] -= above
    }
    return side
  }

  /** The triangle's first two sides, and its unit normal: zero if it has no area. */
  private setFrame(face: number, x: Floats): void {
    const { triangles, frame } = this
    const [a, b, c] = [3 * triangles[3 * face], 3 * triangles[3 * face + 1], 3 * triangles[3 * face + 2]]
    for (let axis = 0; axis < 3; axis++) {
      frame[axis] = x[b + axis] - x[a + axis]
      frame[3 + axis] = x[c + axis] - x[a + axis]
    }
    const nx = frame[1] * frame[5] - frame[2] * frame[4]
    const ny = frame[2] * frame[3] - frame[0] * frame[5]
    const nz = frame[0] * frame[4] - frame[1] * frame[3]
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz)
    frame[6] = length > 0 ? nx / length : 0
    frame[7] = length > 0 ? ny / length : 0
    frame[8] = length > 0 ? nz / length : 0
  }

  /**
   * The direction out of the field: at the least place within a triangle it is the triangle's own normal, on the side to which
   * the gradient points; where that points along the triangle, as on a thin pole that it has been run through by, to which most do.
   * @returns false if there is none
   */
  normal(k: number, x: Floats, out: Float64Array, o: number): boolean {
    const { sides, frame } = this
    this.setFrame(this.faces[k], x)
    const side = Math.abs(sides[2 * k]) > ASKEW ? sides[2 * k] : sides[2 * k + 1]
    if (!(Math.abs(side) > 0)) return false
    for (let axis = 0; axis < 3; axis++) out[o + axis] = Math.sign(side) * frame[6 + axis]
    return Math.hypot(out[o], out[o + 1], out[o + 2]) > 0
  }

  /** Whether a place within the triangle is in reach, and deeper than its corners and edges by more than the tolerance. */
  isDeeper(k: number): boolean {
    return this.least[k] < this.known[k] - this.tolerances[k] && this.least[k] <= this.limits[k]
  }

  /** Of the field's gradient at the least place with the triangle's normal. */
  cosine(k: number): number {
    return Math.abs(this.sides[2 * k])
  }
}
