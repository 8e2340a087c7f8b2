/**
 * Errors of a field against exact geometry, pose by pose, summed up as a `Quality`. Points on the surface and points
 * beyond the band, where learned distances are inexact, are counted apart; points whose nearest surface is hidden inside
 * the body (hidden-points.ts) count for the sign, and their distances apart. One answer that is no number makes every
 * figure NaN: it fails every gate, and no mean or quantile of the others can cover it up.
 */

import type { Quality, SignedField } from 'pliant'
import { knowsItsError } from 'pliant/unstable'
import { intervalOfGroups, meanOf, quantile } from './statistics.js'

export interface TallyOptions extends Pick<Quality, 'size' | 'sizeOf'> {
  /** Distances up to this magnitude are judged [m]. */
  band: number
  /** Share of each pose's points, the first ones, that lie on the surface, */
  surfaceShare: number
  /** and, the last ones, anywhere in the domain. */
  uniformShare: number
}

/** Signs are judged beyond this share of the size from the surface. */
const SIGN_DISTANCE = 0.005
const WORST_POSES = 5
const MARGIN_QUANTILE = 0.995

/** What a field was off by at one pose, and what it said of that itself. */
export interface PoseError {
  /** Mean over the band [m]. */
  error: number
  /** `expectedError` of the field there [m]. */
  expected: number
  /** Whether the field trusted itself there. */
  trusted: boolean
}

export class QualityTally {
  readonly #band: number[] = []
  readonly #surface: number[] = []
  readonly #angles: number[] = []
  readonly #overestimates: number[] = []
  readonly #hidden: number[] = []
  readonly #beyond: number[] = []
  /** Of points outside the body and the band, positive where they are said to be too far away. */
  readonly #beyondOutside: number[] = []
  /** Sums and numbers of errors in the band by group. */
  readonly #groups = new Map<number, { sum: number; count: number }>()
  readonly #poses: { code: number[]; meanError: number }[] = []
  #points = 0
  #probes = 0
  #poseCount = 0
  #signsJudged = 0
  #signsRight = 0
  #uniform = 0
  #uniformBeyond = 0
  #isFinite = true

  constructor(private readonly options: TallyOptions) {}

  /**
   * @param hidden 1 for points whose nearest surface is hidden
   * @param field  posed, to tell its own error if it can
   * @param group  number of those that poses like this one have in common
   * @returns undefined if no point lies in the band, or the field knows nothing of its error
   */
  addPose(
    code: number[],
    count: number,
    truth: { distances: Float64Array; normals: Float64Array },
    learned: { distances: Float64Array; gradients: Float64Array },
    hidden?: Uint8Array,
    field?: SignedField,
    group?: number,
  ): PoseError | undefined {
    const { size, band, surfaceShare, uniformShare } = this.options
    const surfaceCount = Math.round(surfaceShare * count)
    const firstUniform = count - Math.round(uniformShare * count)
    let sum = 0
    let judged = 0
    this.#isFinite &&= allFinite(learned.distances, count) && allFinite(learned.gradients, 3 * count)
    for (let i = 0; i < count; i++) {
      const d = truth.distances[i]
      const error = learned.distances[i] - d
      if (i < surfaceCount) {
        if (hidden?.[i]) continue
        this.#surface.push(Math.abs(error))
        this.#overestimates.push(error)
        continue
      }
      if (Math.abs(d) > SIGN_DISTANCE * size) {
        this.#signsJudged++
        if (learned.distances[i] < 0 === d < 0) this.#signsRight++
      }
      if (i >= firstUniform) {
        this.#uniform++
        if (Math.abs(d) > band) this.#uniformBeyond++
      }
      if (hidden?.[i]) {
        if (Math.abs(d) <= band) this.#hidden.push(Math.abs(error))
        continue
      }
      if (Math.abs(d) > band) {
        this.#beyond.push(Math.abs(error))
        if (d > 0) this.#beyondOutside.push(error)
        continue
      }
      this.#band.push(Math.abs(error))
      this.#overestimates.push(error)
      this.#angles.push(angleBetween(learned.gradients, truth.normals, 3 * i))
      sum += Math.abs(error)
      judged++
    }
    if (group !== undefined) {
      const own = this.#groups.get(group) ?? { sum: 0, count: 0 }
      this.#groups.set(group, { sum: own.sum + sum, count: own.count + judged })
    }
    this.#points += count
    this.#poseCount++
    const meanError = sum / judged
    if (judged > 0) this.#poses.push({ code, meanError })
    if (!field || !knowsItsError(field)) return undefined
    this.#probes += field.probeError
    return judged > 0 ? { error: meanError, expected: field.expectedError, trusted: field.trusted } : undefined
  }

  quality(): Quality {
    const valuesOf = (list: number[]): Float64Array => Float64Array.from(this.#isFinite ? list : [Number.NaN])
    const band = valuesOf(this.#band)
    const surface = valuesOf(this.#surface)
    const angles = valuesOf(this.#angles)
    const hidden = valuesOf(this.#hidden)
    const beyond = valuesOf(this.#beyond)
    const outside = valuesOf(this.#beyondOutside)
    const worst = [...this.#poses].sort((a, b) => b.meanError - a.meanError)
    return {
      poses: this.#poseCount,
      points: this.#points,
      size: this.options.size,
      sizeOf: this.options.sizeOf,
      bandError: {
        mean: meanOf(band),
        p50: quantile(band, 0.5),
        p95: quantile(band, 0.95),
        p99: quantile(band, 0.99),
        max: quantile(band, 1),
      },
      surfaceError: { mean: meanOf(surface), p95: quantile(surface, 0.95), max: quantile(surface, 1) },
      signAccuracy: this.#isFinite ? (this.#signsJudged > 0 ? this.#signsRight / this.#signsJudged : 1) : Number.NaN,
      normalError: { p50: quantile(angles, 0.5), p95: quantile(angles, 0.95) },
      worstPoses: worst.slice(0, WORST_POSES),
      ...(this.#groups.size > 1 ? { interval: intervalOfGroups([...this.#groups.values()]) } : {}),
      ...(this.#probes > 0 ? { probeError: this.#probes / this.#poseCount } : {}),
      ...(this.#hidden.length > 0
        ? {
            hidden: {
              share: this.#hidden.length / (this.#hidden.length + this.#band.length),
              mean: meanOf(hidden),
              max: quantile(hidden, 1),
            },
          }
        : {}),
      safetyMargin: Math.max(0, quantile(valuesOf(this.#overestimates), MARGIN_QUANTILE)),
      beyond: {
        from: this.options.band,
        share: this.#uniform > 0 ? this.#uniformBeyond / this.#uniform : 0,
        mean: meanOf(beyond),
        max: quantile(beyond, 1),
        tooFar: meanOf(outside.map((error) => Number(error > 0))),
        maxTooFar: Math.max(0, quantile(outside, 1)),
      },
    }
  }
}

function allFinite(values: ArrayLike<number>, count: number): boolean {
  for (let i = 0; i < count; i++) if (!Number.isFinite(values[i])) return false
  return true
}

/** Degrees between two vectors of xyz arrays at the same offset; 90 if the first has no direction. */
function angleBetween(a: Float64Array, b: Float64Array, at: number): number {
  const lengths = Math.hypot(a[at], a[at + 1], a[at + 2]) * Math.hypot(b[at], b[at + 1], b[at + 2])
  if (!(lengths > 0)) return 90
  const cosine = (a[at] * b[at] + a[at + 1] * b[at + 1] + a[at + 2] * b[at + 2]) / lengths
  return (Math.acos(Math.min(1, Math.max(-1, cosine))) * 180) / Math.PI
}
