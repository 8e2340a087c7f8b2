/** How good a trained file was measured to be; it travels in its manifest. */
import type { MeasuredErrors } from '../learned/own-error.js'
import { finite, object, wrong } from './checks.js'

/** Measured against exact geometry on codes that were never trained on. Lengths in metres, angles in degrees. */
export interface Quality {
  /** How many poses it was measured on. */
  poses: number
  /** How many points it was asked, over all poses; a count. */
  points: number
  /** Length that percentages refer to [m], */
  size: number
  /** and what that is: the diagonal of the rest shape's box, or the height of a character at rest. */
  sizeOf: 'diagonal' | 'height'
  /** |learned - exact| of off-surface points with |exact| inside the truncation band [m]. */
  bandError: { mean: number; p50: number; p95: number; p99: number; max: number }
  /** |learned| at points on the surface [m]. */
  surfaceError: { mean: number; p95: number; max: number }
  /** Share of points with the right sign, of those further from the surface than 0.5% of the size. */
  signAccuracy: number
  /** Angle between learned gradient and exact normal, off-surface points in the band [degrees]. */
  normalError: { p50: number; p95: number }
  /**
   * Of poses in groups (drops of an elastic body), whose poses are alike: 95% interval of `bandError.mean` over other draws
   * of as many groups [m].
   */
  interval?: { lower: number; upper: number; groups: number }
  /**
   * Poses of the same drops with inverted tetrahedra, which none of the other figures counts: how many, which share of all,
   * mean and largest error in the band, and what the mean over all poses is with them [m].
   */
  inverted?: { poses: number; share: number; mean: number; max: number; withThem: number }
  /**
   * Points in the band whose nearest surface is hidden inside the body, where it passes through itself: share, 0 to 1, of all
   * in the band, mean and largest error [m]. No other figure but the sign counts them.
   */
  hidden?: { share: number; mean: number; max: number }
  /** The codes with the largest mean band error, worst first. */
  worstPoses: { code: number[]; meanError: number }[]
  /**
   * Mean over the poses of what the field answers on its own surface [m], at its own probes (learned/own-error.ts):
   * beside `bandError.mean` it tells what these say of errors near the surface. Not there if the field does not tell its own error.
   */
  probeError?: number
  /** Distance to subtract for a conservative answer near the surface: the 99.5th percentile of overestimation [m]. */
  safetyMargin: number
  /** Points further from the surface than the band, where distances are only approximate. */
  beyond: {
    /** Half-width of the band [m]. */
    from: number
    /** Share, 0 to 1, of points drawn anywhere in the domain that lie there. */
    share: number
    /** |learned - exact| [m]. */
    mean: number
    max: number
    /** Of those outside: share, 0 to 1, that are said to be further away than they are, and by how much at most [m]. */
    tooFar: number
    maxTooFar: number
  }
}

/** What a field's own error is scaled by; undefined if it was not measured. */
export function measuredErrors(quality: Quality | null): MeasuredErrors | undefined {
  if (quality?.probeError === undefined) return undefined
  return { distances: quality.bandError.mean, probes: quality.probeError }
}

/** @throws Error naming the first field that is missing or wrong */
export function checkQuality(value: unknown): void {
  const quality = object(value, 'quality')
  for (const key of ['poses', 'points', 'size', 'signAccuracy', 'safetyMargin']) {
    finite(quality[key], `quality.${key}`)
  }
  if (quality['sizeOf'] !== 'diagonal' && quality['sizeOf'] !== 'height') {
    throw wrong('quality.sizeOf', quality['sizeOf'], "'diagonal' or 'height'")
  }
  const groups: Record<string, string[]> = {
    bandError: ['mean', 'p50', 'p95', 'p99', 'max'],
    surfaceError: ['mean', 'p95', 'max'],
    normalError: ['p50', 'p95'],
    beyond: ['from', 'share', 'mean', 'max', 'tooFar', 'maxTooFar'],
    ...(quality['interval'] !== undefined && { interval: ['lower', 'upper', 'groups'] }),
    ...(quality['hidden'] !== undefined && { hidden: ['share', 'mean', 'max'] }),
    ...(quality['inverted'] !== undefined && { inverted: ['poses', 'share', 'mean', 'max', 'withThem'] }),
  }
  for (const [group, keys] of Object.entries(groups)) {
    const entry = object(quality[group], `quality.${group}`)
    for (const key of keys) finite(entry[key], `quality.${group}.${key}`)
  }
  if (quality['probeError'] !== undefined) finite(quality['probeError'], 'quality.probeError')
  if (!Array.isArray(quality['worstPoses'])) throw wrong('quality.worstPoses', quality['worstPoses'], 'a list')
}
