/**
 * All that a step may not do, as one list of rows over the velocities of all bodies (Eq. 19 and 23 of Cai et al.):
 * contacts, friction, pulls, self-contact and the ends of codes. Flat arrays that grow and never shrink.
 *
 * Velocities of a body are 6 + r numbers: of the centre of mass [m/s], angular [rad/s], of the code [1/s]. A row has a
 * block for one body or for two.
 */

/** J v >= bound, impulse >= 0. */
export const AT_LEAST = 0
/** J v + compliance * impulse = bound, impulse within +/- limit. */
export const SOFT = 1
/** First of two rows: J v = bound as far as the impulse of both stays in a disc, `limit` times that of row `normal`. */
export const FRICTION = 2
/** Second of those two. */
export const FRICTION_SECOND = 3

/** Where the velocities of each body begin, and after the last where they end. */
export type VelocityLayout = Uint32Array

const NOBODY = -1

export class ConstraintRows {
  count = 0
  kinds = new Uint8Array(0)
  /** Tell a row from one step to the next; ascending but for chance. */
  keys = new Float64Array(0)
  /** What J v is to be [m/s, or 1/s of the code]. */
  bounds = new Float64Array(0)
  /** What J v is to be after a blow [m/s]: how fast a contact bounces off. */
  rebounds = new Float64Array(0)
  /** Velocity that a unit of impulse gives way by. */
  compliances = new Float64Array(0)
  /** Largest impulse of a soft row, Coulomb's coefficient of a friction row. */
  limits = new Float64Array(0)
  /** Row whose impulse bounds a friction row's. */
  normals = new Int32Array(0)
  /** First body of each row, and second, or -1. */
  bodiesA = new Int32Array(0)
  bodiesB = new Int32Array(0)
  /** Where each row's values begin: those of the first body, then those of the second. */
  starts = new Int32Array(0)
  /** The rows J. */
  values = new Float64Array(0)
  #used = 0

  constructor(readonly layout: VelocityLayout) {}

  clear(): void {
    this.count = 0
    this.#used = 0
  }

  /** Adds a row of zeros to be filled in from `starts[row]` on. @returns its number */
  add(kind: number, key: number, bodyA: number, bodyB = NOBODY): number {
    const row = this.count++
    if (this.count > this.kinds.length) this.#growRows()
    const size = this.sizeOf(bodyA) + this.sizeOf(bodyB)
    if (this.#used + size > this.values.length) this.values = grown(this.values, this.#used + size)
    this.kinds[row] = kind
    this.keys[row] = key
    this.bounds[row] = 0
    this.rebounds[row] = -Infinity
    this.compliances[row] = 0
    this.limits[row] = 0
    this.normals[row] = NOBODY
    this.bodiesA[row] = bodyA
    this.bodiesB[row] = bodyB
    this.starts[row] = this.#used
    this.values.fill(0, this.#used, this.#used + size)
    this.#used += size
    return row
  }

  /** Takes back the last rows. */
  dropFrom(row: number): void {
    if (row < this.count) this.#used = this.starts[row]
    this.count = Math.min(this.count, row)
  }

  sizeOf(body: number): number {
    return body < 0 ? 0 : this.layout[body + 1] - this.layout[body]
  }

  /** Where the values of a row's second body begin. */
  startB(row: number): number {
    return this.starts[row] + this.sizeOf(this.bodiesA[row])
  }

  /** J v of one row. */
  speed(row: number, velocities: Float64Array): number {
    const { layout, values } = this
    let at = this.starts[row]
    let sum = 0
    const a = this.bodiesA[row]
    for (let i = layout[a]; i < layout[a + 1]; i++) sum += values[at++] * velocities[i]
    const b = this.bodiesB[row]
    if (b >= 0) for (let i = layout[b]; i < layout[b + 1]; i++) sum += values[at++] * velocities[i]
    return sum
  }

  /** Adds a multiple of what is laid out as the rows are (M^-1 J^T, or J^T itself) to velocities, or to momenta. */
  addMultiple(row: number, factor: number, values: Float64Array, out: Float64Array): void {
    const { layout } = this
    let at = this.starts[row]
    const a = this.bodiesA[row]
    for (let i = layout[a]; i < layout[a + 1]; i++) out[i] += factor * values[at++]
    const b = this.bodiesB[row]
    if (b >= 0) for (let i = layout[b]; i < layout[b + 1]; i++) out[i] += factor * values[at++]
  }

  #growRows(): void {
    const length = Math.max(64, 2 * this.kinds.length)
    const bytes = new Uint8Array(length)
    bytes.set(this.kinds)
    this.kinds = bytes
    for (const name of ['keys', 'bounds', 'rebounds', 'compliances', 'limits'] as const) {
      this[name] = grown(this[name], length)
    }
    for (const name of ['normals', 'bodiesA', 'bodiesB', 'starts'] as const) {
      const larger = new Int32Array(length)
      larger.set(this[name])
      this[name] = larger
    }
  }
}

/** The same numbers in a longer array, at least twice as long. */
export function grown(values: Float64Array<ArrayBuffer>, needed: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.max(needed, 2 * values.length))
  larger.set(values)
  return larger
}
