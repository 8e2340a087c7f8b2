/** What files answer that tell self-contact, and how good one was measured to be; both travel in its manifest. */
import type { Answers } from './answers.js'
import { finite, object, wrong } from './checks.js'

/**
 * Measured against the exact test on codes that were never trained on, drawn evenly from the box. Shares are from 0 to 1,
 * distances in the unit of the code. A code is called touching where the field is negative.
 */
export interface SelfContactQuality {
  /** How many codes it was measured on. */
  codes: number
  /** Share of them that touch themselves. */
  touchingShare: number
  /** Share of codes that are called what they are. */
  signAccuracy: number
  /** Mean of the shares of touching and of free codes that are called what they are. */
  balancedAccuracy: number
  /** Share that is called what it is, of codes within 0.1 of the boundary. */
  nearAccuracy: number
  /** Share of touching codes that are called free; 0 if none touches. */
  falseNegatives: number
  /** Share of free codes that are called touching; 0 if none is free. */
  falsePositives: number
  /** |f| against a reference distance to the boundary; not there if none was at hand. */
  distanceError?: { mean: number; p95: number; max: number }
  /** Mean of | |grad f| - 1 | (Cai et al., Eq. 24). */
  gradientError: number
  /** Standard deviation of |grad f| (Eq. 25). */
  gradientSpread: number
  /** What handing codes with |f| < tau to the exact test gives, tau rising. */
  hybrid: HybridRow[]
}

/** What it gives to hand codes with |f| < tau to the exact test. Shares are from 0 to 1. */
export interface HybridRow {
  /** In the unit of the code. */
  tau: number
  /** Share of codes that go to the exact test. */
  exactShare: number
  /** Share of codes that are called what they are, then. */
  accuracy: number
  /** Share of touching codes that are called free, then. */
  falseNegatives: number
}

const FIGURES = [
  ...['codes', 'touchingShare', 'signAccuracy', 'balancedAccuracy', 'nearAccuracy'],
  ...['falseNegatives', 'falsePositives', 'gradientError', 'gradientSpread'],
]

/** Signed distances of codes to the nearest shape that touches itself (field/configuration-field.ts). */
export const selfDistance: Answers = {
  name: 'self-distance',
  check({ quality }) {
    if (quality !== null) checkQuality(quality)
  },
}

function checkQuality(value: unknown): void {
  const quality = object(value, 'quality')
  for (const key of FIGURES) finite(quality[key], `quality.${key}`)
  if (quality['distanceError'] !== undefined) {
    const error = object(quality['distanceError'], 'quality.distanceError')
    for (const key of ['mean', 'p95', 'max']) finite(error[key], `quality.distanceError.${key}`)
  }
  const hybrid = quality['hybrid']
  if (!Array.isArray(hybrid)) throw wrong('quality.hybrid', hybrid, 'a list')
  let last = -Infinity
  hybrid.forEach((entry, i) => {
    const path = `quality.hybrid[${i}]`
    const row = object(entry, path)
    for (const key of ['tau', 'exactShare', 'accuracy', 'falseNegatives']) finite(row[key], `${path}.${key}`)
    // Whoever looks for the least tau takes the first that will do.
    if (!((row['tau'] as number) > last)) throw wrong(`${path}.tau`, row['tau'], `more than ${last}, as they rise`)
    last = row['tau'] as number
  })
}
