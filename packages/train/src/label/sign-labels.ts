/**
 * Labels of anything that tells free codes from others by a function, where nothing else is known: binary images, shapes
 * that are not linear in their code. Points of the boundary are found by halving, normals from the signs around them.
 */
import type { ContactLabels } from './contact-labels.js'
import type { Crossings } from './contact-task.js'

export interface SignLabelsOptions {
  /** How far around a point of the boundary signs are asked for its normal, in the unit of the code. */
  around?: number
  /** How many places of that sphere. */
  places?: number
}
export const SIGN_LABELS_DEFAULTS = { around: 0.02, places: 32 } as const

/** To a millionth of the way. */
const HALVINGS = 20

/** The first step towards the other side, in the unit of the code, and how often it may double. */
const FIRST_STEP = 0.02
const MOST_STEPS = 6

export class SignLabels implements ContactLabels {
  private readonly directions: Float64Array[]
  private readonly around: number
  private tests = 0

  /** @param isFree  of a code in the box */
  constructor(
    readonly codeSize: number,
    readonly bounds: ContactLabels['bounds'],
    private readonly isFree: (code: ArrayLike<number>) => boolean,
    options: SignLabelsOptions = {},
  ) {
    const { around, places } = { ...SIGN_LABELS_DEFAULTS, ...options }
    this.around = around
    this.directions = spreadDirections(codeSize, places)
  }

  async signs(codes: Float32Array): Promise<Int8Array> {
    return Int8Array.from(this.rows(codes), (code) => (this.isFree(code) ? 1 : -1))
  }

  async between(free: Float32Array, touching: Float32Array): Promise<Crossings> {
    const ends = this.rows(touching)
    return this.gather(this.rows(free).map((code, i) => [code, ends[i]] as const))
  }

  async along(codes: Float32Array, directions: Float32Array): Promise<Crossings> {
    const ways = this.rows(directions)
    const before = this.tests
    const ends = this.rows(codes).flatMap((code, i) => {
      const found = this.across(code, ways[i])
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

  private across(
    code: Float32Array,
    direction: Float32Array,
  ): readonly [ArrayLike<number>, ArrayLike<number>] | undefined {
    const { lower, upper } = this.bounds
    const isFree = this.asks(code)
    let last = Float64Array.from(code)
    for (let step = 0, size = FIRST_STEP; step < MOST_STEPS; step++, size *= 2) {
      const next = last.map((value, k) => value + (isFree ? -size : size) * direction[k])
      if (next.some((value, k) => value < lower[k] || value > upper[k])) return undefined
      if (this.asks(next) !== isFree) return isFree ? [last, next] : [next, last]
      last = next
    }
    return undefined
  }

  private gather(ends: readonly (readonly [ArrayLike<number>, ArrayLike<number>])[], before = this.tests): Crossings {
    const found = ends.flatMap(([free, touching]) => {
      const code = this.halve(free, touching)
      const normal = this.normalAt(code)
      return normal ? [{ code, normal }] : []
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
    for (let halving = 0; halving < HALVINGS; halving++) {
      const middle = low.map((value, k) => (value + high[k]) / 2)
      if (this.asks(middle)) low.set(middle)
      else high.set(middle)
    }
    return low
  }

  /** The mean way to the free places around: exact where the boundary is flat. Undefined if all are alike. */
  private normalAt(code: Float64Array): Float64Array | undefined {
    const sum = new Float64Array(this.codeSize)
    for (const direction of this.directions) {
      const sign = this.asks(code.map((value, k) => value + this.around * direction[k])) ? 1 : -1
      for (let k = 0; k < sum.length; k++) sum[k] += sign * direction[k]
    }
    const length = Math.hypot(...sum)
    return length > 0 ? sum.map((value) => value / length) : undefined
  }
}

/** Unit vectors, each with its opposite: on a circle evenly, else by a sequence that fills the sphere. */
function spreadDirections(size: number, count: number): Float64Array[] {
  if (size === 2) {
    return Array.from({ length: count }, (_, i) => {
      const angle = (2 * Math.PI * (i + 0.5)) / count
      return Float64Array.of(Math.cos(angle), Math.sin(angle))
    })
  }
  const half = Array.from({ length: Math.ceil(count / 2) }, (_, i) => {
    // Two additive sequences make a normal number by Box and Muller; of all entries, a direction.
    const values = Float64Array.from({ length: size }, (_, k) => {
      const [u, v] = [(i + 0.5) * Math.SQRT2 * (k + 1), (i + 0.5) * Math.sqrt(3) * (k + 1.5)].map(
        (x) => x - Math.floor(x),
      )
      return Math.sqrt(-2 * Math.log(u || 0.5)) * Math.cos(2 * Math.PI * v)
    })
    const length = Math.hypot(...values)
    return values.map((value) => value / length)
  })
  return half.flatMap((direction) => [direction, direction.map((value) => -value)])
}
