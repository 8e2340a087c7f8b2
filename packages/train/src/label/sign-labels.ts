/**
 * Labels of anything that tells free codes from others by a function, where nothing else is known: binary images, shapes
 * that are not linear in their code. Points of the boundary are found by halving, and so are their normals: on a small circle
 * around a point the sign changes twice, opposite each other where the boundary is flat.
 */
import type { Random } from 'pliant'
import { uniformCodes } from '../sample/uniform-codes.js'
import { acrossBoundary, type Ends } from './across-boundary.js'
import type { ContactLabels } from './contact-labels.js'
import type { Crossings } from './contact-tasks.js'

export interface SignLabelsOptions {
  /** How far around a point of the boundary signs are asked for its normal, in the unit of the code. */
  around?: number
  /** How near to the boundary its points lie. */
  precision?: number
}
export const SIGN_LABELS_DEFAULTS = { around: 0.005, precision: 2e-5 } as const

/** Of half a circle: normals are right to a third of a degree. */
const TURN_HALVINGS = 8

/** Steps that a way of a doubling search took, and how long the last one was, in the mean. */
const STEPS_ALONG = 3
const LAST_STEP = 0.03

export class SignLabels implements ContactLabels {
  readonly testsPerPoint: ContactLabels['testsPerPoint']
  private readonly around: number
  private readonly precision: number
  private tests = 0

  /** @param isFree  of a code in the box, or beyond it by no more than `around` */
  constructor(
    readonly codeSize: number,
    readonly bounds: ContactLabels['bounds'],
    private readonly isFree: (code: ArrayLike<number>) => boolean,
    options: SignLabelsOptions = {},
  ) {
    const { around, precision } = { ...SIGN_LABELS_DEFAULTS, ...options }
    this.around = around
    this.precision = precision
    const widest = Math.max(...bounds.upper.map((upper, k) => upper - bounds.lower[k]))
    const normal = 2 * (codeSize - 1) * TURN_HALVINGS
    const halvings = (length: number): number => Math.ceil(Math.log2(length / precision))
    this.testsPerPoint = {
      between: halvings(widest / 2) + normal,
      along: STEPS_ALONG + halvings(LAST_STEP) + normal,
    }
  }

  draw(count: number, random: Random): Float32Array {
    return uniformCodes(this.bounds, count, random)
  }

  async signs(codes: Float32Array): Promise<Int8Array> {
    return Int8Array.from(this.rows(codes), (code) => (this.isFree(code) ? 1 : -1))
  }

  async between(free: Float32Array, touching: Float32Array): Promise<Crossings> {
    const ends = this.rows(touching)
    return this.gather(
      this.rows(free).map((code, i) => [code, ends[i]] as const),
      this.tests,
    )
  }

  async along(codes: Float32Array, directions: Float32Array): Promise<Crossings> {
    const ways = this.rows(directions)
    const before = this.tests
    const ends = this.rows(codes).flatMap((code, i) => {
      const found = acrossBoundary((at) => this.asks(at), this.bounds, code, ways[i])
      return found ? [found] : []
    })
    return this.gather(ends, before)
  }

  private rows(codes: Float32Array): Float32Array[] {
    const size = this.codeSize
    return Array.from({ length: codes.length / size }, (_, i) => codes.subarray(i * size, (i + 1) * size))
  }

  private asks(code: ArrayLike<number>): boolean {
    this.tests++
    return this.isFree(code)
  }

  /** @param before  tests that had been made when the search began */
  private gather(ends: readonly Ends[], before: number): Crossings {
    const found = ends.map(([free, touching]) => {
      const code = this.halve(free, touching)
      const way = Float64Array.from(code, (_, k) => free[k] - touching[k])
      return { code, normal: this.normalAt(code, unit(way)) }
    })
    return {
      codes: Float32Array.from(found.flatMap(({ code }) => [...code])),
      normals: Float32Array.from(found.flatMap(({ normal }) => [...normal])),
      triangles: new Uint32Array(2 * found.length),
      weights: new Float32Array(6 * found.length),
      tests: this.tests - before,
    }
  }

  private halve(free: ArrayLike<number>, touching: ArrayLike<number>): Float64Array {
    const [low, high] = [Float64Array.from(free), Float64Array.from(touching)]
    while (distanceBetween(low, high) > this.precision) {
      const middle = low.map((value, k) => (value + high[k]) / 2)
      if (this.asks(middle)) low.set(middle)
      else high.set(middle)
    }
    return low
  }

  /**
   * In each plane of the way and a direction across it, the line of the boundary: by the angles from the way at which free
   * codes end, to the left and to the right. Exact where the boundary is flat; at a corner of the plane, its bisector.
   * @param way  unit vector from touching codes to free ones
   */
  private normalAt(code: Float64Array, way: Float64Array): Float64Array {
    const normal = way.slice()
    for (const across of complementOf(way)) {
      const [left, right] = [1, -1].map((side) => this.freeUpTo(code, way, across, side))
      const slope = Math.tan((left - right) / 2)
      for (let k = 0; k < normal.length; k++) normal[k] += slope * across[k]
    }
    return unit(normal)
  }

  private freeUpTo(code: Float64Array, way: Float64Array, across: Float64Array, side: number): number {
    let [free, touching] = [0, Math.PI]
    for (let halving = 0; halving < TURN_HALVINGS; halving++) {
      const angle = (free + touching) / 2
      const [along, aside] = [this.around * Math.cos(angle), side * this.around * Math.sin(angle)]
      if (this.asks(code.map((value, k) => value + along * way[k] + aside * across[k]))) free = angle
      else touching = angle
    }
    return (free + touching) / 2
  }
}

/** Unit vectors at right angles to one and to each other, by a Householder reflection that takes an axis to it. */
function complementOf(way: Float64Array): Float64Array[] {
  const mirror = way.slice()
  // Away from zero: of the two reflections, the one whose mirror is longer.
  mirror[0] += way[0] < 0 ? -1 : 1
  const squared = mirror.reduce((sum, value) => sum + value * value, 0)
  return Array.from({ length: way.length - 1 }, (_, i) => {
    const axis = i + 1
    return mirror.map((value, k) => (k === axis ? 1 : 0) - (2 * mirror[axis] * value) / squared)
  })
}

function unit(vector: Float64Array): Float64Array {
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

function distanceBetween(a: Float64Array, b: Float64Array): number {
  return Math.hypot(...a.map((value, k) => value - b[k]))
}
