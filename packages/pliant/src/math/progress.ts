/** How far long work has come: what every `onProgress` is told, and how a part's words become those of the whole. */

/** How far long work has come. */
export interface Progress {
  /** Part of the work that is done, 0 to 1. */
  fraction: number
  /** What is being done. */
  stage: string
  /** What is being done, more closely, for people to read. */
  detail?: string
}

export type OnProgress = (progress: Progress) => void

/**
 * For a part of some work, which tells the whole.
 * @param from   fraction of the whole at which the part begins
 * @param to     and ends
 * @param words  what the whole says instead of the part
 */
export function progressWithin(
  onProgress: OnProgress | undefined,
  from: number,
  to: number,
  words: Partial<Omit<Progress, 'fraction'>> = {},
): OnProgress {
  // Exactly `from` and `to` at the ends, which `from + (to - from) * fraction` is not.
  return (part) => onProgress?.({ ...part, ...words, fraction: (1 - part.fraction) * from + part.fraction * to })
}
