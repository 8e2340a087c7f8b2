/** Figures of a field over codes beside exact signs (Cai et al., section 6.2, and what the paper leaves out). */
import type { HybridRow, SelfContactQuality } from 'pliant'
import { meanOf, quantile } from './statistics.js'

/** What a field answered at codes, and what is true of them. */
export interface ContactAnswers {
  /** One for each code, in the unit of the code; negative: touching. */
  distances: Float64Array
  /** One vector for each code. */
  gradients: Float64Array
  /** Exact: 1 for a free code, -1 for one that touches itself. */
  signs: Int8Array
  /** Unsigned distance to the boundary of the first so many codes, if there is a way to tell it. */
  reference?: ArrayLike<number>
}

/** Codes nearer to the boundary than this count as near it [unit of the code]. */
const NEAR = 0.1

/**
 * Shares of codes that go to the exact test, of which rows tell: finer where they are few, as these are what is wanted.
 * None goes beyond a half, as the exact test alone is then no dearer.
 */
const EXACT_SHARES = [
  ...[0, 0.002, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.06, 0.08],
  ...[0.1, 0.125, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5],
]

/** Near the boundary is said by the reference where there is one, else by the field itself. */
export function contactQuality({ distances, gradients, signs, reference }: ContactAnswers): SelfContactQuality {
  const codes = signs.length
  const all = tally(codes, () => true, distances, signs, 0)
  const near = reference
    ? tally(reference.length, (i) => reference[i] < NEAR, distances, signs, 0)
    : tally(codes, (i) => Math.abs(distances[i]) < NEAR, distances, signs, 0)
  const lengths = lengthsOf(gradients, codes)
  const meanLength = meanOf(lengths)
  return {
    codes,
    touchingShare: all.touching / codes,
    signAccuracy: all.accuracy,
    balancedAccuracy: all.balanced,
    nearAccuracy: near.accuracy,
    falseNegatives: all.falseNegatives,
    falsePositives: all.falsePositives,
    ...(reference && { distanceError: distanceErrors(distances, reference, signs) }),
    gradientError: meanOf(lengths.map((length) => Math.abs(length - 1))),
    gradientSpread: Math.sqrt(meanOf(lengths.map((length) => (length - meanLength) ** 2))),
    hybrid: hybridRows(distances, signs),
  }
}

interface Tally {
  touching: number
  accuracy: number
  balanced: number
  falseNegatives: number
  falsePositives: number
}

/** Over the codes that count, those with |f| < tau called what they are; shares of nothing are those of no mistake. */
function tally(
  count: number,
  counts: (i: number) => boolean,
  distances: Float64Array,
  signs: Int8Array,
  tau: number,
): Tally {
  let [touching, free, missed, alarms] = [0, 0, 0, 0]
  for (let i = 0; i < count; i++) {
    if (!counts(i)) continue
    const isRight = Math.abs(distances[i]) < tau || distances[i] < 0 === signs[i] < 0
    if (signs[i] < 0) touching++
    else free++
    if (isRight) continue
    if (signs[i] < 0) missed++
    else alarms++
  }
  const falseNegatives = touching > 0 ? missed / touching : 0
  const falsePositives = free > 0 ? alarms / free : 0
  const accuracy = touching + free > 0 ? 1 - (missed + alarms) / (touching + free) : 1
  const balanced = touching > 0 && free > 0 ? 1 - (falseNegatives + falsePositives) / 2 : accuracy
  return { touching, accuracy, balanced, falseNegatives, falsePositives }
}

/** Of tau that hand a given share of codes to the exact test, rising. */
function hybridRows(distances: Float64Array, signs: Int8Array): HybridRow[] {
  const sorted = distances.map(Math.abs).sort()
  const rows: HybridRow[] = []
  for (const share of EXACT_SHARES) {
    const tau = share === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.round(share * sorted.length))]
    if (rows.length > 0 && !(tau > rows[rows.length - 1].tau)) continue
    const { accuracy, falseNegatives } = tally(signs.length, () => true, distances, signs, tau)
    const exact = distances.reduce((sum, distance) => sum + (Math.abs(distance) < tau ? 1 : 0), 0)
    rows.push({ tau, exactShare: exact / signs.length, accuracy, falseNegatives })
  }
  return rows
}

/** Of signed distances: a wrong sign is off by both. */
function distanceErrors(
  distances: Float64Array,
  reference: ArrayLike<number>,
  signs: Int8Array,
): SelfContactQuality['distanceError'] {
  const errors = Float64Array.from({ length: reference.length }, (_, i) =>
    Math.abs(distances[i] - signs[i] * reference[i]),
  )
  return { mean: meanOf(errors), p95: quantile(errors, 0.95), max: quantile(errors, 1) }
}

function lengthsOf(vectors: Float64Array, count: number): Float64Array {
  const size = vectors.length / count
  return Float64Array.from({ length: count }, (_, i) => {
    let square = 0
    for (let k = i * size; k < (i + 1) * size; k++) square += vectors[k] * vectors[k]
    return Math.sqrt(square)
  })
}
