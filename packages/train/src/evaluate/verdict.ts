/**
 * Whether a trained field is of any use: no training may end in silence with a bad result. It is held against what needs no
 * training at all, on the same points, and against limits that any field worth loading keeps by far (trained in full, ours
 * stay below a tenth of a percent).
 */
import type { Quality } from 'pliant'

/** Mean error, in sizes. */
export const LARGEST_MEAN_ERROR = 0.01
/** Share of right signs. */
export const LEAST_SIGN = 0.95

export interface Rival {
  /** Such as `rigid bone grids`. */
  name: string
  quality: Quality
}

/** What a subject's judge makes of figures of points. */
export interface Verdict {
  quality: Quality
  /** JSON has no NaN: a field that gives any has no figures, and says why. */
  stored: Quality | null
  /** Why the result must not be trusted, in one line; undefined if nothing is wrong with it. */
  fault: string | undefined
}

export function verdictOn(quality: Quality, rival?: Rival): Verdict {
  return { quality, stored: Number.isFinite(quality.bandError.mean) ? quality : null, fault: faultOf(quality, rival) }
}

/** @returns undefined if it will do, or else one line that says why not and by how much */
export function faultOf(quality: Quality, rival?: Rival): string | undefined {
  const share = ({ bandError, size }: Quality): number => bandError.mean / size
  const error = share(quality)
  // Written so that a NaN never passes.
  if (!Number.isFinite(error)) return 'it does not answer with finite numbers'
  if (!(error <= LARGEST_MEAN_ERROR)) {
    return `its mean error is ${percent(error)} of the size, more than ${percent(LARGEST_MEAN_ERROR)}`
  }
  if (!(quality.signAccuracy >= LEAST_SIGN)) {
    return `it tells inside from outside at ${percent(quality.signAccuracy)} of the points, fewer than ${percent(LEAST_SIGN)}`
  }
  if (rival && !(error <= share(rival.quality))) {
    return `its mean error, ${percent(error)} of the size, is worse than the ${percent(share(rival.quality))} of ${rival.name}, which take no training`
  }
  return undefined
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))}%`
}
